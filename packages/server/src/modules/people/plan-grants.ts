import type { Database } from "../../db/connect.ts";
import type { Clock } from "../../shared/clock.ts";
import { invalidRequest } from "../../shared/errors.ts";
import type { Ids } from "../../shared/ids.ts";
import type { BillingRepository } from "../billing/billing.repository.ts";
import { FREE_PLAN } from "../plans/plans.repository.ts";

export type PlanGrant = { organizationId: string; planId: string; quantity: number };

/** Puts an organization on a plan without payment. */
export type GrantPlan = (grant: PlanGrant, trx: Database) => Promise<void>;

type Deps = { billing: BillingRepository; clock: Clock; ids: Ids };

/** Ends the subscription there is and, unless the plan is the free one, starts one without an end. */
export function createGrantPlan({ billing, clock, ids }: Deps): GrantPlan {
  return async ({ organizationId, planId, quantity }, trx) => {
    const plan = await trx.selectFrom("plans").selectAll().where("id", "=", planId).executeTakeFirst();
    if (!plan) throw invalidRequest("plan_id is not valid: there is no such plan.", { param: "plan_id" });
    if (quantity > 1 && !plan.unit_based)
      throw invalidRequest(`quantity is not valid: the plan ${plan.name} is not sold in units.`, { param: "quantity" });
    const now = clock.now();
    await billing.lockAccount(organizationId, trx);
    await trx
      .updateTable("subscriptions")
      .set({ status: "canceled", ended_at: now })
      .where("organization_id", "=", organizationId)
      .where("ended_at", "is", null)
      .execute();
    if (planId === FREE_PLAN) return;
    await trx
      .insertInto("subscriptions")
      .values({
        id: ids.next("sub"),
        organization_id: organizationId,
        plan_id: planId,
        quantity,
        status: "active",
        current_period_start_date: now,
      })
      .execute();
  };
}
