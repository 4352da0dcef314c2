import { randomBytes } from "node:crypto";
import type { Insertable, Selectable } from "kysely";
import type { Audit } from "../../../platform/core/audit.ts";
import { bind } from "../../../platform/core/bind.ts";
import type { Clock } from "../../../platform/core/clock.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import type { PaymentMethods, SetupIntents } from "../../../platform/core/db/schema.generated.ts";
import { errors } from "../../../platform/core/errors/index.ts";
import type { Ids } from "../../../platform/core/ids.ts";
import { createSecret, hashSecret, type RandomBytes } from "../../../platform/core/secrets/secrets.ts";
import { DAY_MS } from "../../../platform/core/time.ts";
import { authenticationRequired, cardDeclined } from "../billing.errors.ts";
import type { BillingRepository } from "../billing.repository.ts";
import type { PaymentMethodRow } from "../billing-rows.ts";
import type { Buyer } from "../buyer.ts";
import { cardSchema } from "../stored.schemas.ts";
import type { Card, PaymentDriver } from "./payment-driver.ts";

type SetupIntentRow = Selectable<SetupIntents>;
/** A new setup intent with the secret that the payment form needs. */
export type NewSetupIntent = { id: string; clientSecret: string };

type Deps = {
  db: Database;
  billingRepository: BillingRepository;
  driver: PaymentDriver;
  audit: Audit;
  clock: Clock;
  ids: Ids;
  /** Returns the address of the page where buyers confirm with their bank; `token` is a secret. */
  pageUrl(token: string): string;
  /** Throws `payments.off` while payments are switched off. */
  refuseWhilePaymentsOff(): void;
  random?: RandomBytes;
};

const SETUP_INTENT_LIFETIME_MS = DAY_MS;
const UNFINISHED_STATUSES = ["requires_payment_method", "requires_action"] as const;

/** Manages the cards of organizations. A card is added with a setup intent, which keeps it until the bank approves. */
export function createPaymentMethods(deps: Deps) {
  return bind(deps, {
    saveCard,
    findAwaitingAuthentication,
    addCard,
    createSetupIntent,
    confirm: confirmPaymentMethod,
    authenticate: authenticateCard,
    list: listPaymentMethods,
    makeDefault,
    remove: removePaymentMethod,
  });
}

export type PaymentMethodUseCases = ReturnType<typeof createPaymentMethods>;

