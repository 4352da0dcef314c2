import { t } from "@lingui/core/macro";
import { formatNanoUsd } from "./money.ts";

/** A budget and the part of it that is spent in the period, both in nano-USD. */
export type Spending = { spent: string; amount: string; period: "none" | "day" | "week" | "month" };

/** Returns the spent part of a budget in words, such as `$3.20 of $10.00 this month`. */
export function describeSpending({ spent: spentNano, amount, period }: Spending): string {
  const [spent, budget] = [formatNanoUsd(spentNano), formatNanoUsd(amount)];
  if (period === "day") return t`${spent} of ${budget} today`;
  if (period === "week") return t`${spent} of ${budget} this week`;
  if (period === "month") return t`${spent} of ${budget} this month`;
  return t`${spent} of ${budget} in all`;
}

/** Returns the part that is spent; 1 for a budget of nothing. */
export const getSpentShare = ({ spent, amount }: Pick<Spending, "spent" | "amount">): number =>
  Number(amount) === 0 ? 1 : Number(spent) / Number(amount);
