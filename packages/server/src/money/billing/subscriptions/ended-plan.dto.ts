import type { components } from "@feather/openapi/schema";
import type { EndedPlan } from "./early-termination.ts";

/** Converts a paid plan that ends early. */
export function toEndedPlanDto(endedPlan: EndedPlan): components["schemas"]["EndedPlan"] {
  const { planId, planName, quantity, periodEnd, currency, creditedCents, balanceCents } = endedPlan;
  return {
    currency,
    plan_id: planId,
    plan_name: planName,
    quantity,
    period_end_date: periodEnd.toISOString(),
    credited_cents: creditedCents,
    balance_cents: balanceCents,
  };
}
