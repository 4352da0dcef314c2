import type { ApiKey } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Meter } from "#/components/ui/figures/meter.tsx";
import { describeSpending, getSpentShare } from "#/entities/money/describe-spending.ts";
import styles from "./key-budget.module.css";

/** What a key has spent of its budget, and the budget. */
type Budget = Pick<ApiKey, "name" | "spend_limit_nano_usd" | "limit_reset" | "spent_nano_usd">;

/** What a key has spent of its budget in the current period, with a meter. Nothing for a key without a budget. */
export function KeyBudget({ apiKey }: { apiKey: Budget }) {
  const { name, spend_limit_nano_usd: amount, spent_nano_usd: spent, limit_reset: period } = apiKey;
  if (amount === null) return null;
  const text = describeSpending({ spent, amount, period });
  return (
    <div className={`small faint num ${styles.budget}`}>
      {text}
      <Meter share={getSpentShare({ spent, amount })} label={t`Budget of ${name}`} valueText={text} />
    </div>
  );
}
