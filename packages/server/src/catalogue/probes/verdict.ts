import type { ProbeAnswer } from "../../gateway/index.ts";

/** What a model is asked at a backend, in this order. */
export const ABILITIES = ["speed", "tools", "json_schema", "vision", "context"] as const;
/** One of them. */
export type Ability = (typeof ABILITIES)[number];

/** Whether the model has shown an ability; `reason` says in words why not, or what is unclear, and is null for a plain yes. */
export type Verdict = { result: "yes" | "no" | "unclear"; reason: string | null };

/** The tokens of an answer. A model that thinks has to end its thoughts within them. */
export const MAX_ANSWER_TOKENS = 512;

/** The verdict on a model that has shown the ability. */
export const YES: Verdict = { result: "yes", reason: null };
/** Returns the verdict on a model that has not shown the ability. */
export const toNo = (reason: string): Verdict => ({ result: "no", reason });
/** Returns the verdict on an answer that does not tell. */
export const toUnclear = (reason: string): Verdict => ({ result: "unclear", reason });

/** Returns the verdict on an answer that was cut off or says nothing, whatever was asked; null for any other. */
export function findUnclear({ text, tools, isOnlyThinking, finishReason }: ProbeAnswer): Verdict | null {
  if (finishReason === "length" || isOnlyThinking)
    return toUnclear("It had not ended its answer when the limit of tokens was reached.");
  return text.trim() === "" && tools.length === 0 ? toUnclear("Its answer was empty.") : null;
}
