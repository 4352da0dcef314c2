import { randomBytes } from "node:crypto";
import type { Selectable } from "kysely";
import { bind } from "../../../platform/core/bind.ts";
import type { Clock } from "../../../platform/core/clock.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import type { CheckoutSessions } from "../../../platform/core/db/schema.generated.ts";
import { AppError, errors } from "../../../platform/core/errors/index.ts";
import type { Ids } from "../../../platform/core/ids.ts";
import { createSecret, hashSecret, type RandomBytes } from "../../../platform/core/secrets/secrets.ts";
import { HOUR_MS } from "../../../platform/core/time.ts";
import type { Card } from "../../payment-services/index.ts";
import type { BillingRepository } from "../billing.repository.ts";
import type { PaymentMethodRow } from "../billing-rows.ts";
import type { Buyer } from "../buyer.ts";
import type { PaymentMethodUseCases } from "../payments/payment-methods.usecases.ts";
import type { ChangeRequest } from "../subscriptions/pricing.ts";
import type { SubscriptionUseCases } from "../subscriptions/subscriptions.usecases.ts";

/** A row of the table of checkout sessions. */
export type CheckoutSessionRow = Selectable<CheckoutSessions>;

type Deps = {
  db: Database;
  billingRepository: BillingRepository;
  subscriptions: SubscriptionUseCases;
  paymentMethods: PaymentMethodUseCases;
  clock: Clock;
  ids: Ids;
  random?: RandomBytes;
};

const SESSION_LIFETIME_MS = HOUR_MS;

/** Checkout sessions: pages where a plan is bought. Each buys once and expires after an hour. */
export function createCheckout(deps: Deps) {
  return bind(deps, {
    createSession,
    findSession,
    quotePurchase,
    buy: buyPlan,
  });
}

export type Checkout = ReturnType<typeof createCheckout>;

/**
 * Returns the user who opened the page. There is no credential: the page's secret URL stands for one. `ip` is the payer's
 * address.
 */
function toBuyer({ user_id, organization_id }: CheckoutSessionRow, ip: string | null = null): Buyer {
  return {
    userId: user_id,
    organizationId: organization_id,
    credential: null,
    ip,
  };
}

function toChangeRequest({ plan_id, quantity, trial, currency }: CheckoutSessionRow): ChangeRequest {
  return {
    planId: plan_id,
    quantity,
    currency: currency ?? undefined,
    ...(!trial && { trial: false }),
  };
}

/** Marks a session as completed. Of concurrent calls one succeeds; the others throw `test_payments.ended`. */
async function claimSession(deps: Deps, { id }: CheckoutSessionRow): Promise<void> {
  const { db, clock } = deps;
  const now = clock.now();
  const claimed = await db
    .updateTable("checkout_sessions")
    .set({ completed_at: now })
    .where("id", "=", id)
    .where("completed_at", "is", null)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  if (claimed.numUpdatedRows === 0n) throw errors.testPayments.ended();
}

async function reopenSession(deps: Deps, { id }: CheckoutSessionRow, trial: boolean): Promise<void> {
  const { db } = deps;
  await db.updateTable("checkout_sessions").set({ completed_at: null, trial }).where("id", "=", id).execute();
}

/** Saves a card as the default. Returns it with the previous default. */
async function saveDefaultCard(deps: Deps, buyer: Buyer, card: Card) {
  const { db, billingRepository, paymentMethods } = deps;
  return db.transaction().execute(async (trx) => {
    await billingRepository.lockAccount(buyer.organizationId, trx);
    const previousDefault = await billingRepository.findDefaultCard(buyer.organizationId, trx);
    const paymentMethod = await paymentMethods.saveCard(buyer, card, trx);
    await billingRepository.setDefaultCard(buyer.organizationId, paymentMethod.id, trx);
    return { paymentMethod, previousDefault };
  });
}

/** Removes a card whose purchase failed and restores the previous default. */
async function removeCard(
  deps: Deps,
  buyer: Buyer,
  card: PaymentMethodRow,
  previousDefault: PaymentMethodRow | undefined,
): Promise<void> {
  const { db, billingRepository, clock } = deps;
  await db.transaction().execute(async (trx) => {
    await billingRepository.lockAccount(buyer.organizationId, trx);
    await trx
      .updateTable("payment_methods")
      .set({ deleted_at: clock.now(), is_default: false })
      .where("id", "=", card.id)
      .execute();
    if (previousDefault && (await billingRepository.findPaymentMethod(buyer.organizationId, previousDefault.id, trx)))
      await billingRepository.setDefaultCard(buyer.organizationId, previousDefault.id, trx);
  });
}

async function startsTrial({ subscriptions }: Deps, session: CheckoutSessionRow): Promise<boolean> {
  return (await subscriptions.quotePurchase(toBuyer(session), toChangeRequest(session))).quote.cycle.trialEnd !== null;
}

/** Creates a session and returns its secret token. Throws when the plan cannot be bought. */
async function createSession(
  { db, subscriptions, clock, ids, random = randomBytes }: Deps,
  buyer: Buyer,
  changeRequest: ChangeRequest,
): Promise<string> {
  const { plan, quantity, rate } = await subscriptions.quotePurchase(buyer, changeRequest);
  const token = createSecret("one", random);
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
      currency: rate.currency,
      created_at: now,
      expires_at: new Date(now.getTime() + SESSION_LIFETIME_MS),
    })
    .execute();
  return token;
}

function findSession({ db, clock }: Deps, token: string): Promise<CheckoutSessionRow | undefined> {
  return db
    .selectFrom("checkout_sessions")
    .selectAll()
    .where("secret_hash", "=", hashSecret(token))
    .where("completed_at", "is", null)
    .where("expires_at", ">", clock.now())
    .executeTakeFirst();
}

/** Quotes what the session sells at the current price. */
function quotePurchase({ subscriptions }: Deps, session: CheckoutSessionRow) {
  return subscriptions.quotePurchase(toBuyer(session), toChangeRequest(session));
}

/**
 * Buys with a card. On failure the session stays open for another attempt, unless the bank asks for confirmation.
 */
async function buyPlan(deps: Deps, session: CheckoutSessionRow, card: Card, ip: string): Promise<void> {
  const { subscriptions } = deps;
  const buyer = toBuyer(session, ip);
  const promisedTrial = await startsTrial(deps, session);
  await claimSession(deps, session);
  const { paymentMethod, previousDefault } = await saveDefaultCard(deps, buyer, card);
  try {
    // The page was quoted without a card. If the card makes the trial impossible, do not charge instead.
    if (promisedTrial && !(await startsTrial(deps, session))) throw errors.subscription.trialUsed();
    await subscriptions.change(buyer, toChangeRequest(session), `checkout:${session.id}`);
  } catch (error) {
    const code = error instanceof AppError ? error.code : null;
    if (code === "payments.authentication_required") throw error;
    await removeCard(deps, buyer, paymentMethod, previousDefault);
    await reopenSession(deps, session, session.trial && code !== "subscription.trial_used");
    throw error;
  }
}
