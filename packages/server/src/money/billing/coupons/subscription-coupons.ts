import type { Audit } from "../../../platform/core/audit.ts";
import { bind } from "../../../platform/core/bind.ts";
import type { Clock } from "../../../platform/core/clock.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import { errors } from "../../../platform/core/errors/index.ts";
import type { CouponRow } from "../../plans/index.ts";
import { addIntervals, couponEndDate } from "../../quotes/index.ts";
import { couponRejected } from "../billing.errors.ts";
import type { BillingRepository } from "../billing.repository.ts";
import type { BillingState, SubscriptionRow } from "../billing-rows.ts";
import type { Buyer } from "../buyer.ts";
import type { Coupons } from "./coupons.usecases.ts";

type Deps = { db: Database; billingRepository: BillingRepository; coupons: Coupons; audit: Audit; clock: Clock };
type CouponCheck = { coupon: CouponRow; reason: Awaited<ReturnType<Coupons["findRejection"]>> };

/** After an organization accepted the retention offer, it is not offered again for this many months. */
const RETENTION_MONTHS = 12;

/** Applies coupons to subscriptions and removes them. A coupon takes effect with the next invoice. */
export function createSubscriptionCoupons(deps: Deps) {
  return bind(deps, {
    check: checkCoupon,
    apply: applyCoupon,
    remove: removeSubscriptionCoupon,
    retentionOffer,
    acceptRetentionOffer,
  });
}

async function attachCoupon(
  deps: Deps,
  row: SubscriptionRow,
  { code, months }: CouponRow,
  trx: Database,
): Promise<void> {
  const { billingRepository, clock } = deps;
  const startDate = row.current_period_end_date ?? clock.now(); // its months count from the next invoice
  await billingRepository.updateSubscription(
    row.id,
    { coupon_code: code, coupon_end_date: couponEndDate(months, startDate) },
    trx,
  );
}

/** Returns the retention coupon to offer; null when none may be offered. */
async function findRetentionOffer(
  deps: Deps,
  { account, subscription }: BillingState,
  trx: Database,
): Promise<CouponRow | null> {
  const { coupons, clock } = deps;
  if (!subscription || subscription.row.anchor_date === null || subscription.row.coupon_code !== null) return null;
  const { retention_taken_at: takenAt } = account;
  if (takenAt !== null && addIntervals(takenAt, "month", RETENTION_MONTHS) > clock.now()) return null;
  const coupon = await coupons.findRetentionCoupon(trx);
  if (!coupon || (coupon.applies_to.length > 0 && !coupon.applies_to.includes(subscription.plan.id))) return null;
  if (coupon.redeem_by_date !== null && coupon.redeem_by_date <= clock.now()) return null;
  return coupon.max_redemptions !== null && coupon.redemptions >= coupon.max_redemptions ? null : coupon;
}

/** Runs `action` on the paid subscription under a lock. Throws `subscription.none`. */
async function withPaidSubscription<T>(
  deps: Deps,
  buyer: Buyer,
  action: (
    subscription: NonNullable<BillingState["subscription"]>,
    billingState: BillingState,
    trx: Database,
  ) => Promise<T>,
): Promise<T> {
  const { db, billingRepository } = deps;
  return db.transaction().execute(async (trx) => {
    const billingState = await billingRepository.lockState(buyer.organizationId, trx);
    if (!billingState.subscription || billingState.subscription.row.anchor_date === null)
      throw errors.subscription.none();
    await billingRepository.bumpVersion(buyer.organizationId, billingState.account.balance_cents, trx);
    return action(billingState.subscription, billingState, trx);
  });
}

/** Checks whether the organization may use a coupon for a plan, by default the current one. */
async function checkCoupon(
  { billingRepository, coupons }: Deps,
  organizationId: string,
  code: string,
  planId?: string,
): Promise<CouponCheck> {
  const coupon = await coupons.find(code);
  const subscription = await billingRepository.findSubscription(organizationId);
  const checkedPlanId = planId ?? (subscription && subscription.row.anchor_date !== null ? subscription.plan.id : null);
  return { coupon, reason: await coupons.findRejection(coupon, organizationId, checkedPlanId) };
}

async function applyCoupon(deps: Deps, buyer: Buyer, code: string): Promise<void> {
  const { coupons, audit } = deps;
  await withPaidSubscription(deps, buyer, async ({ row, plan }, _standing, trx) => {
    const coupon = await coupons.getUsable(code, buyer.organizationId, plan.id, trx);
    if (row.coupon_code !== null) throw errors.coupons.oneAtATime({ coupon: row.coupon_code });
    await coupons.redeem(coupon, buyer.organizationId, trx);
    await attachCoupon(deps, row, coupon, trx);
    await audit.record(
      { ...buyer, action: "subscription.apply_coupon", target: row.id, details: { code: coupon.code } },
      trx,
    );
  });
}

/** Removes the coupon, which stays redeemed. Throws `coupons.none`. */
async function removeSubscriptionCoupon(deps: Deps, buyer: Buyer): Promise<void> {
  const { billingRepository, audit } = deps;
  await withPaidSubscription(deps, buyer, async ({ row }, _standing, trx) => {
    if (row.coupon_code === null) throw errors.coupons.none();
    await billingRepository.updateSubscription(row.id, { coupon_code: null, coupon_end_date: null }, trx);
    const details = { code: row.coupon_code };
    await audit.record({ ...buyer, action: "subscription.remove_coupon", target: row.id, details }, trx);
  });
}

/** Returns the coupon to offer an organization that is about to cancel; null for none. */
function retentionOffer(deps: Deps, organizationId: string): Promise<CouponRow | null> {
  return deps.db
    .transaction()
    .execute(async (trx) => findRetentionOffer(deps, await deps.billingRepository.lockState(organizationId, trx), trx));
}

/** Applies the retention coupon and withdraws a scheduled cancellation. */
async function acceptRetentionOffer(deps: Deps, buyer: Buyer): Promise<void> {
  const { billingRepository, coupons, audit, clock } = deps;
  await withPaidSubscription(deps, buyer, async ({ row }, billingState, trx) => {
    if (row.coupon_code !== null) throw errors.coupons.oneAtATime({ coupon: row.coupon_code });
    const coupon = await findRetentionOffer(deps, billingState, trx);
    if (!coupon)
      throw billingState.account.retention_taken_at === null
        ? couponRejected("ended")
        : errors.coupons.retentionTaken();
    await coupons.redeem(coupon, buyer.organizationId, trx, true);
    await attachCoupon(deps, row, coupon, trx);
    await billingRepository.updateSubscription(row.id, { cancel_at_period_end: false }, trx);
    await trx
      .updateTable("billing_accounts")
      .set({ retention_taken_at: clock.now() })
      .where("organization_id", "=", buyer.organizationId)
      .execute();
    const details = { code: coupon.code };
    await audit.record({ ...buyer, action: "subscription.take_retention_offer", target: row.id, details }, trx);
  });
}
