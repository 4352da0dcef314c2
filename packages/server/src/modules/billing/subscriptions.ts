import type { Database } from "../../db/connect.ts";
import type { Clock } from "../../shared/clock.ts";
import type { Ids } from "../../shared/ids.ts";
import type { Audit } from "../audit/audit.ts";
import { isPaidPlan, type PlanRow } from "../plans/plans.repository.ts";
import {
  changeInProgress,
  freePlanIsNotSold,
  paymentDue,
  paymentMethodRequired,
  setupNotDone,
  unchanged,
} from "./billing.errors.ts";
import { type BillingRepository, type PaymentMethodRow, runningOf, type Standing } from "./billing.repository.ts";
import type { Coupons } from "./coupons.ts";
import type { Endings } from "./endings.ts";
import type { PaymentDesk, PaymentRow } from "./payment-desk.ts";
import { type Buyer, isPresent, type Price, type Priced, type Wish } from "./pricing.ts";
import type { Purchase, Purchases } from "./purchases.ts";
import type { Quote, Reduction } from "./quote.ts";
import type { Trials } from "./trials.ts";

type Deps = {
  db: Database;
  billing: BillingRepository;
  coupons: Coupons;
  trials: Trials;
  price: Price;
  purchases: Purchases;
  endings: Endings;
  desk: PaymentDesk;
  audit: Audit;
  clock: Clock;
  ids: Ids;
  forgetPlan(organizationId: string): void;
};

