import type { Database } from "../../db/connect.ts";
import type { Clock } from "../../shared/clock.ts";
import { AppError } from "../../shared/errors.ts";
import type { Audit } from "../audit/audit.ts";
import type { CouponRow } from "../plans/plans.repository.ts";
import { couponRefused, couponThere, noSubscription } from "./billing.errors.ts";
import type { BillingRepository, Standing, SubscriptionRow } from "./billing.repository.ts";
import type { Coupons } from "./coupons.ts";
import { addIntervals } from "./periods.ts";
import type { Buyer } from "./pricing.ts";
import { couponEnd } from "./quote.ts";

type Deps = { db: Database; billing: BillingRepository; coupons: Coupons; audit: Audit; clock: Clock };
type Check = { coupon: CouponRow; reason: Awaited<ReturnType<Coupons["faultOf"]>> };

/** Months until the retention offer is made again to an organization that accepted it. */
const RETENTION_MONTHS = 12;

/** Applies coupons to subscriptions and removes them. A coupon takes effect with the next invoice. */
export function createSubscriptionCoupons({ db, billing, coupons, audit, clock }: Deps) {
  async function put(row: SubscriptionRow, { code, months }: CouponRow, trx: Database): Promise<void> {
    const from = row.current_period_end_date ?? clock.now(); // its months count from the next invoice
    await billing.updateSubscription(row.id, { coupon_code: code, coupon_end_date: couponEnd(months, from) }, trx);
  }

  /** The retention coupon to offer; null when none may be offered. */
  async function offerTo({ account, live }: Standing, trx: Database): Promise<CouponRow | null> {
    if (!live || live.row.anchor_date === null || live.row.coupon_code !== null) return null;
    const { retention_taken_at: taken } = account;
    if (taken !== null && addIntervals(taken, "month", RETENTION_MONTHS) > clock.now()) return null;
    const coupon = await coupons.retention(trx);
    if (!coupon || (coupon.applies_to.length > 0 && !coupon.applies_to.includes(live.plan.id))) return null;
    if (coupon.redeem_by_date !== null && coupon.redeem_by_date <= clock.now()) return null;
    return coupon.max_redemptions !== null && coupon.redemptions >= coupon.max_redemptions ? null : coupon;
  }

  /** Runs `action` on the paid subscription under a lock. Throws `subscription.none`. */
  async function change<T>(
    buyer: Buyer,
    act: (live: NonNullable<Standing["live"]>, standing: Standing, trx: Database) => Promise<T>,
  ): Promise<T> {
    return db.transaction().execute(async (trx) => {
      const standing = await billing.lock(buyer.organizationId, trx);
      if (!standing.live || standing.live.row.anchor_date === null) throw noSubscription();
      await billing.touch(buyer.organizationId, standing.account.balance_cents, trx);
      return act(standing.live, standing, trx);
    });
  }

  return {
    /** Checks whether the organization may use a coupon for a plan, by default the current one. */
    async check(organizationId: string, code: string, planId?: string): Promise<Check> {
      const coupon = await coupons.find(code);
      const live = await billing.findSubscription(organizationId);
      const wanted = planId ?? (live && live.row.anchor_date !== null ? live.plan.id : null);
      return { coupon, reason: await coupons.faultOf(coupon, organizationId, wanted) };
    },

    async apply(buyer: Buyer, code: string): Promise<void> {
      await change(buyer, async ({ row, plan }, _standing, trx) => {
        const coupon = await coupons.usable(code, buyer.organizationId, plan.id, trx);
        if (row.coupon_code !== null) throw couponThere(row.coupon_code);
        await coupons.redeem(coupon, buyer.organizationId, trx);
        await put(row, coupon, trx);
        await audit.record(
          { ...buyer, action: "subscription.apply_coupon", target: row.id, details: { code: coupon.code } },
          trx,
        );
      });
    },

    /** Removes the coupon, which stays redeemed. Throws `coupons.none`. */
    async remove(buyer: Buyer): Promise<void> {
      await change(buyer, async ({ row }, _standing, trx) => {
        if (row.coupon_code === null)
          throw new AppError(409, "coupons.none", "There is no coupon on the subscription.");
        await billing.updateSubscription(row.id, { coupon_code: null, coupon_end_date: null }, trx);
        const details = { code: row.coupon_code };
        await audit.record({ ...buyer, action: "subscription.remove_coupon", target: row.id, details }, trx);
      });
    },

    /** The coupon to offer an organization that is about to cancel; null for none. */
    retentionOffer: (organizationId: string): Promise<CouponRow | null> =>
      db.transaction().execute(async (trx) => offerTo(await billing.lock(organizationId, trx), trx)),

    /** Applies the retention coupon and withdraws a scheduled cancellation. */
    async takeRetentionOffer(buyer: Buyer): Promise<void> {
      await change(buyer, async ({ row }, standing, trx) => {
        if (row.coupon_code !== null) throw couponThere(row.coupon_code);
        const coupon = await offerTo(standing, trx);
        if (!coupon) throw standing.account.retention_taken_at === null ? couponRefused("ended") : offerTaken();
        await coupons.redeem(coupon, buyer.organizationId, trx, true);
        await put(row, coupon, trx);
        await billing.updateSubscription(row.id, { cancel_at_period_end: false }, trx);
        await trx
          .updateTable("billing_accounts")
          .set({ retention_taken_at: clock.now() })
          .where("organization_id", "=", buyer.organizationId)
          .execute();
        const details = { code: coupon.code };
        await audit.record({ ...buyer, action: "subscription.take_retention_offer", target: row.id, details }, trx);
      });
    },
  };
}

function offerTaken(): AppError {
  return new AppError(409, "coupons.retention_taken", "The offer can be taken once in twelve months.");
}
