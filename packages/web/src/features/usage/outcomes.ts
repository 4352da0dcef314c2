import type { Receipt } from "@feather/sdk";
import { t } from "@lingui/core/macro";

type Outcome = Receipt["outcome"];

/** Label and color tier of each outcome. */
export const OUTCOME_LABELS: Record<Outcome, { label: string; tier: string }> = {
  completed: { label: t`done`, tier: "good" },
  aborted: { label: t`client left`, tier: "cold" },
  failed: { label: t`failed`, tier: "bad" },
  interrupted: { label: t`cut off`, tier: "bad" },
};

/** Labels of error codes. */
const ERROR_LABELS: Record<string, string> = {
  upstream_error: t`backend failed`,
  upstream_timeout: t`backend too slow`,
  capacity_exhausted: t`nothing runs it`,
  concurrency_limit_exceeded: t`refused, limit`,
  insufficient_credits: t`credits used up`,
  context_length_exceeded: t`too long`,
  invalid_request: t`not valid`,
  unsupported_parameter: t`not supported`,
  internal_error: t`server failed`,
};

/** Returns the label of an outcome; the outcome itself where it is unknown. */
export const getOutcomeLabel = (outcome: string): string =>
  Object.hasOwn(OUTCOME_LABELS, outcome) ? OUTCOME_LABELS[outcome as Outcome].label : outcome;

/** Returns the result of a request in one or two words. */
export function describeResult({ outcome, error_code }: Pick<Receipt, "outcome" | "error_code">): string {
  const reason = error_code === null || outcome === "completed" ? undefined : ERROR_LABELS[error_code];
  return reason ?? getOutcomeLabel(outcome);
}
