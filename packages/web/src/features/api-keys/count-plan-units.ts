import type { User } from "@feather/sdk";
import { countUnits } from "#/entities/plans/subscription-labels.ts";

/** Returns the units of the plan of the user's organization; null for no limit. */
export function countPlanUnits({ organization }: User): number | null {
  const subscription = organization.current_subscription;
  return subscription ? countUnits(subscription.plan, subscription.quantity) : null;
}
