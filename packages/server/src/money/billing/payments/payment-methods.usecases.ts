import type { Insertable, Selectable } from "kysely";
import type { Logger } from "pino";
import type { Audit } from "../../../platform/core/audit.ts";
import { bind } from "../../../platform/core/bind.ts";
import type { Clock } from "../../../platform/core/clock.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import type { PaymentMethods, SetupIntents } from "../../../platform/core/db/schema.generated.ts";
import { errors } from "../../../platform/core/errors/index.ts";
import type { Ids } from "../../../platform/core/ids.ts";
import { hashSecret } from "../../../platform/core/secrets/secrets.ts";
import { DAY_MS } from "../../../platform/core/time.ts";
import type { Card, PaymentDriver, Setup } from "../../payment-services/index.ts";
import { authenticationRequired, setupIntentNotConfirmed } from "../billing.errors.ts";
import type { BillingRepository } from "../billing.repository.ts";
import type { PaymentMethodRow } from "../billing-rows.ts";
import type { Buyer } from "../buyer.ts";
import type { PaymentCustomersRepository } from "./payment-customers.ts";

type SetupIntentRow = Selectable<SetupIntents>;
/** A new setup intent with the secret that the payment form needs, or the page of the payment service. */
export type NewSetupIntent = { id: string } & Pick<Setup, "clientSecret" | "url">;

/** Who changes a card; nobody who is signed in here where it was changed at the payment service. */
type Author = Omit<Buyer, "userId"> & { userId: string | null };

type Deps = {
  db: Database;
  billingRepository: BillingRepository;
  paymentCustomers: PaymentCustomersRepository;
  driver: PaymentDriver;
  audit: Audit;
  clock: Clock;
  ids: Ids;
  log: Pick<Logger, "error">;
  /** Confirms a setup with a test card, as the form of a payment service does; null unless payments are tests. */
  enterTestCard: ((reference: string, number: string) => Promise<void>) | null;
  /** Throws `payments.off` while payments are switched off. */
  refuseWhilePaymentsOff(): void;
};

const SETUP_INTENT_LIFETIME_MS = DAY_MS;

/** Manages the cards of organizations. A card is added with a setup intent, which the buyer's browser confirms. */
export function createPaymentMethods(deps: Deps) {
  return bind(deps, {
    saveCard,
    updateCard,
    dropCard,
    chooseDefault,
    addCard,
    createSetupIntent,
    confirm: confirmPaymentMethod,
    completeSetup,
    list: listPaymentMethods,
    makeDefault,
    remove: removePaymentMethod,
    removeAtService,
  });
}

export type PaymentMethodUseCases = ReturnType<typeof createPaymentMethods>;

/**
 * Saves a card, unless it is here already; the first one is the default. Needs a transaction that has locked the account.
 */
async function saveCard(deps: Deps, author: Author, card: Card, trx: Database): Promise<PaymentMethodRow> {
  const { billingRepository, driver, audit, clock, ids } = deps;
  const { organizationId } = author;
  const saved = await trx
    .selectFrom("payment_methods")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("driver", "=", driver.name)
    .where("reference", "=", card.reference)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  if (saved) return saved;
  const values: Insertable<PaymentMethods> = {
    id: ids.next("pm"),
    organization_id: organizationId,
    driver: driver.name,
    reference: card.reference,
    fingerprint: card.fingerprint,
    brand: card.brand,
    last4: card.last4,
    exp_month: card.expMonth,
    exp_year: card.expYear,
    is_default: (await billingRepository.findDefaultCard(organizationId, trx)) === undefined,
    is_test: driver.isTest,
    created_at: clock.now(),
  };
  const row = await trx.insertInto("payment_methods").values(values).returningAll().executeTakeFirstOrThrow();
  await audit.record({ ...author, action: "payment_methods.add", target: row.id }, trx);
  return row;
}

/** Stores what a card is called and when it expires, if that was changed. */
async function updateCard(_: Deps, row: PaymentMethodRow, card: Card, trx: Database): Promise<void> {
  const { brand, last4, expMonth: exp_month, expYear: exp_year } = card;
  const isSame = row.brand === brand && row.last4 === last4 && row.exp_month === exp_month && row.exp_year === exp_year;
  if (isSame) return;
  await trx
    .updateTable("payment_methods")
    .set({ brand, last4, exp_month, exp_year })
    .where("id", "=", row.id)
    .execute();
}

async function getSetupIntent(
  deps: Deps,
  { organizationId }: Buyer,
  id: string,
  trx: Database = deps.db,
): Promise<SetupIntentRow> {
  const intent = await trx
    .selectFrom("setup_intents")
    .selectAll()
    .where("id", "=", id)
    .where("organization_id", "=", organizationId)
    .executeTakeFirst();
  if (!intent) throw errors.setupIntents.notFound();
  return intent;
}

