import { isRecord, parseReportedUsage, readTotal, toEstimatedUsage } from "../../usage/reported-usage.ts";
import type { Fields } from "../fields.ts";
import type { WholeAnswer, WholeCall } from "../format.ts";

/** The texts of a call, and in which form the best are returned. */
export type RankingOptions = {
  texts: readonly string[];
  /** The number of results. */
  limit: number;
  /** Whether the results contain the texts. */
  withTexts: boolean;
  /** Returns the tokens of query and texts for a backend that counts none. */
  estimateTokens(): number;
};
type Scored = { index: number; score: number };

/**
 * Returns the answer and its usage from a backend's JSON, in the form of Cohere's, Jina's or Voyage's API; null if that does
 * not score each text once.
 */
export function toRanking(
  call: WholeCall,
  raw: Record<string, unknown>,
  { texts, limit, withTexts, estimateTokens }: RankingOptions,
): WholeAnswer | null {
  const entries = [raw.results, raw.data].find(Array.isArray);
  const scored = entries?.flatMap((entry) => readScore(entry) ?? []) ?? [];
  const isComplete = scored.length === texts.length && new Set(scored.map(({ index }) => index)).size === texts.length;
  if (!isComplete || scored.some(({ index }) => texts[index] === undefined)) return null;
  const best = scored.toSorted((a, b) => b.score - a.score || a.index - b.index).slice(0, limit);
  const results = best.map(({ index, score }) => ({
    index,
    relevance_score: score,
    ...(withTexts && { document: { text: texts[index] } }),
  }));
  const reported = parseReportedUsage(toPromptUsage(raw.usage));
  const usage = reported !== null && reported.prompt > 0 ? { ...reported, completion: 0 } : null;
  const { prompt, given } = usage ?? toEstimatedUsage(estimateTokens(), 0);
  const counts = { prompt_tokens: prompt, total_tokens: readTotal(given) ?? prompt };
  return { answer: { id: call.id, object: "list", model: call.model.id, results, usage: counts }, usage };
}

function readScore(entry: unknown): Scored | null {
  if (!isRecord(entry)) return null;
  const { index, relevance_score: relevance, score = relevance } = entry;
  return typeof index === "number" && typeof score === "number" && Number.isFinite(score) ? { index, score } : null;
}

/** Returns the usage with the number of prompt tokens: some programs report only their sum, which is the same. */
function toPromptUsage(usage: unknown): unknown {
  if (!isRecord(usage) || typeof usage.prompt_tokens === "number") return usage;
  const counted: Fields = { ...usage, prompt_tokens: usage.total_tokens };
  return counted;
}
