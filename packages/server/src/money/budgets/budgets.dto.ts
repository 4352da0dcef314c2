import type { components } from "@feather/openapi/schema";
import type { BudgetDetails, BudgetRow } from "./budgets.repository.ts";
import { nextLimitReset } from "./periods.ts";

type Schemas = components["schemas"];
type Budget = Schemas["Budget"];

/** Maps a budget to the contract's `Budget`. */
export function toBudgetDto(row: BudgetDetails, now: Date): Budget {
  return {
    ...toTerms(row, now),
    user_name: row.user_name,
    reserved_nano_usd: row.reserved_nano_usd,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** Maps a budget to the data of its webhook events. `isRefusal` says whether a refused call is the reason for the event. */
export function toBudgetEventData(row: BudgetRow, isRefusal: boolean, now: Date): Schemas["WebhookBudget"] {
  return { ...toTerms(row, now), refused_call: isRefusal };
}

function toTerms(row: BudgetRow, now: Date) {
  return {
    scope: row.user_id === null ? ("organization" as const) : ("member" as const),
    user_id: row.user_id,
    amount_nano_usd: row.amount_nano_usd,
    period: row.period as Budget["period"],
    hard: row.hard,
    warning_percent: row.warning_percent,
    spent_nano_usd: row.spent_nano_usd,
    resets_at: nextLimitReset(row.period, now)?.toISOString() ?? null,
  };
}
