import type { Clock } from "../../../platform/core/clock.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import { errors } from "../../../platform/core/errors/index.ts";
import { type CurrencyRate, stepOf } from "../../currencies/index.ts";
import type { PlanRow } from "../../plans/index.ts";
import {
  type ActiveSubscription,
  couponEndDate,
  type Discount,
  type PlanSelection,
  type Quote,
  quoteChange,
  timingOf,
  trialEnd,
} from "../../quotes/index.ts";
import type { Taxes } from "../../taxes/index.ts";
import { amountTooSmall, invalidQuantity } from "../billing.errors.ts";
import { activeSubscriptionOf, type BillingRepository, discountOf, toDiscount } from "../billing.repository.ts";
import type { BillingState } from "../billing-rows.ts";
import type { Buyer } from "../buyer.ts";
import type { Coupons } from "../coupons/coupons.usecases.ts";
import { isTooSmall, waiveSmallTotal } from "../invoices/small-amounts.ts";
import { agreedSelection, toPlanSelection } from "../plan-selection.ts";
import type { Trials } from "./trials.ts";

/** A request to change the plan, as the client sent it. */
export type ChangeRequest = {
  planId: string;
  quantity?: number | undefined;
  couponCode?: string | null | undefined;
  setupIntent?: string | null | undefined;
  /** False never starts a trial; true fails if no trial is possible; undefined starts one if possible. */
  trial?: boolean | undefined;
  /** The currency of the price that the client saw, if it says so. */
  currency?: string | undefined;
};

type Deps = {
  billingRepository: BillingRepository;
  coupons: Coupons;
  trials: Trials;
  clock: Clock;
  taxes: Taxes;
  minChargeCents: MinChargeCents;
  /** Throws `payments.off` while payments are switched off. */
  refuseWhilePaymentsOff(): void;
};

/** Returns the smallest amount that a card can be charged in a currency, in its minor units. */
export type MinChargeCents = (rate: CurrencyRate) => number;

type PlannedSale = { selection: PlanSelection; trial: boolean };
/** A change request with its price and everything that the price depends on. */
export type PricedChange = {
  quote: Quote;
  coupon: Discount | null;
  couponIsNew: boolean;
  plan: PlanRow;
  quantity: number;
  selection: PlanSelection;
  rate: CurrencyRate;
};

/** Prices a change request against the current subscription. Used by previews and purchases alike. */
export function createPricing(deps: Deps) {
  const { billingRepository, coupons, trials, clock, taxes, minChargeCents, refuseWhilePaymentsOff } = deps;
  /** Returns the requested plan, if it is for sale. A subscriber may keep a plan that was taken off sale. */
  async function findSellablePlan(
    { planId }: ChangeRequest,
    { subscription }: BillingState,
    trx: Database,
  ): Promise<PlanRow> {
    const plan = await billingRepository.findPlan(planId, trx);
    if (!plan || (!plan.is_public && !isPaidPlanOf(planId, subscription))) throw errors.plans.notFound();
    if (plan.price_usd_cents === null) throw errors.plans.contactUs({ plan: plan.name });
    return plan;
  }

  /** Returns the requested quantity. A plan that was taken off sale cannot be bought in a larger quantity. */
  function resolveQuantity({ quantity }: ChangeRequest, plan: PlanRow, { subscription }: BillingState): number {
    const currentQuantity = isPaidPlanOf(plan.id, subscription) ? (subscription?.row.quantity ?? 1) : null;
    const requested = quantity ?? currentQuantity ?? plan.min_quantity;
    if (requested < plan.min_quantity || requested > plan.max_quantity)
      throw invalidQuantity(plan.min_quantity, plan.max_quantity);
    if (!plan.is_public && currentQuantity !== null && requested > currentQuantity)
      throw errors.plans.contactUs({ plan: plan.name });
    return requested;
  }

  /** Returns the discount of the request. The months of a new coupon count from the first invoice that it reduces. */
  async function resolveCoupon(
    changeRequest: ChangeRequest,
    plannedSale: PlannedSale,
    buyer: Buyer,
    { subscription, rate }: BillingState,
    trx: Database,
  ) {
    const currentDiscount = discountOf(subscription);
    const code = changeRequest.couponCode?.trim();
    if (!code || (currentDiscount && code.toUpperCase() === currentDiscount.code.toUpperCase()))
      return { coupon: currentDiscount, couponIsNew: false };
    const row = await coupons.getUsable(code, buyer.organizationId, changeRequest.planId, trx);
    const startDate = firstInvoiceDate(plannedSale, activeSubscriptionOf(subscription), clock.now());
    return { coupon: toDiscount(row, couponEndDate(row.months, startDate), rate), couponIsNew: true };
  }

  return async function quotePlanChange(
    changeRequest: ChangeRequest,
    buyer: Buyer,
    billingState: BillingState,
    trx: Database,
  ): Promise<PricedChange> {
    refuseWhilePaymentsOff();
    const plan = await findSellablePlan(changeRequest, billingState, trx);
    const { subscription, rate } = billingState;
    refuseOtherCurrency(changeRequest.currency, rate);
    const quantity = resolveQuantity(changeRequest, plan, billingState);
    const trial = await resolveTrial(trials, changeRequest, plan, buyer, billingState, trx);
    const selection = agreedIfUnchanged(plan, quantity, subscription) ?? toPlanSelection(plan, quantity, rate);
    const { coupon, couponIsNew } = await resolveCoupon(changeRequest, { selection, trial }, buyer, billingState, trx);
    const { taxOf } = await taxes.findTaxation(buyer.organizationId, rate.currency, trx);
    const fullQuote = quoteChange({
      now: clock.now(),
      active: activeSubscriptionOf(subscription),
      selection,
      coupon,
      couponIsNew,
      balanceCents: billingState.account.balance_cents,
      trial,
      taxOf,
      step: stepOf(rate.currency),
    });
    const quote = waiveSmallTotals(fullQuote, selection, minChargeCents(rate), rate.currency);
    return { quote, coupon, couponIsNew, plan, quantity, selection, rate };
  };
}

