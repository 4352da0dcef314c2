import type { Database } from "../../../platform/core/db/connect.ts";
import type { Events } from "../../../platform/core/events.ts";
import { FREE_PLAN_ID } from "../../plans/index.ts";

/** A plan and its quantity; null for the free plan. */
export type PlanAndQuantity = { plan_id: string; quantity: number } | null;

const FREE_PLAN = { plan_id: FREE_PLAN_ID, quantity: 1 };

/** Records the webhook event that the plan or its quantity has changed; none if both are the same. */
export async function recordPlanChange(
  { events }: { events: Events },
  organizationId: string,
  change: { before: PlanAndQuantity; after: PlanAndQuantity },
  trx: Database,
): Promise<void> {
  const { plan_id, quantity } = change.after ?? FREE_PLAN;
  const previous = change.before ?? FREE_PLAN;
  if (plan_id === previous.plan_id && quantity === previous.quantity) return;
  const data = { plan_id, quantity, previous_plan_id: previous.plan_id, previous_quantity: previous.quantity };
  await events.record(organizationId, { type: "plan.changed", data }, trx);
}
