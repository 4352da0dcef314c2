import { isPaidPlan } from "./paid-plan.ts";
import type { Subscription } from "./words.ts";

/** What somebody was buying, as it stands in the address of the page that says what became of it. */
export type Expectation = { plan_id: string; quantity: number };

/** What the address says was bought; null where it says nothing of that. */
export function readExpectation(query: URLSearchParams): Expectation | null {
  const [plan, quantity] = [query.get("plan"), query.get("quantity") ?? "1"];
  return plan && /^\d{1,4}$/.test(quantity) ? { plan_id: plan, quantity: Number(quantity) } : null;
}

export type Outcome = "done" | "pending" | "unconfirmed" | "failed";

/** How long a payment is waited for before the page stops asking by itself. */
export const PATIENCE = 60_000;

/** What became of a purchase: by what the plan is now, what was wanted, and how long one has waited. */
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
