import { isPaidPlan } from "./paid-plan.ts";
import type { Plan, Subscription } from "./words.ts";

/** The selected plan and quantity, as the page's address has them. */
export type Choice = { plan: Plan; quantity: number };

/**
 * Returns the plans that can be bought, in the operator's order. The free plan is included where there is a paid one to
 * end.
 */
export function plansOnSale(plans: readonly Plan[], subscription: Subscription): Plan[] {
  const priced = plans.filter(({ price_usd_cents }) => price_usd_cents !== null);
  const { plan } = subscription;
  const isPaid = isPaidPlan(plan);
  const sold = isPaid ? priced : priced.filter(isPaidPlan);
  return sold.some(({ id }) => id === plan.id) || !isPaid || plan.price_usd_cents === null ? sold : [plan, ...sold];
}

/** Returns the quantity in a text, limited to what the plan allows; its minimum where the text is no number. */
export function quantityFor({ min_quantity, max_quantity, unit_based }: Plan, typed: string | null): number {
  if (!unit_based) return min_quantity;
  const wanted = typed !== null && /^\d{1,4}$/.test(typed.trim()) ? Number(typed) : min_quantity;
  return Math.min(max_quantity, Math.max(min_quantity, wanted));
}

/**
 * Returns the selection in an address. An unknown plan falls back to the current plan, then to the first one on sale.
 */
export function readChoice(query: URLSearchParams, onSale: readonly Plan[], subscription: Subscription): Choice | null {
  const named = onSale.find(({ id }) => id === query.get("plan"));
  const present = onSale.find(({ id }) => id === subscription.plan.id);
  const plan = named ?? present ?? onSale[0];
  if (!plan) return null;
  const fallback = plan.id === subscription.plan.id ? String(subscription.quantity) : null;
  return { plan, quantity: quantityFor(plan, query.get("quantity") ?? fallback) };
}

/** Returns whether the selection is the current plan with no cancellation or change scheduled. */
export function isPresent({ plan, quantity }: Choice, subscription: Subscription): boolean {
  return (
    isPaidPlan(subscription.plan) &&
    plan.id === subscription.plan.id &&
    quantity === subscription.quantity &&
    !subscription.cancel_at_period_end &&
    subscription.pending_change === null
  );
}
