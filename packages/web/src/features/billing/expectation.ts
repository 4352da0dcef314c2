import { z } from "zod";
import { type TextStore, tabStorage } from "#/lib/storage.ts";
import { isPaidPlan } from "./paid-plan.ts";
import type { Subscription } from "./words.ts";

const KEY = "expectedPlan";
const shape = z.object({ plan_id: z.string(), name: z.string(), quantity: z.number(), ends: z.boolean() });

/** What somebody was buying when they left for the page that takes the money. `ends` is the free plan. */
export type Expectation = z.infer<typeof shape>;

/** Remembers for the tab what was being bought. */
export function createExpectation(store: TextStore = tabStorage) {
  return {
    remember: (wanted: Expectation): boolean => store.set(KEY, JSON.stringify(wanted)),
    read(): Expectation | null {
      try {
        return shape.safeParse(JSON.parse(store.get(KEY) ?? "")).data ?? null;
      } catch {
        return null;
      }
    },
    forget: (): void => store.remove(KEY),
  };
}

export type Outcome = "done" | "pending" | "unconfirmed" | "failed";

/** How long a payment is waited for before the page stops asking by itself. */
export const PATIENCE = 60_000;

/** What became of a purchase: by what the plan is now, what was wanted, and how long one has waited. */
export function outcomeOf(
  subscription: Subscription,
  wanted: Expectation | null,
  state: string | null,
  waitedMs: number,
): Outcome {
  if (reached(subscription, wanted)) return "done";
  if (state === "failed" || subscription.status === "past_due") return "failed";
  return waitedMs < PATIENCE ? "pending" : "unconfirmed";
}

function reached(subscription: Subscription, wanted: Expectation | null): boolean {
  const { status, plan, quantity, pending_change, cancel_at_period_end } = subscription;
  if (wanted?.ends) return !isPaidPlan(plan) || cancel_at_period_end;
  const runs = isPaidPlan(plan) && (status === "active" || status === "trialing");
  if (wanted === null) return runs;
  if (pending_change) return pending_change.plan_id === wanted.plan_id && pending_change.quantity === wanted.quantity;
  return runs && plan.id === wanted.plan_id && quantity === wanted.quantity;
}
