import { t } from "@lingui/core/macro";
import type { Receipt } from "./queries.ts";

type Outcome = Receipt["outcome"];

/** How a request ended, and how its state is drawn. */
export const OUTCOMES: Record<Outcome, { word: string; tier: string }> = {
  completed: { word: t`done`, tier: "good" },
  aborted: { word: t`client left`, tier: "cold" },
  failed: { word: t`failed`, tier: "bad" },
  interrupted: { word: t`cut off`, tier: "bad" },
};

/** Why a request failed, for those reasons that have a name. */
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

export const outcomeWord = (outcome: string): string =>
  Object.hasOwn(OUTCOMES, outcome) ? OUTCOMES[outcome as Outcome].word : outcome;

/** The result of a request in a word or two. */
export function resultOf({ outcome, error_code }: Pick<Receipt, "outcome" | "error_code">): string {
  const reason = error_code === null || outcome === "completed" ? undefined : REASONS[error_code];
  return reason ?? outcomeWord(outcome);
}
