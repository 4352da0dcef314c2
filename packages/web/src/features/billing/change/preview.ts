import type { Subscription, SubscriptionPreview } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { formatMoney } from "#/entities/money/money.ts";
import { isPaidPlan } from "#/entities/plans/paid-plan.ts";
import { formatLongDate } from "#/entities/plans/subscription-labels.ts";
import type { PlanSelection } from "./plan-selection.ts";

/** Returns whether the lines add up to the subtotal, and subtotal, discount and tax to the total. */
export function hasConsistentTotals({
  lines,
  subtotal_cents,
  discount_cents,
  tax_cents,
  total_due_now_cents,
}: SubscriptionPreview): boolean {
  const sum = lines.reduce((total, { amount_cents }) => total + amount_cents, 0);
  return sum === subtotal_cents && subtotal_cents - discount_cents + tax_cents === total_due_now_cents;
}

/** What confirming a change does; see `getChangeKind`. */
export type ChangeKind = "end" | "take back" | "trial" | "now" | "later";

/**
 * Returns what confirming does: pay now, start a trial, change at the next period, take back a scheduled change, or end
 * the plan.
 */
export function getChangeKind(
  selection: PlanSelection,
  subscription: Subscription,
  preview: SubscriptionPreview | null,
): ChangeKind {
  if (!isPaidPlan(selection.plan)) return "end";
  const same = selection.plan.id === subscription.plan.id && selection.quantity === subscription.quantity;
  if (same) return "take back";
  if (preview === null || preview.lines.length === 0) return "later";
  const free = preview.total_due_now_cents === 0 && preview.lines.every(({ amount_cents }) => amount_cents === 0);
  return free && selection.plan.trial_days > 0 ? "trial" : "now";
}

/** Returns the label of the confirm button. */
export function getConfirmLabel(
  kind: ChangeKind,
  { plan }: PlanSelection,
  subscription: Subscription,
  preview: SubscriptionPreview | null,
): string {
  const end = subscription.current_period_end_date;
  switch (kind) {
    case "end":
      return end ? t`End ${subscription.plan.name} on ${formatLongDate(end)}` : t`End ${subscription.plan.name}`;
    case "take back":
      return t`Stay on ${subscription.plan.name}`;
    case "later":
      return end ? t`Change to ${plan.name} on ${formatLongDate(end)}` : t`Change to ${plan.name}`;
    case "trial":
      return t`Begin the trial of ${plan.name}`;
    case "now":
      return preview?.total_due_now_cents
        ? t`Pay ${formatMoney(preview.total_due_now_cents, preview.currency)} for ${plan.name}`
        : t`Change to ${plan.name}`;
  }
}
