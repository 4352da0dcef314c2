import { isPaidPlan } from "./paid-plan.ts";
import type { Subscription } from "./words.ts";

/** The plan and quantity that the user was buying, as the address of the completion page has them. */
export type Expectation = { plan_id: string; quantity: number };

/** Returns the purchase in an address; null where there is none. */
export function readExpectation(query: URLSearchParams): Expectation | null {
  const [plan, quantity] = [query.get("plan"), query.get("quantity") ?? "1"];
  return plan && /^\d{1,4}$/.test(quantity) ? { plan_id: plan, quantity: Number(quantity) } : null;
}

/** The outcome of a purchase: `unconfirmed` when it is still pending after the time limit. */
export type Outcome = "done" | "pending" | "unconfirmed" | "failed";

/** How long the page polls for a payment before it stops. */
export const PATIENCE = 60_000;

/**
 * Returns the outcome of a purchase, from the current subscription, what was expected, and how long the page has
 * waited.
 */
export function outcomeOf(
  subscription: Subscription,
  wanted: Expectation,
  state: string | null,
  waitedMs: number,
): Outcome {
  if (reached(subscription, wanted)) return "done";
  if (state === "failed" || subscription.status === "past_due") return "failed";
  return waitedMs < PATIENCE ? "pending" : "unconfirmed";
}

function reached(subscription: Subscription, wanted: Expectation): boolean {
  const { status, plan, quantity, pending_change, cancel_at_period_end } = subscription;
  if (!isPaidPlan({ id: wanted.plan_id })) return !isPaidPlan(plan) || cancel_at_period_end;
  const runs = isPaidPlan(plan) && (status === "active" || status === "trialing");
  if (pending_change) return pending_change.plan_id === wanted.plan_id && pending_change.quantity === wanted.quantity;
  return runs && plan.id === wanted.plan_id && quantity === wanted.quantity;
}
