import type { Database } from "../../db/connect.ts";
import type { Clock } from "../../shared/clock.ts";
import type { PlanRow } from "../plans/plans.repository.ts";
import { badQuantity, noSuchPlan, notForSale, trialUsed } from "./billing.errors.ts";
import { type BillingRepository, reductionFrom, reductionOn, runningOf, type Standing } from "./billing.repository.ts";
import type { Coupons } from "./coupons.ts";
import {
  couponEnd,
  type Quote,
  quote,
  type Reduction,
  type Running,
  timingOf,
  trialEnd,
  type Wanted,
} from "./quote.ts";
import { agreedTerms, wantedOf } from "./terms.ts";
import type { Trials } from "./trials.ts";

/** Who buys, for which organization. */
export type Buyer = { userId: string; organizationId: string };

export type Wish = {
  planId: string;
  quantity?: number | undefined;
  couponCode?: string | null | undefined;
  setupIntent?: string | null | undefined;
  /** False pays at once although a trial is possible; true buys only with one. */
  trial?: boolean | undefined;
};

type Deps = {
  billing: BillingRepository;
  coupons: Coupons;
  trials: Trials;
  clock: Clock;
  taxPercent: number;
  /** Throws `payments_off` where nothing is sold. */
  refuseWhileOff(): void;
};

type Sale = { wanted: Wanted; trial: boolean };
export type Priced = {
  quoted: Quote;
  coupon: Reduction | null;
  couponIsNew: boolean;
  plan: PlanRow;
  quantity: number;
  wanted: Wanted;
};

/** What a wish would cost those who are where they are. The one reckoning for previews and purchases. */
export function createPricing({ billing, coupons, trials, clock, taxPercent, refuseWhileOff }: Deps) {
  /** The plan a wish names, if it is for sale. Who pays for one that was taken off sale may keep it. */
  async function planFor({ planId }: Wish, { live }: Standing, trx: Database): Promise<PlanRow> {
    const plan = await billing.plan(planId, trx);
    if (!plan || (!plan.is_public && !paysFor(planId, live))) throw noSuchPlan();
    if (plan.price_usd_cents === null) throw notForSale(plan.name);
    return plan;
  }

  /** A plan that was taken off sale is kept in the quantity there is, or less. */
  function quantityOf({ quantity }: Wish, plan: PlanRow, { live }: Standing): number {
    const present = paysFor(plan.id, live) ? (live?.row.quantity ?? 1) : null;
    const wanted = quantity ?? present ?? plan.min_quantity;
    if (wanted < plan.min_quantity || wanted > plan.max_quantity)
      throw badQuantity(plan.min_quantity, plan.max_quantity);
    if (!plan.is_public && present !== null && wanted > present) throw notForSale(plan.name);
    return wanted;
  }

  /** The months of a new coupon begin with the first invoice that it reduces. */
  async function couponFor(wish: Wish, sale: Sale, buyer: Buyer, { live }: Standing, trx: Database) {
    const there = reductionOn(live);
    const code = wish.couponCode?.trim();
    if (!code || (there && code.toUpperCase() === there.code.toUpperCase()))
      return { coupon: there, couponIsNew: false };
    const row = await coupons.usable(code, buyer.organizationId, wish.planId, trx);
    const from = firstInvoice(sale, runningOf(live), clock.now());
    return { coupon: reductionFrom(row, couponEnd(row.months, from)), couponIsNew: true };
  }

  /** Who asks for a trial by name and cannot have it is told, and not charged instead. */
  async function trialFor({ trial }: Wish, plan: PlanRow, buyer: Buyer, { live }: Standing, trx: Database) {
    if (trial === false || plan.trial_days === 0 || runningOf(live) !== null) return false;
    const isEligible = await trials.eligible(buyer.userId, buyer.organizationId, trx);
    if (trial === true && !isEligible) throw trialUsed();
    return isEligible;
  }

  return async function price(wish: Wish, buyer: Buyer, standing: Standing, trx: Database): Promise<Priced> {
    refuseWhileOff();
    const plan = await planFor(wish, standing, trx);
    const { live } = standing;
    const quantity = quantityOf(wish, plan, standing);
    const trial = await trialFor(wish, plan, buyer, standing, trx);
    const wanted = sameAgreed(plan, quantity, live) ?? wantedOf(plan, quantity);
    const { coupon, couponIsNew } = await couponFor(wish, { wanted, trial }, buyer, standing, trx);
    const quoted = quote({
      now: clock.now(),
      running: runningOf(live),
      wanted,
      coupon,
      couponIsNew,
      balanceCents: standing.account.balance_cents,
      trial,
      taxPercent,
    });
    return { quoted, coupon, couponIsNew, plan, quantity, wanted };
  };
}

export type Price = ReturnType<typeof createPricing>;

/** Whether an organization pays for just this already. */
export function isPresent({ plan, quantity }: Priced, { live }: Standing): boolean {
  return live?.row.plan_id === plan.id && live.row.quantity === quantity && live.row.anchor_date !== null;
}

/** Who asks for what they have keeps its price. */
function sameAgreed(plan: PlanRow, quantity: number, live: Standing["live"]): Wanted | null {
  return live && paysFor(plan.id, live) && live.row.quantity === quantity ? agreedTerms(live) : null;
}

function paysFor(planId: string, live: Standing["live"]): boolean {
  return live?.plan.id === planId && live.row.anchor_date !== null;
}

/** When the first invoice is written on which something that is sold now stands. */
function firstInvoice({ wanted, trial }: Sale, running: Running | null, now: Date): Date {
  if (running) return running.trialing || timingOf(running, wanted) === "period_end" ? running.periodEnd : now;
  return trial ? trialEnd(now, wanted.trialDays) : now;
}
