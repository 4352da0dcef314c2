import { tokensPerSecond } from "#/lib/speed.ts";
import type { LiveAnswer } from "./live-answers.ts";
import { estimateTokens } from "./request.ts";
import type { Answer } from "./types.ts";

type Shown = {
  tokens: number | null;
  estimated: boolean;
  perSecond: number | null;
  /** Whether the speed is based on an estimated number of tokens. */
  aboutSpeed: boolean;
  firstMs: number | null;
};

/** Returns the statistics to show: the backend's token count, or the receipt's if the answer was cut short. */
export function figuresOf({
  figures,
  receipt,
  text,
  reasoning,
}: Pick<Answer, "figures" | "receipt" | "text" | "reasoning">): Shown {
  const counted = figures?.tokens ?? null;
  const tokens = counted ?? (receipt && receipt.tokens > 0 ? receipt.tokens : null);
  const estimated = counted === null && (receipt?.estimated ?? false);
  const writing = figures && figures.firstMs !== null ? figures.totalMs - figures.firstMs : 0;
  const thought = thoughtBeside(tokens ?? 0, text, reasoning);
  return {
    tokens,
    estimated,
    perSecond: tokens === null ? null : tokensPerSecond(tokens + thought, writing),
    aboutSpeed: estimated || thought > 0,
    firstMs: figures?.firstMs ?? null,
  };
}

/** Estimates reasoning tokens that the backend did not count: some count only the final text. */
function thoughtBeside(counted: number, text: string, reasoning: string): number {
  const thought = estimateTokens(reasoning);
  return thought > 0 && counted < (estimateTokens(text) + thought) / 2 ? thought : 0;
}

/** Returns tokens per second of an answer in progress; null while it is too early to tell. */
export function speedOf(tokens: number, { firstAt, lastAt }: Pick<LiveAnswer, "firstAt" | "lastAt">): number | null {
  return firstAt === null ? null : tokensPerSecond(tokens, lastAt - firstAt);
}
