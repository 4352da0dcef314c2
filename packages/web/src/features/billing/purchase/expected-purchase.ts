import type { Subscription } from "@feather/sdk";
import { isPaidPlan } from "#/entities/plans/paid-plan.ts";

/** The plan and quantity that the user was buying, as the address of the completion page has them. */
export type ExpectedPurchase = { plan_id: string; quantity: number };

/** Returns the purchase in an address; null where there is none. */
export function parseExpectedPurchase(query: URLSearchParams): ExpectedPurchase | null {
  const [plan, quantity] = [query.get("plan"), query.get("quantity") ?? "1"];
  return plan && /^\d{1,4}$/.test(quantity) ? { plan_id: plan, quantity: Number(quantity) } : null;
}

/** The outcome of a purchase: `unconfirmed` when it is still pending after the time limit. */
export type PurchaseOutcome = "done" | "pending" | "unconfirmed" | "failed";

/** How long the page polls for a payment before it stops. */
export const CONFIRMATION_TIMEOUT_MS = 60_000;

/**
 * Returns the outcome of a purchase by comparing the current subscription with the expected one. `waitedMs` is the time
 * since the page began to wait.
 */
export function getPurchaseOutcome(
  subscription: Subscription,
  expected: ExpectedPurchase,
  state: string | null,
  waitedMs: number,
): PurchaseOutcome {
  if (isReached(subscription, expected)) return "done";
  if (state === "failed" || subscription.status === "past_due") return "failed";
  return waitedMs < CONFIRMATION_TIMEOUT_MS ? "pending" : "unconfirmed";
}

function isReached(subscription: Subscription, expected: ExpectedPurchase): boolean {
  const { status, plan, quantity, pending_change, cancel_at_period_end } = subscription;
  if (!isPaidPlan({ id: expected.plan_id })) return !isPaidPlan(plan) || cancel_at_period_end;
  const isRunning = isPaidPlan(plan) && (status === "active" || status === "trialing");
  if (pending_change)
    return pending_change.plan_id === expected.plan_id && pending_change.quantity === expected.quantity;
  return isRunning && plan.id === expected.plan_id && quantity === expected.quantity;
}