/** Completes a setup intent with a card, once: repeated calls return the same card. */
async function completeSetupIntent(deps: Deps, buyer: Buyer, intentId: string, card: Card): Promise<PaymentMethodRow> {
  const { db, billingRepository } = deps;
  return db.transaction().execute(async (trx) => {
    await billingRepository.lockAccount(buyer.organizationId, trx);
    const { status, payment_method_id } = await getSetupIntent(deps, buyer, intentId, trx);
    if (status === "succeeded") return getPaymentMethod(deps, buyer, payment_method_id, trx);
    const row = await saveCard(deps, buyer, card, trx);
    await trx
      .updateTable("setup_intents")
      .set({ status: "succeeded", payment_method_id: row.id, authentication_hash: null })
      .where("id", "=", intentId)
      .execute();
    return row;
  });
}

async function getPaymentMethod(
  deps: Deps,
  { organizationId }: Buyer,
  id: string | null,
  trx: Database = deps.db,
): Promise<PaymentMethodRow> {
  const { billingRepository } = deps;
  const card = id === null ? undefined : await billingRepository.findPaymentMethod(organizationId, id, trx);
  if (!card) throw errors.setupIntents.ended();
  return card;
}

/** Saves a card that the bank approved. */
function addCard(deps: Deps, buyer: Buyer, card: Card): Promise<PaymentMethodRow> {
  return deps.db.transaction().execute(async (trx) => {
    await deps.billingRepository.lockAccount(buyer.organizationId, trx);
    return saveCard(deps, buyer, card, trx);
  });
}

/** Begins a setup at the payment service. A customer that was deleted there is replaced by a new one. */
async function beginSetup(deps: Deps, organizationId: string, setupId: string): Promise<Setup> {
  const { driver, paymentCustomers } = deps;
  const known = await paymentCustomers.find(organizationId);
  const customer = known ?? (await paymentCustomers.create(organizationId, null));
  const setup =
    (await driver.createSetup({ setupId, customer })) ??
    (await driver.createSetup({ setupId, customer: await paymentCustomers.create(organizationId, customer) }));
  if (!setup) throw errors.payments.pending();
  return setup;
}

async function createSetupIntent(deps: Deps, { organizationId }: Buyer): Promise<NewSetupIntent> {
  const { db, driver, clock, ids, refuseWhilePaymentsOff } = deps;
  refuseWhilePaymentsOff();
  const id = ids.next("seti");
  const { reference, clientSecret, url } = await beginSetup(deps, organizationId, id);
  const now = clock.now();
  await db
    .insertInto("setup_intents")
    .values({
      id,
      organization_id: organizationId,
      reference,
      client_secret_hash: hashSecret(clientSecret ?? id),
      status: "requires_payment_method",
      is_test: driver.isTest,
      created_at: now,
      expires_at: new Date(now.getTime() + SETUP_INTENT_LIFETIME_MS),
    })
    .execute();
  return { id, clientSecret, url };
}

/** Confirms a setup with a test card, if one was sent and payments are tests. */
async function applyTestCard({ enterTestCard }: Deps, reference: string, number: string | null): Promise<void> {
  if (number === null) return;
  if (!enterTestCard)
    throw errors.invalidRequest("test_card is not valid: cards are entered at the payment service.", {
      param: "test_card",
    });
  await enterTestCard(reference, number);
}

/**
 * Saves the card of a setup intent that the buyer's browser confirmed, or that `testCard` confirms where payments are
 * tests. Repeated calls return the same card.
 */
async function confirmPaymentMethod(
  deps: Deps,
  buyer: Buyer,
  intentId: string,
  testCard: string | null,
): Promise<PaymentMethodRow> {
  const { driver, clock, refuseWhilePaymentsOff } = deps;
  refuseWhilePaymentsOff();
  const intent = await getSetupIntent(deps, buyer, intentId);
  if (intent.status === "succeeded") return getPaymentMethod(deps, buyer, intent.payment_method_id);
  if (intent.status === "canceled" || intent.expires_at <= clock.now()) throw errors.setupIntents.ended();
  const reference = intent.reference ?? intent.id;
  await applyTestCard(deps, reference, testCard);
  const setup = await driver.findSetup(reference);
  if (setup.kind === "card") return completeSetupIntent(deps, buyer, intentId, setup.card);
  if (setup.kind === "requires_action") throw authenticationRequired(setup.url);
  if (deps.enterTestCard)
    throw errors.invalidRequest("test_card is not valid: a card is needed.", { param: "test_card" });
  throw setupIntentNotConfirmed();
}

