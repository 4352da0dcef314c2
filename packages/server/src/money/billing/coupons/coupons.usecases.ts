import { bind } from "../../../platform/core/bind.ts";
import type { Clock } from "../../../platform/core/clock.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import { errors } from "../../../platform/core/errors/index.ts";
import type { CouponRow } from "../../plans/index.ts";
import { type CouponRejection, couponRejected } from "../billing.errors.ts";

type Context = { db: Database; clock: Clock };

/** Finds, checks and redeems coupons for buyers. Codes match in any letter case. */
export function createCoupons(db: Database, clock: Clock) {
  const context: Context = { db, clock };
  return {
    ...bind(context, {
      find: findCoupon,
      findRejection,
      getUsable,
      redeem: redeemCoupon,
      findRetentionCoupon,
    }),
    isRedeemed: hasRedeemed,
    releaseRedemption,
  };
}

export type Coupons = ReturnType<typeof createCoupons>;

/**
 * Returns a coupon by its code, except retention coupons, which cannot be redeemed by code. Throws
 * `coupons.not_found`.
 */
async function findCoupon(context: Context, code: string, trx: Database = context.db): Promise<CouponRow> {
  const row = await trx
    .selectFrom("coupons")
    .selectAll()
    .where((eb) => eb(eb.fn("upper", ["code"]), "=", code.toUpperCase()))
    .where("is_retention", "=", false)
    .executeTakeFirst();
  if (!row) throw errors.coupons.notFound();
  return row;
}

/**
 * Returns the reason why an organization cannot use a coupon now, or null. Skips the check of the plan if `planId` is null.
 */
async function findRejection(
  context: Context,
  coupon: CouponRow,
  organizationId: string,
  planId: string | null,
  trx: Database = context.db,
): Promise<CouponRejection | null> {
  const { clock } = context;
  if (coupon.ended_at !== null) return "ended";
  if (coupon.redeem_by_date !== null && coupon.redeem_by_date <= clock.now()) return "expired";
  if (await hasRedeemed(organizationId, coupon.code, trx)) return "already_used";
  if (coupon.max_redemptions !== null && coupon.redemptions >= coupon.max_redemptions) return "used_up";
  if (planId !== null && coupon.applies_to.length > 0 && !coupon.applies_to.includes(planId)) return "not_for_plan";
  return null;
}

/** Returns the coupon if the organization may use it for the plan; else throws `coupons.<reason>`. */
async function getUsable(
  context: Context,
  code: string,
  organizationId: string,
  planId: string,
  trx: Database = context.db,
): Promise<CouponRow> {
  const coupon = await findCoupon(context, code, trx);
  const rejection = await findRejection(context, coupon, organizationId, planId, trx);
  if (rejection) throw couponRejected(rejection);
  return coupon;
}

/** Redeems a coupon atomically, once per organization unless `allowRepeat` is set. Throws `coupons.<reason>`. */
async function redeemCoupon(
  { clock }: Context,
  coupon: CouponRow,
  organizationId: string,
  trx: Database,
  allowRepeat = false,
): Promise<void> {
  const now = clock.now();
  const updated = await trx
    .updateTable("coupons")
    .set((eb) => ({ redemptions: eb("redemptions", "+", 1) }))
    .where("code", "=", coupon.code)
    .where("ended_at", "is", null)
    .where((eb) => eb.or([eb("max_redemptions", "is", null), eb("redemptions", "<", eb.ref("max_redemptions"))]))
    .where((eb) => eb.or([eb("redeem_by_date", "is", null), eb("redeem_by_date", ">", now)]))
    .executeTakeFirst();
  if (updated.numUpdatedRows === 0n) throw couponRejected("used_up");
  const inserted = await trx
    .insertInto("coupon_redemptions")
    .values({ coupon_code: coupon.code, organization_id: organizationId, redeemed_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (inserted.numInsertedOrUpdatedRows === 0n && !allowRepeat) throw couponRejected("already_used");
}

/** Undoes a redemption after a purchase that failed. */
async function releaseRedemption(code: string, organizationId: string, trx: Database): Promise<void> {
  const deleted = await trx
    .deleteFrom("coupon_redemptions")
    .where("coupon_code", "=", code)
    .where("organization_id", "=", organizationId)
    .executeTakeFirst();
  if (deleted.numDeletedRows > 0n)
    await trx
      .updateTable("coupons")
      .set((eb) => ({ redemptions: eb("redemptions", "-", 1) }))
      .where("code", "=", code)
      .execute();
}

/** Returns the coupon that is offered to organizations that cancel, if there is one. */
function findRetentionCoupon({ db }: Context, trx: Database = db): Promise<CouponRow | undefined> {
  return trx
    .selectFrom("coupons")
    .selectAll()
    .where("is_retention", "=", true)
    .where("ended_at", "is", null)
    .executeTakeFirst();
}

async function hasRedeemed(organizationId: string, code: string, trx: Database): Promise<boolean> {
  const row = await trx
    .selectFrom("coupon_redemptions")
    .select("coupon_code")
    .where("coupon_code", "=", code)
    .where("organization_id", "=", organizationId)
    .executeTakeFirst();
  return row !== undefined;
}
