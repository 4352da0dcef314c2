import { calculateTokensPerSecond } from "#/lib/tokens-per-second.ts";
import type { Answer } from "../conversation/types.ts";
import type { LiveAnswer } from "./live-answers.ts";
import { estimateTokens } from "./request.ts";

type AnswerStats = {
  tokens: number | null;
  estimated: boolean;
  tokensPerSecond: number | null;
  /** Whether the speed is based on an estimated number of tokens. */
  isSpeedEstimated: boolean;
  firstTokenMs: number | null;
};

/** Returns the statistics to show: the backend's token count, or the receipt's if the answer was cut short. */
export function toAnswerStats({
  figures,
  receipt,
  text,
  reasoning,
}: Pick<Answer, "figures" | "receipt" | "text" | "reasoning">): AnswerStats {
  const countedTokens = figures?.tokens ?? null;
  const tokens = countedTokens ?? (receipt && receipt.tokens > 0 ? receipt.tokens : null);
  const estimated = countedTokens === null && (receipt?.estimated ?? false);
  const writingMs = figures && figures.firstTokenMs !== null ? figures.totalMs - figures.firstTokenMs : 0;
  const uncountedTokens = estimateUncountedTokens(tokens ?? 0, text, reasoning);
  return {
    tokens,
    estimated,
    tokensPerSecond: tokens === null ? null : calculateTokensPerSecond(tokens + uncountedTokens, writingMs),
    isSpeedEstimated: estimated || uncountedTokens > 0,
    firstTokenMs: figures?.firstTokenMs ?? null,
  };
}

/** Estimates reasoning tokens that the backend did not count: some count only the final text. */
function estimateUncountedTokens(countedTokens: number, text: string, reasoning: string): number {
  const uncountedTokens = estimateTokens(reasoning);
  return uncountedTokens > 0 && countedTokens < (estimateTokens(text) + uncountedTokens) / 2 ? uncountedTokens : 0;
}

/** Returns tokens per second of an answer in progress; null while it is too early to tell. */
export function liveTokensPerSecond(
  tokens: number,
  { firstTokenAt, updatedAt }: Pick<LiveAnswer, "firstTokenAt" | "updatedAt">,
): number | null {
  return firstTokenAt === null ? null : calculateTokensPerSecond(tokens, updatedAt - firstTokenAt);
}
