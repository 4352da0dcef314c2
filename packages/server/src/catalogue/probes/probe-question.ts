import type { ProbeAnswer } from "../../gateway/index.ts";
import type { CallBackend } from "./call-backend.ts";
import type { Question } from "./questions.ts";
import { toNo, type Verdict } from "./verdict.ts";

/** The measured times in milliseconds, and the tokens of the prompt as the backend has counted them; null if it has not. */
export type Figures = {
  promptTokens: number | null;
  firstTokenMs: number;
  tokensPerSecond: number | null;
  durationMs: number;
  costNano: bigint;
};

/**
 * What came of asking for an ability: a verdict, or why there is none. `failed` says nothing about the model, `stopped` that
 * the call was ended here, `unaffordable` that it was not made.
 */
export type AbilityOutcome = {
  verdict: Verdict | null;
  figures: Figures | null;
  end: "completed" | "failed" | "stopped" | "unaffordable";
  reason: string | null;
};

/** Answers that take less time after their first token are sent at once, so that no rate can be measured. */
const MIN_RATE_MS = 200;

/** Makes the call of a question and judges its answer. A refusal of the call is a no. */
export async function probeQuestion(call: CallBackend, { body, images, judge }: Question): Promise<AbilityOutcome> {
  const outcome = await call(body, images);
  switch (outcome.kind) {
    case "answer":
      return {
        verdict: judge(outcome.answer),
        figures: toFigures(outcome.answer, outcome.costNano),
        end: "completed",
        reason: null,
      };
    case "refused":
      return { verdict: toNo(outcome.reason), figures: null, end: "completed", reason: outcome.reason };
    case "failed":
      return { verdict: null, figures: null, end: "failed", reason: outcome.reason };
    default:
      return { verdict: null, figures: null, end: outcome.kind, reason: null };
  }
}

function toFigures({ usage, tokens, firstTokenMs, durationMs }: ProbeAnswer, costNano: bigint): Figures {
  const rateMs = durationMs - firstTokenMs;
  return {
    promptTokens: usage?.prompt || null,
    firstTokenMs: Math.round(firstTokenMs),
    tokensPerSecond: rateMs < MIN_RATE_MS ? null : Math.round((tokens / rateMs) * 10_000) / 10,
    durationMs: Math.round(durationMs),
    costNano,
  };
}
