import type { Plan, Subscription } from "@feather/sdk";
import { isPaidPlan } from "#/entities/plans/paid-plan.ts";

/** The selected plan and quantity, as the page's address has them. */
export type PlanSelection = { plan: Plan; quantity: number };

/**
 * Returns the plans that can be bought, in the operator's order. The free plan is included where there is a paid one to
 * end.
 */
export function listPlansOnSale(plans: readonly Plan[], subscription: Subscription): Plan[] {
  const priced = plans.filter(({ price_usd_cents }) => price_usd_cents !== null);
  const { plan } = subscription;
  const isPaid = isPaidPlan(plan);
  const onSale = isPaid ? priced : priced.filter(isPaidPlan);
  return onSale.some(({ id }) => id === plan.id) || !isPaid || plan.price_usd_cents === null
    ? onSale
    : [plan, ...onSale];
}

/** Returns the quantity in a text, limited to what the plan allows; its minimum where the text is no number. */
export function parseQuantity({ min_quantity, max_quantity, unit_based }: Plan, text: string | null): number {
  if (!unit_based) return min_quantity;
  const requested = text !== null && /^\d{1,4}$/.test(text.trim()) ? Number(text) : min_quantity;
  return Math.min(max_quantity, Math.max(min_quantity, requested));
}

/**
 * Returns the selection in an address. An unknown plan falls back to the current plan, then to the first one on sale.
 */
export function parseSelection(
  query: URLSearchParams,
  onSale: readonly Plan[],
  subscription: Subscription,
): PlanSelection | null {
  const requestedPlan = onSale.find(({ id }) => id === query.get("plan"));
  const current = onSale.find(({ id }) => id === subscription.plan.id);
  const plan = requestedPlan ?? current ?? onSale[0];
  if (!plan) return null;
  const fallback = plan.id === subscription.plan.id ? String(subscription.quantity) : null;
  return { plan, quantity: parseQuantity(plan, query.get("quantity") ?? fallback) };
}

/** Returns whether the selection is the current plan with no cancellation or change scheduled. */
export function isCurrentSelection({ plan, quantity }: PlanSelection, subscription: Subscription): boolean {
  return (
    isPaidPlan(subscription.plan) &&
    plan.id === subscription.plan.id &&
    quantity === subscription.quantity &&
    !subscription.cancel_at_period_end &&
    subscription.pending_change === null
  );
}