/** Saves a card; the first one is the default. Needs a transaction that has locked the account. */
async function saveCard(deps: Deps, buyer: Buyer, card: Card, trx: Database): Promise<PaymentMethodRow> {
  const { billingRepository, driver, audit, clock, ids } = deps;
  const { organizationId } = buyer;
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
  await audit.record({ ...buyer, action: "payment_methods.add", target: row.id }, trx);
  return row;
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
      .set({ status: "succeeded", payment_method_id: row.id, card: null, authentication_hash: null })
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

/** Throws `payments.authentication_required` with a new page to confirm at; earlier pages stop working. */
async function requireAuthentication(deps: Deps, intentId: string, card: Card | null): Promise<never> {
  const { db, pageUrl, random = randomBytes } = deps;
  const token = createSecret("one", random);
  await db
    .updateTable("setup_intents")
    .set({
      status: "requires_action",
      authentication_hash: hashSecret(token),
      ...(card && { card: JSON.stringify(card) }),
    })
    .where("id", "=", intentId)
    .where("status", "in", UNFINISHED_STATUSES)
    .execute();
  throw authenticationRequired(pageUrl(token));
}

/** Returns the setup intent that waits for confirmation at this page. */
async function findAwaitingAuthentication(deps: Deps, token: string): Promise<SetupIntentRow | undefined> {
  const { db, clock } = deps;
  return db
    .selectFrom("setup_intents")
    .selectAll()
    .where("authentication_hash", "=", hashSecret(token))
    .where("status", "=", "requires_action")
    .where("expires_at", ">", clock.now())
    .executeTakeFirst();
}

/** Saves a card that the bank approved. */
function addCard(deps: Deps, buyer: Buyer, card: Card): Promise<PaymentMethodRow> {
  return deps.db.transaction().execute(async (trx) => {
    await deps.billingRepository.lockAccount(buyer.organizationId, trx);
    return saveCard(deps, buyer, card, trx);
  });
}

async function createSetupIntent(
  { db, driver, clock, ids, refuseWhilePaymentsOff, random = randomBytes }: Deps,
  { organizationId }: Buyer,
): Promise<NewSetupIntent> {
  refuseWhilePaymentsOff();
  const intent = { id: ids.next("seti"), clientSecret: createSecret("one", random) };
  const now = clock.now();
  await db
    .insertInto("setup_intents")
    .values({
      id: intent.id,
      organization_id: organizationId,
      client_secret_hash: hashSecret(intent.clientSecret),
      status: "requires_payment_method",
      is_test: driver.isTest,
      created_at: now,
      expires_at: new Date(now.getTime() + SETUP_INTENT_LIFETIME_MS),
    })
    .execute();
  return intent;
}

/**
 * Confirms a setup intent with what the payment form sent, and returns the saved card. Repeated calls return the
 * same.
 */
async function confirmPaymentMethod(
  deps: Deps,
  buyer: Buyer,
  intentId: string,
  input: string | null,
): Promise<PaymentMethodRow> {
  const { driver, clock, refuseWhilePaymentsOff } = deps;
  refuseWhilePaymentsOff();
  const intent = await getSetupIntent(deps, buyer, intentId);
  if (intent.status === "succeeded") return getPaymentMethod(deps, buyer, intent.payment_method_id);
  if (intent.status === "canceled" || intent.expires_at <= clock.now()) throw errors.setupIntents.ended();
  if (input === null && intent.status === "requires_action") return requireAuthentication(deps, intentId, null);
  if (input === null) throw errors.invalidRequest("test_card is not valid: a card is needed.", { param: "test_card" });
  const outcome = await driver.setUp(input);
  if (outcome.kind === "declined") throw cardDeclined(outcome.code);
  if (outcome.kind === "requires_action") return requireAuthentication(deps, intentId, outcome.card);
  return completeSetupIntent(deps, buyer, intentId, outcome.card);
}

/**
 * Stores whether the buyer confirmed the card. If not, the intent needs another card. Returns false when the page
 * expired.
 */
async function authenticateCard(deps: Deps, token: string, approved: boolean, ip: string): Promise<boolean> {
  const { db, billingRepository } = deps;
  const intent = await findAwaitingAuthentication(deps, token);
  if (!intent?.card) return false;
  const contact = await billingRepository.findContact(intent.organization_id);
  if (approved && contact) {
    const { organization_id: organizationId } = intent;
    const buyer = { userId: contact.userId, organizationId, credential: null, ip };
    await completeSetupIntent(deps, buyer, intent.id, cardSchema.parse(intent.card));
    return true;
  }
  const updated = await db
    .updateTable("setup_intents")
    .set({ status: "requires_payment_method", card: null, authentication_hash: null })
    .where("id", "=", intent.id)
    .where("authentication_hash", "=", hashSecret(token))
    .executeTakeFirst();
  return updated.numUpdatedRows > 0n;
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
  const { db, billingRepository, audit } = deps;
  const { organizationId } = buyer;
  return db.transaction().execute(async (trx) => {
    await billingRepository.lockAccount(organizationId, trx);
    if (!(await billingRepository.findPaymentMethod(organizationId, id, trx))) throw errors.paymentMethods.notFound();
    await billingRepository.setDefaultCard(organizationId, id, trx);
    await audit.record({ ...buyer, action: "payment_methods.make_default", target: id }, trx);
    return getPaymentMethod(deps, buyer, id, trx);
  });
}

/**
 * Removes a card; the newest one left becomes the default. Throws `payment_methods.needed` for the only card of a
 * paid plan.
 */
async function removePaymentMethod(
  { db, billingRepository, audit, clock }: Deps,
  buyer: Buyer,
  id: string,
): Promise<void> {
  const { organizationId } = buyer;
  await db.transaction().execute(async (trx) => {
    const { subscription } = await billingRepository.lockState(organizationId, trx);
    const card = await billingRepository.findPaymentMethod(organizationId, id, trx);
    if (!card) throw errors.paymentMethods.notFound();
    await trx
      .updateTable("payment_methods")
      .set({ deleted_at: clock.now(), is_default: false })
      .where("id", "=", id)
      .execute();
    const next = await findNewestCard(organizationId, trx);
    if (
      !next &&
      subscription !== null &&
      subscription.row.anchor_date !== null &&
      !subscription.row.cancel_at_period_end
    )
      throw errors.paymentMethods.needed();
    if (next && card.is_default) await billingRepository.setDefaultCard(organizationId, next.id, trx);
    await audit.record({ ...buyer, action: "payment_methods.remove", target: id }, trx);
  });
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