/** Quotes and makes changes of plan. */
export function createSubscriptions(deps: Deps) {
  const { db, billing, coupons, trials, price, purchases, endings, desk, audit, clock, ids, forgetPlan } = deps;

  /**
   * The card that pays: the confirmed card of the setup intent, which becomes the default, or else the default card.
   */
  async function cardFor(wish: Wish, { organizationId }: Buyer, trx: Database): Promise<PaymentMethodRow | null> {
    if (!wish.setupIntent) return (await billing.defaultCard(organizationId, trx)) ?? null;
    const intent = await trx
      .selectFrom("setup_intents")
      .select("payment_method_id")
      .where("id", "=", wish.setupIntent)
      .where("organization_id", "=", organizationId)
      .executeTakeFirst();
    const card =
      intent?.payment_method_id && (await billing.paymentMethod(organizationId, intent.payment_method_id, trx));
    if (!card) throw setupNotDone();
    await billing.makeDefault(organizationId, card.id, trx);
    return card;
  }

  /** Schedules the change for the end of the period. */
  async function schedule(priced: Priced, buyer: Buyer, { account, live }: Standing, trx: Database): Promise<void> {
    if (!live) throw new Error("There is no subscription to change later.");
    const { coupon, couponIsNew, plan, quantity, wanted } = priced;
    if (coupon && couponIsNew) await useCoupon(coupon, buyer, trx);
    await billing.updateSubscription(
      live.row.id,
      {
        pending_plan_id: plan.id,
        pending_quantity: quantity,
        pending_price_cents: wanted.priceCents,
        pending_billing_interval: wanted.interval,
        cancel_at_period_end: false,
        ...(couponIsNew && { coupon_code: coupon?.code ?? null, coupon_end_date: coupon?.endsAt ?? null }),
      },
      trx,
    );
    await billing.touch(buyer.organizationId, account.balance_cents, trx);
    await note(buyer, "subscription.schedule_change", live.row.id, { plan_id: plan.id, quantity }, trx);
  }

  async function useCoupon({ code }: Reduction, { organizationId }: Buyer, trx: Database): Promise<void> {
    await coupons.redeem(await billing.getCoupon(code, trx), organizationId, trx);
  }

  async function buy(
    wish: Wish,
    priced: Priced,
    buyer: Buyer,
    standing: Standing,
    call: string | undefined,
    trx: Database,
  ) {
    const { quoted, coupon, couponIsNew } = priced;
    const card = await cardFor(wish, buyer, trx);
    const isTrial = quoted.terms.trialEnd !== null;
    if (!card && (quoted.bill.totalCents > 0 || quoted.next.totalCents > 0 || isTrial)) throw paymentMethodRequired();
    if (coupon && couponIsNew) await useCoupon(coupon, buyer, trx);
    const purchase = purchaseOf(priced, buyer, standing, clock.now());
    if (quoted.bill.totalCents === 0) {
      const { subscriptionId } = await purchases.carryOut(purchase, buyer.organizationId, standing, trx);
      if (isTrial && card && runningOf(standing.live) === null)
        await trials.begin(buyer.userId, subscriptionId, card.fingerprint, trx);
      return null;
    }
    const payment = await desk.begin(
      {
        id: ids.next("pay"),
        organization_id: buyer.organizationId,
        purpose: "change",
        amount_cents: quoted.bill.totalCents,
        payment_method_id: card?.id ?? null,
        idempotency_id: call ?? null,
        purchase: JSON.stringify(purchase),
      },
      trx,
    );
    if (!payment) throw changeInProgress();
    return payment;
  }

  /** Cancels a payment that waits for its buyer, so that a new change can begin. Throws while one is being charged. */
  async function clearTheWay({ organizationId }: Buyer): Promise<void> {
    const open = await openChange(organizationId);
    if (open?.status === "requires_action") await desk.cancel(open);
    else if (open) throw changeInProgress();
  }

  async function openChange(organizationId: string): Promise<PaymentRow | undefined> {
    return db
      .selectFrom("payments")
      .selectAll()
      .where("organization_id", "=", organizationId)
      .where("purpose", "=", "change")
      .where("status", "in", ["pending", "requires_action"])
      .executeTakeFirst();
  }

  async function decide(wish: Wish, buyer: Buyer, call: string | undefined, trx: Database): Promise<PaymentRow | null> {
    const standing = await billing.lock(buyer.organizationId, trx);
    const { live } = standing;
    if (await billing.hasOpenInvoice(buyer.organizationId, trx)) throw paymentDue();
    if (!isPaidPlan(wish.planId)) {
      if (!live) throw unchanged();
      await endings.cancelLater(buyer, standing, trx);
      return null;
    }
    const priced = await price(wish, buyer, standing, trx);
    if (isPresent(priced, standing)) {
      await endings.takeBack(buyer, standing, unchanged(), trx);
      return null;
    }
    if (priced.quoted.timing === "period_end") {
      await schedule(priced, buyer, standing, trx);
      return null;
    }
    return buy(wish, priced, buyer, standing, call, trx);
  }

  async function note(buyer: Buyer, action: string, target: string, details: object, trx: Database): Promise<void> {
    await audit.record({ ...buyer, action, target, details: { ...details } }, trx);
  }

  return {
    /** Quotes a change of plan without making it; null for a change to the free plan. */
    async preview(buyer: Buyer, wish: Wish): Promise<Quote | null> {
      if (!isPaidPlan(wish.planId)) return null;
      return db.transaction().execute(async (trx) => {
        const standing = await billing.lock(buyer.organizationId, trx);
        return (await price(wish, buyer, standing, trx)).quoted;
      });
    },

    /** Quotes a purchase; throws when the plan cannot be bought now. */
    async offer(buyer: Buyer, wish: Wish): Promise<{ quoted: Quote; plan: PlanRow; quantity: number }> {
      if (!isPaidPlan(wish.planId)) throw freePlanIsNotSold();
      return db.transaction().execute(async (trx) => {
        const standing = await billing.lock(buyer.organizationId, trx);
        if (await billing.hasOpenInvoice(buyer.organizationId, trx)) throw paymentDue();
        const priced = await price(wish, buyer, standing, trx);
        if (isPresent(priced, standing)) throw unchanged();
        return priced;
      });
    },

    /** Changes the plan. Throws when the payment fails; the subscription then stays as it is. */
    async change(buyer: Buyer, wish: Wish, call?: string): Promise<void> {
      const before = call === undefined ? undefined : await desk.ofCall(call, "change");
      if (before) {
        await desk.collect(before);
        return;
      }
      await clearTheWay(buyer);
      const payment = await db.transaction().execute((trx) => decide(wish, buyer, call, trx));
      if (payment) await desk.collect(payment);
      forgetPlan(buyer.organizationId);
    },
  };
}

export type SubscriptionUseCases = ReturnType<typeof createSubscriptions>;

function purchaseOf(priced: Priced, buyer: Buyer, { account, live }: Standing, now: Date): Purchase {
  const { quoted, coupon, couponIsNew, plan } = priced;
  const { anchor, periodIndex, period, trialEnd } = quoted.terms;
  return {
    userId: buyer.userId,
    origin: { credential: buyer.credential, ip: buyer.ip },
    subscriptionId: live?.row.id ?? null,
    version: account.version,
    wanted: priced.wanted,
    planVersion: plan.version,
    bill: quoted.bill,
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
      spent: quoted.couponSpent,
    },
  };
}
