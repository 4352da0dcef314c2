import { t } from "@lingui/core/macro";
import type { Receipt } from "./queries.ts";

type Outcome = Receipt["outcome"];

/** Label and color tier of each outcome. */
export const OUTCOMES: Record<Outcome, { word: string; tier: string }> = {
  completed: { word: t`done`, tier: "good" },
  aborted: { word: t`client left`, tier: "cold" },
  failed: { word: t`failed`, tier: "bad" },
  interrupted: { word: t`cut off`, tier: "bad" },
};

/** Labels of error codes. */
const REASONS: Record<string, string> = {
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
export const outcomeWord = (outcome: string): string =>
  Object.hasOwn(OUTCOMES, outcome) ? OUTCOMES[outcome as Outcome].word : outcome;

/** Returns the result of a request in one or two words. */
export function resultOf({ outcome, error_code }: Pick<Receipt, "outcome" | "error_code">): string {
  const reason = error_code === null || outcome === "completed" ? undefined : REASONS[error_code];
  return reason ?? outcomeWord(outcome);
}
