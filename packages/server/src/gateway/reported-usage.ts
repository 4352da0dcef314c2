/** Tokens of an answer. */
export type ReportedUsage = {
  prompt: number;
  completion: number;
  /** Prompt tokens that the backend read from a cache; null when it does not say. */
  cached: number | null;
  /** The backend's own `usage`, whose valid parts the caller gets; empty when it counts nothing. */
  given: Readonly<Record<string, unknown>>;
};

const MAX_TOKEN_COUNT = 2_147_483_647; // the maximum of an `integer` column

/** Parses the `usage` of a backend; null when it counts neither prompt nor completion. An invalid count becomes 0. */
export function parseReportedUsage(value: unknown): ReportedUsage | null {
  if (!isRecord(value)) return null;
  const { prompt_tokens, completion_tokens, prompt_tokens_details: details } = value;
  if (typeof prompt_tokens !== "number" && typeof completion_tokens !== "number") return null;
  const cached = isRecord(details) ? details.cached_tokens : undefined;
  return {
    prompt: toTokenCount(prompt_tokens),
    completion: toTokenCount(completion_tokens),
    cached: typeof cached === "number" ? toTokenCount(cached) : null,
    given: value,
  };
}

/** Usage of a backend that counts nothing. */
export function toEstimatedUsage(prompt: number, completion: number): ReportedUsage {
  return { prompt, completion, cached: null, given: {} };
}

/** Usage in OpenAI's format: as the backend gave it, with valid counts, and the total where that is missing. */
export function toOpenAIUsage({ prompt, completion, cached, given }: ReportedUsage) {
  const { prompt_tokens_details: details, ...others } = given;
  return {
    ...others,
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: readTotal(given) ?? prompt + completion,
    ...(isRecord(details) && { prompt_tokens_details: withCachedTokens(details, cached) }),
    ...(details === null && { prompt_tokens_details: null }),
  };
}

/** The backend's `total_tokens`, or null when it gave none that is valid. */
export function readTotal({ total_tokens: total }: ReportedUsage["given"]): number | null {
  return typeof total === "number" && toTokenCount(total) === total ? total : null;
}

/** The tokens that a model generated to reason, or null when the backend does not say. */
export function readReasoningTokens({ completion_tokens_details: details }: ReportedUsage["given"]): number | null {
  const tokens = isRecord(details) ? details.reasoning_tokens : undefined;
  return typeof tokens === "number" ? toTokenCount(tokens) : null;
}

/** Whether a value is an object, and not null or an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function withCachedTokens({ cached_tokens: _, ...details }: Record<string, unknown>, cached: number | null) {
  return cached === null ? details : { ...details, cached_tokens: cached };
}

function toTokenCount(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value)
    ? Math.min(Math.max(0, Math.round(value)), MAX_TOKEN_COUNT)
    : 0;
}
