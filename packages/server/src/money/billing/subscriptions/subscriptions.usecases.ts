import type { Audit } from "../../../platform/core/audit.ts";
import { bind } from "../../../platform/core/bind.ts";
import type { Clock } from "../../../platform/core/clock.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import { errors } from "../../../platform/core/errors/index.ts";
import type { Ids } from "../../../platform/core/ids.ts";
import type { CurrencyRate } from "../../currencies/index.ts";
import { isPaidPlan, type PlanRow } from "../../plans/index.ts";
import type { Discount, Quote } from "../../quotes/index.ts";
import type { Taxes } from "../../taxes/index.ts";
import { setupIntentNotConfirmed } from "../billing.errors.ts";
import { activeSubscriptionOf, type BillingRepository } from "../billing.repository.ts";
import type { BillingState, PaymentMethodRow } from "../billing-rows.ts";
import type { Buyer } from "../buyer.ts";
import type { Coupons } from "../coupons/coupons.usecases.ts";
import type { PaymentRow, PaymentUseCases } from "../payments/payments.usecases.ts";
import { type Purchase, toStoredPurchase } from "../stored.schemas.ts";
import type { Cancellation } from "./cancellation.ts";
import { refuseWhileMarketplaceCollects } from "./marketplace-accounts.ts";
import { type ChangeRequest, isCurrentPlan, type PricedChange, type QuotePlanChange } from "./pricing.ts";
import type { Purchases } from "./purchases.ts";
import type { Trials } from "./trials.ts";

type Deps = {
  db: Database;
  billingRepository: BillingRepository;
  coupons: Coupons;
  trials: Trials;
  quotePlanChange: QuotePlanChange;
  purchases: Purchases;
  cancellation: Cancellation;
  payments: PaymentUseCases;
  audit: Audit;
  clock: Clock;
  ids: Ids;
  taxes: Taxes;
  invalidatePlan(organizationId: string): void;
};

/** Quotes and makes changes of plan. */
export function createSubscriptions(deps: Deps) {
  return bind(deps, {
    preview: previewSubscription,
    quotePurchase,
    change: changeSubscription,
  });
}

export type SubscriptionUseCases = ReturnType<typeof createSubscriptions>;

/**
 * Returns the card that pays: the confirmed card of the setup intent, which becomes the default, or else the default card.
 */
async function resolveCard(
  deps: Deps,
  changeRequest: ChangeRequest,
  { organizationId }: Buyer,
  trx: Database,
): Promise<PaymentMethodRow | null> {
  const { billingRepository } = deps;
  if (!changeRequest.setupIntent) return (await billingRepository.findDefaultCard(organizationId, trx)) ?? null;
  const intent = await trx
    .selectFrom("setup_intents")
    .select("payment_method_id")
    .where("id", "=", changeRequest.setupIntent)
    .where("organization_id", "=", organizationId)
    .executeTakeFirst();
  const card =
    intent?.payment_method_id &&
    (await billingRepository.findPaymentMethod(organizationId, intent.payment_method_id, trx));
  if (!card) throw setupIntentNotConfirmed();
  await billingRepository.setDefaultCard(organizationId, card.id, trx);
  return card;
}

/** Schedules the change for the end of the period. */
async function scheduleChange(
  deps: Deps,
  pricedChange: PricedChange,
  buyer: Buyer,
  { account, subscription }: BillingState,
  trx: Database,
): Promise<void> {
  const { billingRepository } = deps;
  if (!subscription) throw new Error("There is no subscription to change later.");
  const { coupon, couponIsNew, plan, quantity, selection } = pricedChange;
  if (coupon && couponIsNew) await redeemCoupon(deps, coupon, buyer, trx);
  await billingRepository.updateSubscription(
    subscription.row.id,
    {
      pending_plan_id: plan.id,
      pending_quantity: quantity,
      pending_price_cents: selection.priceCents,
      pending_billing_interval: selection.interval,
      cancel_at_period_end: false,
      ...(couponIsNew && { coupon_code: coupon?.code ?? null, coupon_end_date: coupon?.endsAt ?? null }),
    },
    trx,
  );
  await billingRepository.bumpVersion(buyer.organizationId, account.balance_cents, trx);
  await recordAudit(
    deps,
    buyer,
    "subscription.schedule_change",
    subscription.row.id,
    { plan_id: plan.id, quantity },
    trx,
  );
}

