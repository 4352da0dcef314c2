import type { Selectable } from "kysely";
import type { Database } from "../../db/connect.ts";
import type { Plans } from "../../db/schema.generated.ts";

export const FREE_PLAN = "feather_lite";
export const ADMIN_PLAN = "feather_max";

export type PlanRow = Selectable<Plans>;

/** The plan an organization is on, with the quantity bought. Without a subscription it is the free one. */
export type CurrentPlan = {
  plan: PlanRow;
  quantity: number;
  subscription: {
    id: string;
    status: string;
    startDate: Date;
    endDate: Date | null;
    cancelAtPeriodEnd: boolean;
  } | null;
};

export function createPlansRepository(db: Database) {
  return {
    /** Plans that visitors may see, in the operator's order. */
    listPublic: () => db.selectFrom("plans").selectAll().where("is_public", "=", true).orderBy("position").execute(),

    async current(organizationId: string): Promise<CurrentPlan> {
      const row = await db
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
        ])
        .where("organization_id", "=", organizationId)
        .where("ended_at", "is", null)
        .executeTakeFirst();
      if (!row) {
        const plan = await db.selectFrom("plans").selectAll().where("id", "=", FREE_PLAN).executeTakeFirstOrThrow();
        return { plan, quantity: 1, subscription: null };
      }
      const {
        subscription_id,
        quantity,
        status,
        current_period_start_date,
        current_period_end_date,
        cancel_at_period_end,
        ...plan
      } = row;
      const subscription = {
        id: subscription_id,
        status,
        startDate: current_period_start_date,
        endDate: current_period_end_date,
        cancelAtPeriodEnd: cancel_at_period_end,
      };
      return { plan, quantity, subscription };
    },
  };
}

export type PlansRepository = ReturnType<typeof createPlansRepository>;

/** Units of a plan; null means no limit. */
export function unitsOf({ plan, quantity }: CurrentPlan): number | null {
  return plan.concurrency === null ? null : plan.concurrency * quantity;
}
