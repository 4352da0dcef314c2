/** Tokens as a backend counted them. */
export type ReportedUsage = { prompt: number; completion: number; cached: number };

const MAX_TOKEN_COUNT = 2_147_483_647; // the maximum of an `integer` column

/** Parses the `usage` of a backend; null when it counts neither prompt nor completion. An invalid count becomes 0. */
export function parseReportedUsage(value: unknown): ReportedUsage | null {
  if (!isRecord(value)) return null;
  const { prompt_tokens, completion_tokens, prompt_tokens_details: details } = value;
  if (typeof prompt_tokens !== "number" && typeof completion_tokens !== "number") return null;
  const cached = isRecord(details) ? details.cached_tokens : 0;
  return {
    prompt: toTokenCount(prompt_tokens),
    completion: toTokenCount(completion_tokens),
    cached: toTokenCount(cached),
  };
}

/** Whether a value is an object, and not null or an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function toTokenCount(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value)
    ? Math.min(Math.max(0, Math.round(value)), MAX_TOKEN_COUNT)
    : 0;
}