async function redeemCoupon(deps: Deps, { code }: Discount, { organizationId }: Buyer, trx: Database): Promise<void> {
  const { billingRepository, coupons } = deps;
  await coupons.redeem(await billingRepository.getCoupon(code, trx), organizationId, trx);
}

async function purchaseNow(
  deps: Deps,
  changeRequest: ChangeRequest,
  pricedChange: PricedChange,
  buyer: Buyer,
  billingState: BillingState,
  idempotencyId: string | undefined,
  trx: Database,
) {
  const { trials, purchases, payments, taxes, clock, ids } = deps;
  const { quote, coupon, couponIsNew } = pricedChange;
  const card = await resolveCard(deps, changeRequest, buyer, trx);
  const isTrial = quote.cycle.trialEnd !== null;
  if (billingState.subscription) await refuseWhileMarketplaceCollects(billingState.subscription.row, trx);
  if (!card && (quote.draft.totalCents > 0 || quote.nextInvoice.totalCents > 0 || isTrial))
    throw errors.paymentMethods.required("Add a card first.");
  if (coupon && couponIsNew) await redeemCoupon(deps, coupon, buyer, trx);
  const purchase = toPurchase(pricedChange, buyer, billingState, clock.now());
  if (quote.draft.totalCents === 0) {
    const { subscriptionId } = await purchases.fulfill(
      purchase,
      buyer.organizationId,
      billingState,
      pricedChange.rate,
      trx,
    );
    if (isTrial && card && activeSubscriptionOf(billingState.subscription) === null)
      await trials.recordTrial(buyer.userId, subscriptionId, card.fingerprint, trx);
    return null;
  }
  await taxes.claim(quote.draft, trx);
  const payment = await payments.create(
    {
      id: ids.next("pay"),
      organization_id: buyer.organizationId,
      purpose: "change",
      amount_cents: quote.draft.totalCents,
      ...pricedChange.rate,
      payment_method_id: card?.id ?? null,
      idempotency_id: idempotencyId ?? null,
      purchase: toStoredPurchase(purchase),
    },
    trx,
  );
  if (!payment) throw errors.subscription.changeInProgress();
  return payment;
}

/** Cancels a payment that waits for its buyer, so that a new change can begin. Throws while one is being charged. */
async function cancelUnconfirmedPayment(deps: Deps, { organizationId }: Buyer): Promise<void> {
  const { payments } = deps;
  const openPayment = await findOpenPayment(deps, organizationId);
  if (openPayment?.status === "requires_action") await payments.cancel(openPayment);
  else if (openPayment) throw errors.subscription.changeInProgress();
}

async function findOpenPayment(deps: Deps, organizationId: string): Promise<PaymentRow | undefined> {
  const { db } = deps;
  return db
    .selectFrom("payments")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("purpose", "=", "change")
    .where("status", "in", ["pending", "requires_action"])
    .executeTakeFirst();
}

async function applyChange(
  deps: Deps,
  changeRequest: ChangeRequest,
  buyer: Buyer,
  idempotencyId: string | undefined,
  trx: Database,
): Promise<PaymentRow | null> {
  const { billingRepository, quotePlanChange, cancellation } = deps;
  const billingState = await billingRepository.lockState(buyer.organizationId, trx);
  const { subscription } = billingState;
  if (await billingRepository.hasOpenInvoice(buyer.organizationId, trx)) throw errors.subscription.paymentDue();
  if (!isPaidPlan(changeRequest.planId)) {
    if (!subscription) throw errors.subscription.unchanged();
    await cancellation.cancelSubscription(buyer, billingState, trx);
    return null;
  }
  const pricedChange = await quotePlanChange(changeRequest, buyer, billingState, trx);
  if (isCurrentPlan(pricedChange, billingState)) {
    await cancellation.undoCancellation(buyer, billingState, errors.subscription.unchanged(), trx);
    return null;
  }
  if (pricedChange.quote.timing === "period_end") {
    await scheduleChange(deps, pricedChange, buyer, billingState, trx);
    return null;
  }
  return purchaseNow(deps, changeRequest, pricedChange, buyer, billingState, idempotencyId, trx);
}

