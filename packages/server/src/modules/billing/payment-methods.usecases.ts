import { randomBytes } from "node:crypto";
import type { Insertable, Selectable } from "kysely";
import type { Clock } from "../../core/clock.ts";
import type { Database } from "../../core/db/connect.ts";
import type { PaymentMethods, SetupIntents } from "../../core/db/schema.generated.ts";
import { errors } from "../../core/errors/index.ts";
import type { Ids } from "../../core/ids.ts";
import { createSecret, hashSecret, type RandomBytes } from "../../core/secrets.ts";
import { DAY_MS } from "../../core/time.ts";
import type { Audit } from "../audit/audit.ts";
import { authenticationRequired, cardDeclined } from "./billing.errors.ts";
import type { BillingRepository, PaymentMethodRow } from "./billing.repository.ts";
import type { Card, PaymentDriver } from "./payment-driver.ts";
import type { Buyer } from "./pricing.ts";

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
  /** The page where buyers confirm with their bank; `token` is a secret. */
  pageUrl(token: string): string;
  /** Throws `payments.off` where nothing is sold. */
  refuseWhilePaymentsOff(): void;
  random?: RandomBytes;
};

const SETUP_INTENT_LIFETIME_MS = DAY_MS;
const UNFINISHED_STATUSES = ["requires_payment_method", "requires_action"] as const;

/** Manages the cards of organizations. A card is added with a setup intent, which keeps it until the bank approves. */
export function createPaymentMethods(deps: Deps) {
  const {
    db,
    billingRepository,
    driver,
    audit,
    clock,
    ids,
    pageUrl,
    refuseWhilePaymentsOff,
    random = randomBytes,
  } = deps;

  /** Saves a card; the first one is the default. Needs a transaction that has locked the account. */
  async function saveCard(buyer: Buyer, card: Card, trx: Database): Promise<PaymentMethodRow> {
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

  async function getSetupIntent({ organizationId }: Buyer, id: string, trx: Database = db): Promise<SetupIntentRow> {
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
  async function completeSetupIntent(buyer: Buyer, intentId: string, card: Card): Promise<PaymentMethodRow> {
    return db.transaction().execute(async (trx) => {
      await billingRepository.lockAccount(buyer.organizationId, trx);
      const { status, payment_method_id } = await getSetupIntent(buyer, intentId, trx);
      if (status === "succeeded") return getPaymentMethod(buyer, payment_method_id, trx);
      const row = await saveCard(buyer, card, trx);
      await trx
        .updateTable("setup_intents")
        .set({ status: "succeeded", payment_method_id: row.id, card: null, authentication_hash: null })
        .where("id", "=", intentId)
        .execute();
      return row;
    });
  }

  async function getPaymentMethod(
    { organizationId }: Buyer,
    id: string | null,
    trx: Database = db,
  ): Promise<PaymentMethodRow> {
    const card = id === null ? undefined : await billingRepository.findPaymentMethod(organizationId, id, trx);
    if (!card) throw errors.setupIntents.ended();
    return card;
  }

  /** Throws `payments.authentication_required` with a new page to confirm at; earlier pages stop working. */
  async function requireAuthentication(intentId: string, card: Card | null): Promise<never> {
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

  /** The setup intent that waits for confirmation at this page. */
  async function findAwaitingAuthentication(token: string): Promise<SetupIntentRow | undefined> {
    return db
      .selectFrom("setup_intents")
      .selectAll()
      .where("authentication_hash", "=", hashSecret(token))
      .where("status", "=", "requires_action")
      .where("expires_at", ">", clock.now())
      .executeTakeFirst();
  }

  return {
    saveCard,
    findAwaitingAuthentication,

    /** Saves a card that the bank approved. */
    addCard: (buyer: Buyer, card: Card): Promise<PaymentMethodRow> =>
      db.transaction().execute(async (trx) => {
        await billingRepository.lockAccount(buyer.organizationId, trx);
        return saveCard(buyer, card, trx);
      }),

    async createSetupIntent({ organizationId }: Buyer): Promise<NewSetupIntent> {
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
    },

    /**
     * Confirms a setup intent with what the payment form sent, and returns the saved card. Repeated calls return the
     * same.
     */
    async confirm(buyer: Buyer, intentId: string, input: string | null): Promise<PaymentMethodRow> {
      refuseWhilePaymentsOff();
      const intent = await getSetupIntent(buyer, intentId);
      if (intent.status === "succeeded") return getPaymentMethod(buyer, intent.payment_method_id);
      if (intent.status === "canceled" || intent.expires_at <= clock.now()) throw errors.setupIntents.ended();
      if (input === null && intent.status === "requires_action") return requireAuthentication(intentId, null);
      if (input === null)
        throw errors.invalidRequest("test_card is not valid: a card is needed.", { param: "test_card" });
      const outcome = await driver.setUp(input);
      if (outcome.kind === "declined") throw cardDeclined(outcome.code);
      if (outcome.kind === "requires_action") return requireAuthentication(intentId, outcome.card);
      return completeSetupIntent(buyer, intentId, outcome.card);
    },

    /**
     * Stores whether the buyer confirmed the card. If not, the intent needs another card. Returns false when the page
     * expired.
     */
    async authenticate(token: string, approved: boolean, ip: string): Promise<boolean> {
      const intent = await findAwaitingAuthentication(token);
      if (!intent?.card) return false;
      const contact = await billingRepository.findContact(intent.organization_id);
      if (approved && contact) {
        const { organization_id: organizationId } = intent;
        const buyer = { userId: contact.userId, organizationId, credential: null, ip };
        await completeSetupIntent(buyer, intent.id, intent.card as unknown as Card);
        return true;
      }
      const updated = await db
        .updateTable("setup_intents")
        .set({ status: "requires_payment_method", card: null, authentication_hash: null })
        .where("id", "=", intent.id)
        .where("authentication_hash", "=", hashSecret(token))
        .executeTakeFirst();
      return updated.numUpdatedRows > 0n;
    },

    list: (organizationId: string): Promise<PaymentMethodRow[]> =>
      db
        .selectFrom("payment_methods")
        .selectAll()
        .where("organization_id", "=", organizationId)
        .where("deleted_at", "is", null)
        .orderBy("created_at", "desc")
        .orderBy("id")
        .execute(),

    async makeDefault(buyer: Buyer, id: string): Promise<PaymentMethodRow> {
      const { organizationId } = buyer;
      return db.transaction().execute(async (trx) => {
        await billingRepository.lockAccount(organizationId, trx);
        if (!(await billingRepository.findPaymentMethod(organizationId, id, trx)))
          throw errors.paymentMethods.notFound();
        await billingRepository.setDefaultCard(organizationId, id, trx);
        await audit.record({ ...buyer, action: "payment_methods.make_default", target: id }, trx);
        return getPaymentMethod(buyer, id, trx);
      });
    },

    /**
     * Removes a card; the newest one left becomes the default. Throws `payment_methods.needed` for the only card of a
     * paid plan.
     */
    async remove(buyer: Buyer, id: string): Promise<void> {
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
    },
  };
}

export type PaymentMethodUseCases = ReturnType<typeof createPaymentMethods>;

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
