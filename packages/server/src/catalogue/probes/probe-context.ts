import type { ProbeBody } from "../../gateway/index.ts";
import { SECOND_MS } from "../../platform/core/time.ts";
import type { CallBackend } from "./call-backend.ts";
import { ASSUMED_CHARACTERS_PER_TOKEN, countCharacters, judgeNeedle, toNeedleBody } from "./needle.ts";
import { type AbilityOutcome, type Figures, probeQuestion } from "./probe-question.ts";
import { MAX_ANSWER_TOKENS, toUnclear, type Verdict } from "./verdict.ts";

/** The share of the stated context that the prompt fills. */
const SHARE = 0.5;
/** The share of the stated context that the answer may take, which a short context needs for the prompt. */
const ANSWER_SHARE = 0.1;
/** The length of the prompt from which the time and the length of the long one are computed. */
const FIRST_TOKENS = 1_000;
/** A longer prompt than these tokens is not sent, whatever its time. */
const MAX_TOKENS = 200_000;
/** A prompt that would take longer to read is not sent. */
const MAX_PROMPT_MS = 30 * SECOND_MS;

/**
 * Asks for a number in the middle of a prompt of half the stated context, in tokens. A short prompt comes first, which says how
 * fast the backend reads; if the long one would take too long or cost too much, the verdict is unclear and says so.
 */
export async function probeContext(call: CallBackend, contextLength: number): Promise<AbilityOutcome> {
  const target = Math.floor(contextLength * SHARE);
  const maxAnswerTokens = Math.min(MAX_ANSWER_TOKENS, Math.ceil(contextLength * ANSWER_SHARE));
  const probeTokens = (tokens: number, charactersPerToken: number) =>
    probeNeedle(call, toNeedleBody(Math.round(tokens * charactersPerToken), maxAnswerTokens), tokens);
  const first = await probeTokens(Math.min(target, FIRST_TOKENS), ASSUMED_CHARACTERS_PER_TOKEN);
  const { figures } = first;
  if (target <= FIRST_TOKENS || first.verdict?.result !== "yes" || figures === null) return first;
  const tokens = Math.max(1, figures.promptTokens ?? FIRST_TOKENS);
  const seconds = Math.round((target / tokens) * (figures.firstTokenMs / SECOND_MS));
  if (target > MAX_TOKENS) return withVerdict(first, notSent(target, tokens, "is longer than what is sent"));
  if (seconds * SECOND_MS > MAX_PROMPT_MS)
    return withVerdict(first, notSent(target, tokens, `would take about ${seconds} s to read`));
  const long = await probeTokens(target, first.characters / tokens);
  if (long.end === "unaffordable")
    return withVerdict(first, notSent(target, tokens, "could cost more than what is left of the daily budget"));
  return long.figures === null ? long : withCost(long, long.figures, figures.costNano);
}

/** Asks with a prompt of about `tokens` tokens. The verdict has the number that the backend has counted, if it counts. */
async function probeNeedle(call: CallBackend, body: ProbeBody, tokens: number) {
  const outcome = await probeQuestion(call, {
    body,
    images: 0,
    judge: (answer) => judgeNeedle(answer, answer.usage?.prompt || tokens),
  });
  return { ...outcome, characters: countCharacters(body) };
}

function notSent(target: number, tokens: number, why: string): Verdict {
  return toUnclear(
    `It found the number in a prompt of ${tokens} tokens; half of its context, ${target} tokens, ${why}.`,
  );
}

const withCost = (outcome: AbilityOutcome, figures: Figures, costNano: bigint): AbilityOutcome => ({
  ...outcome,
  figures: { ...figures, costNano: figures.costNano + costNano },
});
const withVerdict = (outcome: AbilityOutcome, verdict: Verdict): AbilityOutcome => ({ ...outcome, verdict });
