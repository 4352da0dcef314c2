import type { ApiKey } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Meter } from "#/components/ui/meter.tsx";
import { formatNanoUsd } from "#/entities/money/money.ts";
import styles from "./key-budget.module.css";

/** What a key has spent of its budget, and the budget. */
type Budget = Pick<ApiKey, "name" | "spend_limit_nano_usd" | "limit_reset" | "spent_nano_usd">;

/** What a key has spent of its budget in the current period, with a meter. Nothing for a key without a budget. */
export function KeyBudget({ apiKey }: { apiKey: Budget }) {
  const { name, spend_limit_nano_usd: limit, spent_nano_usd: spent } = apiKey;
  if (limit === null) return null;
  const text = describeSpending(apiKey, limit);
  return (
    <div className={`small dim num ${styles.budget}`}>
      {text}
      <Meter share={divide(spent, limit)} label={t`Budget of ${name}`} valueText={text} />
    </div>
  );
}

function describeSpending({ spent_nano_usd, limit_reset }: Budget, limit: string): string {
  const [spent, budget] = [formatNanoUsd(spent_nano_usd), formatNanoUsd(limit)];
  if (limit_reset === "day") return t`${spent} of ${budget} today`;
  if (limit_reset === "week") return t`${spent} of ${budget} this week`;
  if (limit_reset === "month") return t`${spent} of ${budget} this month`;
  return t`${spent} of ${budget} in all`;
}

/** Returns `part` of `whole`; 1 for a budget of nothing. */
const divide = (part: string, whole: string): number => (Number(whole) === 0 ? 1 : Number(part) / Number(whole));
