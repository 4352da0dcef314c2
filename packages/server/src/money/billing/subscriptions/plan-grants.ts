import type { Clock } from "../../../platform/core/clock.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import { errors } from "../../../platform/core/errors/index.ts";
import type { Events } from "../../../platform/core/events.ts";
import type { Ids } from "../../../platform/core/ids.ts";
import { isPaidPlan, type PlanRow } from "../../plans/index.ts";
import type { BillingRepository } from "../billing.repository.ts";
import type { EarlyTermination, EndedPlan } from "./early-termination.ts";
import { recordPlanChange } from "./plan-change-events.ts";

/** A plan that an organization gets without payment. */
export type PlanGrant = { organizationId: string; planId: string; quantity: number };

/** Puts an organization on a plan without payment. Returns the plan, and the paid plan that ended early, if any. */
export type GrantPlan = (grant: PlanGrant, trx: Database) => Promise<{ plan: PlanRow; endedPlan: EndedPlan | null }>;

type Deps = {
  billingRepository: BillingRepository;
  earlyTermination: EarlyTermination;
  events: Events;
  clock: Clock;
  ids: Ids;
};

/** Returns a function that ends the current subscription and, unless the plan is free, starts one without an end. */
export function createGrantPlan({ billingRepository, earlyTermination, events, clock, ids }: Deps): GrantPlan {
  return async ({ organizationId, planId, quantity }, trx) => {
    const plan = await billingRepository.findPlan(planId, trx);
    if (!plan) throw errors.invalidRequest("plan_id is not valid: there is no such plan.", { param: "plan_id" });
    if (quantity > 1 && !plan.unit_based)
      throw errors.invalidRequest(`quantity is not valid: the plan ${plan.name} is not sold in units.`, {
        param: "quantity",
      });
    const billingState = await billingRepository.lockState(organizationId, trx);
    const endedPlan = await earlyTermination.terminate(billingState, 0, trx);
    const before = billingState.subscription?.row ?? null;
    const after = isPaidPlan(planId) ? { plan_id: planId, quantity } : null;
    await recordPlanChange({ events }, organizationId, { before, after }, trx);
    if (!isPaidPlan(planId)) return { plan, endedPlan };
    const now = clock.now();
    await trx
      .insertInto("subscriptions")
      .values({
        id: ids.next("sub"),
        organization_id: organizationId,
        plan_id: planId,
        quantity,
        status: "active",
        current_period_start_date: now,
        created_at: now,
      })
      .execute();
    return { plan, endedPlan };
  };
}
