import type { Selectable } from "kysely";
import type { Database } from "../../platform/core/db/connect.ts";
import type { Coupons, Plans } from "../../platform/core/db/schema.generated.ts";
import { type CurrencyRate, findOrganizationRate, USD } from "../currencies/index.ts";

/** The id of the plan of organizations without a subscription. */
export const FREE_PLAN_ID = "feather_lite";
/** The id of the plan that admins get when their account is created. */
export const ADMIN_PLAN_ID = "feather_max";

/** A row of the table of plans. */
export type PlanRow = Selectable<Plans>;

/** Returns whether a plan counts as paid: every plan except the free one, whatever it costs and however it is paid. */
export const isPaidPlan = (planId: string): boolean => planId !== FREE_PLAN_ID;

/** Returns whether a plan can be bought: it is public and has a price. Admins can grant the others. */
export const isForSale = (plan: Pick<PlanRow, "is_public" | "price_usd_cents">): boolean =>
  plan.is_public && plan.price_usd_cents !== null;
/** A row of the table of coupons. */
export type CouponRow = Selectable<Coupons>;

/** The plan that an organization is on and its quantity; the free plan without a subscription. */
export type CurrentPlan = {
  plan: PlanRow;
  quantity: number;
  /** The currency in which the organization pays, at its present rate. */
  rate: CurrencyRate;
  /** When the organization was created; set only without a subscription. */
  since?: Date;
  subscription: {
    id: string;
    status: string;
    startDate: Date;
    endDate: Date | null;
    cancelAtPeriodEnd: boolean;
    pending: { planId: string; quantity: number } | null;
    trialEnd: Date | null;
    /** An announced price, in minor units of the currency, for periods that begin at `from` or later. */
    priceChange: { cents: number; interval: string; from: Date } | null;
    coupon: CouponRow | null;
  } | null;
};

/** Reads plans and the plans of organizations. */
export function createPlansRepository(db: Database) {
  return {
    /** Returns the public plans, in the operator's order. */
    listPublic: () =>
      db.selectFrom("plans").selectAll().where("is_public", "=", true).orderBy("position").orderBy("id").execute(),

    listAll: () => db.selectFrom("plans").selectAll().orderBy("position").orderBy("id").execute(),

    async findCurrent(organizationId: string, trx: Database = db): Promise<CurrentPlan> {
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
      const rate = await findOrganizationRate(organizationId, trx);
      return row
        ? toCurrentPlan(row, rate, await findCoupon(row.coupon_code, trx))
        : findFreePlan(organizationId, rate, trx);
    },
  };

  async function findFreePlan(organizationId: string, rate: CurrencyRate, trx: Database): Promise<CurrentPlan> {
    const { since, ...plan } = await trx
      .selectFrom("plans")
      .selectAll("plans")
      .select((eb) =>
        eb.selectFrom("organizations").select("created_at").where("organizations.id", "=", organizationId).as("since"),
      )
      .where("plans.id", "=", FREE_PLAN_ID)
      .executeTakeFirstOrThrow();
    return { plan, quantity: 1, rate, subscription: null, ...(since && { since }) };
  }

  async function findCoupon(code: string | null, trx: Database): Promise<CouponRow | null> {
    if (code === null) return null;
    return trx.selectFrom("coupons").selectAll().where("code", "=", code).executeTakeFirstOrThrow();
  }
}

type SubscribedPlanRow = PlanRow & {
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

function toCurrentPlan(row: SubscribedPlanRow, rate: CurrencyRate, coupon: CouponRow | null): CurrentPlan {
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
  // A granted subscription has no agreed price.
  const { currency } = rate;
  const agreedPrice =
    price_cents === null
      ? {}
      : {
          ...(currency === USD ? { price_usd_cents: price_cents } : { prices: { [currency]: price_cents } }),
          billing_interval: agreed_interval,
        };
  return { plan: { ...plan, ...agreedPrice }, quantity, rate, subscription };
}

export type PlansRepository = ReturnType<typeof createPlansRepository>;
