import type { Database } from "../../db/connect.ts";
import type { SignedIn } from "../../http/actor.ts";
import type { Clock } from "../../shared/clock.ts";
import { type Origin, originOf } from "../audit/audit.ts";
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

/** The user who buys and the organization that pays, with the credential and IP address of the request. */
export type Buyer = { userId: string; organizationId: string } & Origin;

/** The actor as a buyer for their organization. */
export function toBuyer(actor: SignedIn): Buyer {
  return { userId: actor.userId, organizationId: actor.organizationId, ...originOf(actor) };
}

/** A request to change the plan, as the client sent it. */
export type Wish = {
  planId: string;
  quantity?: number | undefined;
  couponCode?: string | null | undefined;
  setupIntent?: string | null | undefined;
  /** False skips a possible trial; true fails when no trial is possible; undefined takes one if possible. */
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
/** A change request with its price and everything that the price depends on. */
export type Priced = {
  quoted: Quote;
  coupon: Reduction | null;
  couponIsNew: boolean;
  plan: PlanRow;
  quantity: number;
  wanted: Wanted;
};

/** Prices a change request against the current subscription. Used by previews and purchases alike. */
export function createPricing({ billing, coupons, trials, clock, taxPercent, refuseWhileOff }: Deps) {
  /** The requested plan, if it is for sale. A subscriber may keep a plan that was taken off sale. */
  async function planFor({ planId }: Wish, { live }: Standing, trx: Database): Promise<PlanRow> {
    const plan = await billing.findPlan(planId, trx);
    if (!plan || (!plan.is_public && !paysFor(planId, live))) throw noSuchPlan();
    if (plan.price_usd_cents === null) throw notForSale(plan.name);
    return plan;
  }

  /** The requested quantity. A plan that was taken off sale cannot be bought in a larger quantity. */
  function quantityOf({ quantity }: Wish, plan: PlanRow, { live }: Standing): number {
    const present = paysFor(plan.id, live) ? (live?.row.quantity ?? 1) : null;
    const requested = quantity ?? present ?? plan.min_quantity;
    if (requested < plan.min_quantity || requested > plan.max_quantity)
      throw badQuantity(plan.min_quantity, plan.max_quantity);
    if (!plan.is_public && present !== null && requested > present) throw notForSale(plan.name);
    return requested;
  }

  /** The discount of the request. The months of a new coupon count from the first invoice that it reduces. */
  async function couponFor(wish: Wish, sale: Sale, buyer: Buyer, { live }: Standing, trx: Database) {
    const there = reductionOn(live);
    const code = wish.couponCode?.trim();
    if (!code || (there && code.toUpperCase() === there.code.toUpperCase()))
      return { coupon: there, couponIsNew: false };
    const row = await coupons.usable(code, buyer.organizationId, wish.planId, trx);
    const from = firstInvoice(sale, runningOf(live), clock.now());
    return { coupon: reductionFrom(row, couponEnd(row.months, from)), couponIsNew: true };
  }

  /** Whether the change begins a trial. Throws `subscription.trial_used` when one was requested and is not possible. */
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

/** Whether the organization already pays for this plan in this quantity. */
export function isPresent({ plan, quantity }: Priced, { live }: Standing): boolean {
  return live?.row.plan_id === plan.id && live.row.quantity === quantity && live.row.anchor_date !== null;
}

/** The agreed selection if the request does not change plan or quantity, so that its price is kept; else null. */
function sameAgreed(plan: PlanRow, quantity: number, live: Standing["live"]): Wanted | null {
  return live && paysFor(plan.id, live) && live.row.quantity === quantity ? agreedTerms(live) : null;
}

function paysFor(planId: string, live: Standing["live"]): boolean {
  return live?.plan.id === planId && live.row.anchor_date !== null;
}

/** The date of the first invoice on which something that is sold now appears. */
function firstInvoice({ wanted, trial }: Sale, running: Running | null, now: Date): Date {
  if (running) return running.trialing || timingOf(running, wanted) === "period_end" ? running.periodEnd : now;
  return trial ? trialEnd(now, wanted.trialDays) : now;
}