/** Saves the card of a setup that the payment service reports as confirmed. Ignores setups that are unknown or ended. */
async function completeSetup(deps: Deps, reference: string, ip: string | null): Promise<void> {
  const { db, billingRepository, driver } = deps;
  const intent = await db
    .selectFrom("setup_intents")
    .select(["id", "organization_id", "status"])
    .where("reference", "=", reference)
    .executeTakeFirst();
  if (!intent || intent.status === "succeeded" || intent.status === "canceled") return;
  const contact = await billingRepository.findContact(intent.organization_id);
  const setup = await driver.findSetup(reference);
  if (!contact || setup.kind !== "card") return;
  const buyer = { userId: contact.userId, organizationId: intent.organization_id, credential: null, ip };
  await completeSetupIntent(deps, buyer, intent.id, setup.card);
}

function listPaymentMethods({ db }: Deps, organizationId: string): Promise<PaymentMethodRow[]> {
  return db
    .selectFrom("payment_methods")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("deleted_at", "is", null)
    .orderBy("created_at", "desc")
    .orderBy("id")
    .execute();
}

async function makeDefault(deps: Deps, buyer: Buyer, id: string): Promise<PaymentMethodRow> {
  const { db, billingRepository } = deps;
  const { organizationId } = buyer;
  return db.transaction().execute(async (trx) => {
    await billingRepository.lockAccount(organizationId, trx);
    if (!(await billingRepository.findPaymentMethod(organizationId, id, trx))) throw errors.paymentMethods.notFound();
    await chooseDefault(deps, buyer, id, trx);
    return getPaymentMethod(deps, buyer, id, trx);
  });
}

/** Makes a card the one that pays. Needs a transaction that has locked the account. */
async function chooseDefault(
  { billingRepository, audit }: Deps,
  author: Author,
  id: string,
  trx: Database,
): Promise<void> {
  await billingRepository.setDefaultCard(author.organizationId, id, trx);
  await audit.record({ ...author, action: "payment_methods.make_default", target: id }, trx);
}

/**
 * Removes a card; the newest one left becomes the default. Throws `payment_methods.needed` for the only card of a
 * paid plan.
 */
async function removePaymentMethod(deps: Deps, buyer: Buyer, id: string): Promise<void> {
  const { db, billingRepository } = deps;
  const { organizationId } = buyer;
  await db.transaction().execute(async (trx) => {
    const { subscription } = await billingRepository.lockState(organizationId, trx);
    const card = await billingRepository.findPaymentMethod(organizationId, id, trx);
    if (!card) throw errors.paymentMethods.notFound();
    const isLast = (await dropCard(deps, buyer, card, { isDetached: false }, trx)) === "last";
    if (
      isLast &&
      subscription !== null &&
      subscription.row.anchor_date !== null &&
      !subscription.row.cancel_at_period_end
    )
      throw errors.paymentMethods.needed();
  });
}

/**
 * Removes a card here; the newest one left becomes the default. `isDetached` says that the service has removed it already. Needs a
 * transaction that has locked the account.
 */
async function dropCard(
  { billingRepository, audit, clock }: Deps,
  author: Author,
  { id, is_default }: PaymentMethodRow,
  { isDetached }: { isDetached: boolean },
  trx: Database,
): Promise<"last" | "others left"> {
  const { organizationId } = author;
  const now = clock.now();
  await trx
    .updateTable("payment_methods")
    .set({ deleted_at: now, is_default: false, ...(isDetached && { detached_at: now }) })
    .where("id", "=", id)
    .execute();
  const next = await findNewestCard(organizationId, trx);
  if (next && is_default) await billingRepository.setDefaultCard(organizationId, next.id, trx);
  await audit.record({ ...author, action: "payment_methods.remove", target: id }, trx);
  return next ? "others left" : "last";
}

/** Removes the removed cards at the payment service too, once no payment with them is under way. */
async function removeAtService({ db, driver, clock, log }: Deps): Promise<void> {
  const cards = await db
    .selectFrom("payment_methods")
    .select(["id", "reference"])
    .where("deleted_at", "is not", null)
    .where("detached_at", "is", null)
    .where("driver", "=", driver.name)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("payments")
            .select("payments.id")
            .whereRef("payments.payment_method_id", "=", "payment_methods.id")
            .where("payments.status", "in", ["pending", "requires_action"]),
        ),
      ),
    )
    .limit(100)
    .execute();
  for (const { id, reference } of cards) {
    try {
      await driver.removeCard(reference);
      await db.updateTable("payment_methods").set({ detached_at: clock.now() }).where("id", "=", id).execute();
    } catch (error) {
      log.error({ err: error, payment_method_id: id }, "a card could not be removed at the payment service");
    }
  }
}

async function findNewestCard(organizationId: string, trx: Database): Promise<{ id: string } | undefined> {
  return trx
    .selectFrom("payment_methods")
    .select("id")
    .where("organization_id", "=", organizationId)
    .where("deleted_at", "is", null)
    .orderBy("created_at", "desc")
    .limit(1)
    .executeTakeFirst();
}
