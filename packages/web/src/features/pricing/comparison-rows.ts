import type { Plan } from "@feather/sdk";
import { plural, t } from "@lingui/core/macro";
import { formatContextLength, formatParameterCount } from "#/lib/format.ts";

const formatLimit = (value: number | null, unlimitedLabel: string) =>
  value === null ? unlimitedLabel : value === 0 ? "–" : String(value);

const AUDIENCES: Record<Plan["audience"], string> = {
  individual: t`one person`,
  business: t`a business`,
  custom: t`one customer`,
};

/** The rows of the comparison. */
export const COMPARISON: readonly { label: string; format(plan: Plan): string }[] = [
  { label: t`Made for`, format: ({ audience }) => AUDIENCES[audience] },
  {
    label: t`Largest model`,
    format: ({ max_model_size }) => (max_model_size === null ? t`any` : formatParameterCount(max_model_size)),
  },
  {
    label: t`Longest context`,
    format: ({ max_context_length }) =>
      max_context_length === null ? t`the model’s own` : formatContextLength(max_context_length),
  },
  {
    label: t`Tokens`,
    format: ({ billing_mode }) => (billing_mode === "request_pricing" ? t`paid from credits` : t`not counted`),
  },
  { label: t`Requests a day`, format: ({ daily_request_limit }) => formatLimit(daily_request_limit, t`no limit`) },
  {
    label: t`Different models a minute`,
    format: ({ model_switches_per_minute }) => formatLimit(model_switches_per_minute, t`no limit`),
  },
  {
    label: t`Where calls wait`,
    format: ({ priority }) => (priority === "batch" ? t`after all others` : "–"),
  },
  {
    label: t`Private models`,
    format: ({ private_models, unit_based }) =>
      unit_based && private_models ? t`${private_models} for each` : formatLimit(private_models, t`no limit`),
  },
  { label: t`Private deployments`, format: ({ private_cloud }) => (private_cloud ? t`yes` : "–") },
  { label: t`API keys`, format: ({ api_keys_max }) => String(api_keys_max) },
  {
    label: t`Trial`,
    format: ({ trial_days }) => (trial_days > 0 ? plural(trial_days, { one: "# day", other: "# days" }) : "–"),
  },
];
