import type { Selectable } from "kysely";
import type { Database } from "../../db/connect.ts";
import type { Coupons, Plans } from "../../db/schema.generated.ts";

export const FREE_PLAN = "feather_lite";
export const ADMIN_PLAN = "feather_max";

export type PlanRow = Selectable<Plans>;

/** Whether a plan counts as a paid one: all but the free plan do, whatever they cost and whoever collects for them. */
export const isPaidPlan = (planId: string): boolean => planId !== FREE_PLAN;

/** Whether anybody may buy a plan: it is listed and has a price. Admins grant the others. */
export const isForSale = (plan: Pick<PlanRow, "is_public" | "price_usd_cents">): boolean =>
  plan.is_public && plan.price_usd_cents !== null;
export type CouponRow = Selectable<Coupons>;

/** The plan an organization is on, with the quantity bought. Without a subscription it is the free one. */
export type CurrentPlan = {
  plan: PlanRow;
  quantity: number;
  /** Since when the organization has the free plan, at the earliest; only there without a subscription. */
  since?: Date;
  subscription: {
    id: string;
    status: string;
    startDate: Date;
    endDate: Date | null;
    cancelAtPeriodEnd: boolean;
    pending: { planId: string; quantity: number } | null;
    trialEnd: Date | null;
    /** A price that was announced for the periods from then on. */
    priceChange: { cents: number; interval: string; from: Date } | null;
    coupon: CouponRow | null;
  } | null;
};

export function createPlansRepository(db: Database) {
  return {
    /** Plans that visitors may see, in the operator's order. */
    listPublic: () =>
      db.selectFrom("plans").selectAll().where("is_public", "=", true).orderBy("position").orderBy("id").execute(),

    listAll: () => db.selectFrom("plans").selectAll().orderBy("position").orderBy("id").execute(),

    async current(organizationId: string, trx: Database = db): Promise<CurrentPlan> {
      const row = await trx
        .selectFrom("subscriptions")
        .innerJoin("plans", "plans.id", "subscriptions.plan_id")
        .selectAll("plans")
        .select([
          "subscriptions.id as subscription_id",
          "quantity",
          "status",
          "current_period_start_date",
          "current_period_end_date",
          "cancel_at_period_end",
          "pending_plan_id",
          "pending_quantity",
          "trial_end_date",
          "price_cents",
          "subscriptions.billing_interval as agreed_interval",
          "next_price_cents",
          "next_billing_interval",
          "next_price_date",
          "coupon_code",
        ])
        .where("organization_id", "=", organizationId)
        .where("ended_at", "is", null)
        .executeTakeFirst();
      return row ? onSubscription(row, await couponOf(row.coupon_code, trx)) : free(organizationId, trx);
    },
  };

  async function free(organizationId: string, trx: Database): Promise<CurrentPlan> {
    const { since, ...plan } = await trx
      .selectFrom("plans")
      .selectAll("plans")
      .select((eb) =>
        eb.selectFrom("organizations").select("created_at").where("organizations.id", "=", organizationId).as("since"),
      )
      .where("plans.id", "=", FREE_PLAN)
      .executeTakeFirstOrThrow();
    return { plan, quantity: 1, subscription: null, ...(since && { since }) };
  }

  async function couponOf(code: string | null, trx: Database): Promise<CouponRow | null> {
    if (code === null) return null;
    return trx.selectFrom("coupons").selectAll().where("code", "=", code).executeTakeFirstOrThrow();
  }
}

type Row = PlanRow & {
  subscription_id: string;
  quantity: number;
  status: string;
  current_period_start_date: Date;
  current_period_end_date: Date | null;
  cancel_at_period_end: boolean;
  pending_plan_id: string | null;
  pending_quantity: number | null;
  trial_end_date: Date | null;
  coupon_code: string | null;
  price_cents: number | null;
  agreed_interval: string;
  next_price_cents: number | null;
  next_billing_interval: string | null;
  next_price_date: Date | null;
};

function onSubscription(row: Row, coupon: CouponRow | null): CurrentPlan {
  const {
    subscription_id,
    quantity,
    status,
    current_period_start_date,
    current_period_end_date,
    cancel_at_period_end,
    pending_plan_id,
    pending_quantity,
    trial_end_date,
    coupon_code: _,
    price_cents,
    agreed_interval,
    next_price_cents,
    next_billing_interval,
    next_price_date,
    ...plan
  } = row;
  const pending =
    pending_plan_id !== null && pending_quantity !== null
      ? { planId: pending_plan_id, quantity: pending_quantity }
      : null;
  const subscription = {
    id: subscription_id,
    status,
    startDate: current_period_start_date,
    endDate: current_period_end_date,
    cancelAtPeriodEnd: cancel_at_period_end,
    pending,
    trialEnd: trial_end_date,
    priceChange:
      next_price_cents !== null && next_billing_interval !== null && next_price_date !== null
        ? { cents: next_price_cents, interval: next_billing_interval, from: next_price_date }
        : null,
    coupon,
  };
  // Who was granted a plan agreed to no price.
  const agreed = price_cents === null ? {} : { price_usd_cents: price_cents, billing_interval: agreed_interval };
  return { plan: { ...plan, ...agreed }, quantity, subscription };
}

export type PlansRepository = ReturnType<typeof createPlansRepository>;

/** Units of a plan; null means no limit. */
export function unitsOf({ plan, quantity }: CurrentPlan): number | null {
  return plan.concurrency === null ? null : plan.concurrency * quantity;
}