export type QuotePlanChange = ReturnType<typeof createPricing>;

/**
 * Waives what is too small to be charged, now and with the next invoice. Throws `payments.amount_too_small` for a plan that
 * comes with credits, since each change to it would bring credits that nobody pays for.
 */
function waiveSmallTotals(quote: Quote, { metered }: PlanSelection, minChargeCents: number, currency: string): Quote {
  const { draft, nextInvoice } = quote;
  if (metered && isTooSmall(draft.totalCents, minChargeCents))
    throw amountTooSmall(draft.totalCents, minChargeCents, currency);
  const isNextTooSmall = isTooSmall(nextInvoice.totalCents, minChargeCents);
  return {
    ...quote,
    draft: waiveSmallTotal(draft, minChargeCents, currency),
    nextInvoice: { ...nextInvoice, totalCents: isNextTooSmall ? 0 : nextInvoice.totalCents },
  };
}

/** Throws `subscription.currency_changed` where a price was shown in another currency than the organization pays in. */
export function refuseOtherCurrency(shown: string | undefined, { currency }: CurrencyRate): void {
  if (shown !== undefined && shown !== currency) throw errors.subscription.currencyChanged({ currency });
}

/** Returns whether the change begins a trial. Throws `subscription.trial_used` when one was requested and is not possible. */
async function resolveTrial(
  trials: Trials,
  { trial }: ChangeRequest,
  plan: PlanRow,
  buyer: Buyer,
  { subscription }: BillingState,
  trx: Database,
) {
  if (trial === false || plan.trial_days === 0 || activeSubscriptionOf(subscription) !== null) return false;
  const isEligible = await trials.isEligible(buyer.userId, buyer.organizationId, trx);
  if (trial === true && !isEligible) throw errors.subscription.trialUsed();
  return isEligible;
}

/** Returns whether the organization already pays for this plan in this quantity. */
export function isCurrentPlan({ plan, quantity }: PricedChange, { subscription }: BillingState): boolean {
  return (
    subscription?.row.plan_id === plan.id &&
    subscription.row.quantity === quantity &&
    subscription.row.anchor_date !== null
  );
}

/** Returns the agreed selection if the request does not change plan or quantity, so that its price is kept; else null. */
function agreedIfUnchanged(
  plan: PlanRow,
  quantity: number,
  subscription: BillingState["subscription"],
): PlanSelection | null {
  return subscription && isPaidPlanOf(plan.id, subscription) && subscription.row.quantity === quantity
    ? agreedSelection(subscription)
    : null;
}

function isPaidPlanOf(planId: string, subscription: BillingState["subscription"]): boolean {
  return subscription?.plan.id === planId && subscription.row.anchor_date !== null;
}

/** Returns the date of the first invoice on which something that is sold now appears. */
function firstInvoiceDate({ selection, trial }: PlannedSale, active: ActiveSubscription | null, now: Date): Date {
  if (active) return active.trialing || timingOf(active, selection) === "period_end" ? active.periodEnd : now;
  return trial ? trialEnd(now, selection.trialDays) : now;
}
