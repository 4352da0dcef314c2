import type { LiveAnswer } from "./live-answers.ts";
import type { Answer } from "./types.ts";

type Shown = { tokens: number | null; estimated: boolean; perSecond: number | null; firstMs: number | null };

/** What is shown of an answer's figures: the backend's count, or the receipt's where the answer was cut short. */
export function figuresOf({ figures, receipt }: Pick<Answer, "figures" | "receipt">): Shown {
  const counted = figures?.tokens ?? null;
  const tokens = counted ?? (receipt && receipt.tokens > 0 ? receipt.tokens : null);
  const writing = figures && figures.firstMs !== null ? figures.totalMs - figures.firstMs : 0;
  return {
    tokens,
    estimated: counted === null && (receipt?.estimated ?? false),
    // A moment is too short to tell a speed from.
    perSecond: tokens !== null && tokens > 1 && writing > 0 ? Math.round((tokens / writing) * 1000) : null,
    firstMs: figures?.firstMs ?? null,
  };
}

const SHORTEST = 1_000;

/** Tokens a second of an answer that is being written; null as long as it is too early to tell. */
export function speedOf(tokens: number, { firstAt, lastAt }: Pick<LiveAnswer, "firstAt" | "lastAt">): number | null {
  if (firstAt === null || lastAt - firstAt < SHORTEST || tokens < 2) return null;
  return Math.round((tokens / (lastAt - firstAt)) * 1000);
}