async function recordAudit(
  deps: Deps,
  buyer: Buyer,
  action: string,
  target: string,
  details: object,
  trx: Database,
): Promise<void> {
  const { audit } = deps;
  await audit.record({ ...buyer, action, target, details: { ...details } }, trx);
}

/** Quotes a change of plan without making it, in the currency of the organization; null for a change to the free plan. */
async function previewSubscription(
  { taxes, billingRepository, quotePlanChange }: Deps,
  buyer: Buyer,
  changeRequest: ChangeRequest,
): Promise<{ quote: Quote | null; currency: string }> {
  return taxes.transact(async (trx) => {
    const billingState = await billingRepository.lockState(buyer.organizationId, trx);
    const { currency } = billingState.rate;
    if (!isPaidPlan(changeRequest.planId)) return { quote: null, currency };
    return { quote: (await quotePlanChange(changeRequest, buyer, billingState, trx)).quote, currency };
  });
}

/** Quotes a purchase; throws when the plan cannot be bought now. */
async function quotePurchase(
  { taxes, billingRepository, quotePlanChange }: Deps,
  buyer: Buyer,
  changeRequest: ChangeRequest,
): Promise<{ quote: Quote; plan: PlanRow; quantity: number; rate: CurrencyRate }> {
  if (!isPaidPlan(changeRequest.planId)) throw errors.subscription.freePlan();
  return taxes.transact(async (trx) => {
    const billingState = await billingRepository.lockState(buyer.organizationId, trx);
    if (await billingRepository.hasOpenInvoice(buyer.organizationId, trx)) throw errors.subscription.paymentDue();
    const pricedChange = await quotePlanChange(changeRequest, buyer, billingState, trx);
    if (isCurrentPlan(pricedChange, billingState)) throw errors.subscription.unchanged();
    return pricedChange;
  });
}

/** Changes the plan. Throws when the payment fails; the subscription then stays as it is. */
async function changeSubscription(
  deps: Deps,
  buyer: Buyer,
  changeRequest: ChangeRequest,
  idempotencyId?: string,
): Promise<void> {
  const { payments, taxes, invalidatePlan } = deps;
  const earlierPayment =
    idempotencyId === undefined ? undefined : await payments.findByIdempotencyId(idempotencyId, "change");
  if (earlierPayment) {
    await payments.collect(earlierPayment);
    return;
  }
  await cancelUnconfirmedPayment(deps, buyer);
  const payment = await taxes.transact((trx) => applyChange(deps, changeRequest, buyer, idempotencyId, trx));
  if (payment) await payments.collect(payment);
  invalidatePlan(buyer.organizationId);
}

function toPurchase(
  pricedChange: PricedChange,
  buyer: Buyer,
  { account, subscription }: BillingState,
  now: Date,
): Purchase {
  const { quote, coupon, couponIsNew, plan } = pricedChange;
  const { anchor, periodIndex, period, trialEnd } = quote.cycle;
  return {
    userId: buyer.userId,
    origin: { credential: buyer.credential, ip: buyer.ip },
    subscriptionId: subscription?.row.id ?? null,
    version: account.version,
    selection: pricedChange.selection,
    planVersion: plan.version,
    draft: quote.draft,
    at: now.toISOString(),
    anchor: anchor.toISOString(),
    periodIndex,
    periodStart: period.start.toISOString(),
    periodEnd: period.end.toISOString(),
    trialEnd: trialEnd?.toISOString() ?? null,
    coupon: coupon && {
      code: coupon.code,
      endsAt: coupon.endsAt?.toISOString() ?? null,
      isNew: couponIsNew,
      spent: quote.couponSpent,
    },
  };
}
