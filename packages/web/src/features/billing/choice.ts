import { isPaidPlan } from "./paid-plan.ts";
import type { Plan, Subscription } from "./words.ts";

/** What a person wants, as it stands in the address of the page. */
export type Choice = { plan: Plan; quantity: number };

/** Plans that can be bought here, in the operator's order. The free one stands for ending a paid one. */
export function plansOnSale(plans: readonly Plan[], subscription: Subscription): Plan[] {
  const priced = plans.filter(({ price_usd_cents }) => price_usd_cents !== null);
  const { plan } = subscription;
  const isPaid = isPaidPlan(plan);
  const sold = isPaid ? priced : priced.filter(isPaidPlan);
  return sold.some(({ id }) => id === plan.id) || !isPaid || plan.price_usd_cents === null ? sold : [plan, ...sold];
}

/** A quantity within what the plan is sold in; the nearest for anything else. */
export function quantityFor({ min_quantity, max_quantity, unit_based }: Plan, typed: string | null): number {
  if (!unit_based) return min_quantity;
  const wanted = typed !== null && /^\d{1,4}$/.test(typed.trim()) ? Number(typed) : min_quantity;
  return Math.min(max_quantity, Math.max(min_quantity, wanted));
}

/** What the address asks for; where it names nothing known, the present plan, or the first one on sale. */
export function readChoice(query: URLSearchParams, onSale: readonly Plan[], subscription: Subscription): Choice | null {
  const named = onSale.find(({ id }) => id === query.get("plan"));
  const present = onSale.find(({ id }) => id === subscription.plan.id);
  const plan = named ?? present ?? onSale[0];
  if (!plan) return null;
  const fallback = plan.id === subscription.plan.id ? String(subscription.quantity) : null;
  return { plan, quantity: quantityFor(plan, query.get("quantity") ?? fallback) };
}

/** Whether the organization has just this, with nothing waiting that it would take back. */
export function isPresent({ plan, quantity }: Choice, subscription: Subscription): boolean {
  return (
    isPaidPlan(subscription.plan) &&
    plan.id === subscription.plan.id &&
    quantity === subscription.quantity &&
    !subscription.cancel_at_period_end &&
    subscription.pending_change === null
  );
}
