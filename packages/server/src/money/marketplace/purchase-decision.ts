import type { Purchase } from "./marketplace-driver.ts";

/** What is known here about a purchase. */
export type KnownPurchase = {
  status: string;
  /** The plan that it gave, and how many units. Not read of a pending purchase. */
  planId: string;
  quantity: number;
};
/** The plan that a purchase stands for, and how many units. */
export type PlanChoice = { planId: string; quantity: number };

/** What follows from what a marketplace says about a purchase. */
export type PurchaseStep =
  /** Nothing changes, except that a plan that was about to end goes on. */
  | { kind: "keep" }
  /** It gives no plan, or no other one. `note` says why. */
  | { kind: "wait"; note: string }
  | ({ kind: "grant" } & PlanChoice)
  | { kind: "pause" }
  | { kind: "resume" }
  /** Its plan ends after the grace. */
  | { kind: "end" }
  /** It ends before it gave a plan. */
  | { kind: "cancel" };

/** Why a purchase waits. */
export const UNCONFIRMED_NOTE = "The marketplace has not confirmed the purchase yet.";
const SUSPENDED_NOTE = "The marketplace has suspended the purchase before it began.";
const UNKNOWN_NOTE =
  "What was bought is no plan that is for sale here. Give the plan that id, or name it in FEATHER_MARKETPLACE_PLANS.";

/**
 * Returns what follows from the purchase at the marketplace, null where it has none, for the plan that it stands for, null
 * where it stands for none. The order of the notifications does not matter, since the marketplace's present state is given.
 */
export function decidePurchaseStep(
  known: KnownPurchase,
  purchase: Purchase | null,
  plan: PlanChoice | null,
): PurchaseStep {
  const isPending = known.status === "pending";
  if (!purchase || purchase.state === "unconfirmed") {
    if (isPending) return { kind: "wait", note: UNCONFIRMED_NOTE };
    return purchase ? { kind: "keep" } : { kind: "end" };
  }
  if (purchase.state === "ended") return { kind: isPending ? "cancel" : "end" };
  if (purchase.state === "suspended") {
    if (isPending) return { kind: "wait", note: SUSPENDED_NOTE };
    return { kind: known.status === "suspended" ? "keep" : "pause" };
  }
  if (!plan) return { kind: "wait", note: UNKNOWN_NOTE };
  if (isPending || plan.planId !== known.planId || plan.quantity !== known.quantity) return { kind: "grant", ...plan };
  return { kind: known.status === "suspended" ? "resume" : "keep" };
}
