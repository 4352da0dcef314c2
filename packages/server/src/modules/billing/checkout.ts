import { randomBytes } from "node:crypto";
import type { Selectable } from "kysely";
import type { Database } from "../../db/connect.ts";
import type { CheckoutSessions } from "../../db/schema.generated.ts";
import type { Clock } from "../../shared/clock.ts";
import { AppError } from "../../shared/errors.ts";
import type { Ids } from "../../shared/ids.ts";
import { hashSecret, newSecret, type RandomBytes } from "../../shared/secrets.ts";
import { pageEnded, trialUsed } from "./billing.errors.ts";
import type { BillingRepository, PaymentMethodRow } from "./billing.repository.ts";
import type { PaymentMethodUseCases } from "./payment-methods.ts";
import type { Card } from "./payments.ts";
import type { Buyer, Wish } from "./pricing.ts";
import type { SubscriptionUseCases } from "./subscriptions.ts";

/** A row of the table of checkout sessions. */
export type CheckoutRow = Selectable<CheckoutSessions>;

type Deps = {
  db: Database;
  billing: BillingRepository;
  subscriptions: SubscriptionUseCases;
  paymentMethods: PaymentMethodUseCases;
  clock: Clock;
  ids: Ids;
  random?: RandomBytes;
};

const LIFETIME = 3_600_000;

/** Checkout sessions: pages where a plan is bought. Each buys once and expires after an hour. */
export function createCheckout({ db, billing, subscriptions, paymentMethods, clock, ids, random = randomBytes }: Deps) {
  /** The user who opened the page. There is no credential: the page's secret URL stands for one. `ip` is the payer's address. */
  const buyerOf = ({ user_id, organization_id }: CheckoutRow, ip: string | null = null): Buyer => ({
    userId: user_id,
    organizationId: organization_id,
    credential: null,
    ip,
  });
  const wishOf = ({ plan_id, quantity, trial }: CheckoutRow): Wish => ({
    planId: plan_id,
    quantity,
    ...(!trial && { trial: false }),
  });

  /** Marks a session as completed. Of concurrent calls one succeeds; the others throw `test_payments.ended`. */
  async function claim({ id }: CheckoutRow): Promise<void> {
    const now = clock.now();
    const claimed = await db
      .updateTable("checkout_sessions")
      .set({ completed_at: now })
      .where("id", "=", id)
      .where("completed_at", "is", null)
      .where("expires_at", ">", now)
      .executeTakeFirst();
    if (claimed.numUpdatedRows === 0n) throw pageEnded();
  }

  async function release({ id }: CheckoutRow, trial: boolean): Promise<void> {
    await db.updateTable("checkout_sessions").set({ completed_at: null, trial }).where("id", "=", id).execute();
  }

  /** Saves a card as the default. Returns it with the previous default. */
  async function keep(buyer: Buyer, card: Card) {
    return db.transaction().execute(async (trx) => {
      await billing.lockAccount(buyer.organizationId, trx);
      const before = await billing.defaultCard(buyer.organizationId, trx);
      const row = await paymentMethods.keep(buyer, card, trx);
      await billing.makeDefault(buyer.organizationId, row.id, trx);
      return { row, before };
    });
  }

  /** Removes a card whose purchase failed and restores the previous default. */
  async function forget(buyer: Buyer, card: PaymentMethodRow, before: PaymentMethodRow | undefined): Promise<void> {
    await db.transaction().execute(async (trx) => {
      await billing.lockAccount(buyer.organizationId, trx);
      await trx
        .updateTable("payment_methods")
        .set({ deleted_at: clock.now(), is_default: false })
        .where("id", "=", card.id)
        .execute();
      if (before && (await billing.paymentMethod(buyer.organizationId, before.id, trx)))
        await billing.makeDefault(buyer.organizationId, before.id, trx);
    });
  }

  const isTrial = async (session: CheckoutRow): Promise<boolean> =>
    (await subscriptions.offer(buyerOf(session), wishOf(session))).quoted.terms.trialEnd !== null;

  return {
    /** Creates a session and returns its secret token. Throws when the plan cannot be bought. */
    async begin(buyer: Buyer, wish: Wish): Promise<string> {
      const { plan, quantity } = await subscriptions.offer(buyer, wish);
      const token = newSecret("one", random);
      const now = clock.now();
      await db
        .insertInto("checkout_sessions")
        .values({
          id: ids.next("cs"),
          secret_hash: hashSecret(token),
          organization_id: buyer.organizationId,
          user_id: buyer.userId,
          plan_id: plan.id,
          quantity,
          created_at: now,
          expires_at: new Date(now.getTime() + LIFETIME),
        })
        .execute();
      return token;
    },

    find: (token: string): Promise<CheckoutRow | undefined> =>
      db
        .selectFrom("checkout_sessions")
        .selectAll()
        .where("secret_hash", "=", hashSecret(token))
        .where("completed_at", "is", null)
        .where("expires_at", ">", clock.now())
        .executeTakeFirst(),

    /** Quotes what the session sells at the current price. */
    offer: (session: CheckoutRow) => subscriptions.offer(buyerOf(session), wishOf(session)),

    /**
     * Buys with a card. On failure the session stays open for another attempt, unless the bank asks for confirmation.
     */
    async buy(session: CheckoutRow, card: Card, ip: string): Promise<void> {
      const buyer = buyerOf(session, ip);
      const showedTrial = await isTrial(session);
      await claim(session);
      const { row, before } = await keep(buyer, card);
      try {
        // The page was quoted without a card. If the card makes the trial impossible, do not charge instead.
        if (showedTrial && !(await isTrial(session))) throw trialUsed();
        await subscriptions.change(buyer, wishOf(session), `checkout:${session.id}`);
      } catch (error) {
        const code = error instanceof AppError ? error.code : null;
        if (code === "authentication_required") throw error;
        await forget(buyer, row, before);
        await release(session, session.trial && code !== "subscription.trial_used");
        throw error;
      }
    },
  };
}

export type Checkout = ReturnType<typeof createCheckout>;
