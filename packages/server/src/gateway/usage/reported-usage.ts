/** The tokens of an answer. */
export type ReportedUsage = {
  prompt: number;
  completion: number;
  /** Prompt tokens that the backend read from a cache; null if it does not report them. */
  cached: number | null;
  /** The backend's own `usage`, whose valid parts are sent to the caller; empty if it counts nothing. */
  given: Readonly<Record<string, unknown>>;
  /** Set if one of the counts is an estimate, because the backend reported only the other one. */
  isEstimated?: true;
};

const MAX_TOKEN_COUNT = 2_147_483_647; // the maximum of an `integer` column

/** Parses the `usage` of a backend. Null if it counts neither prompt nor completion tokens. An invalid count becomes 0. */
export function parseReportedUsage(value: unknown): ReportedUsage | null {
  if (!isRecord(value)) return null;
  const prompt = readCount(value.prompt_tokens);
  const completion = readCount(value.completion_tokens);
  if (prompt === null && completion === null) return null;
  const details = value.prompt_tokens_details;
  return {
    prompt: prompt ?? 0,
    completion: completion ?? 0,
    cached: isRecord(details) ? readCount(details.cached_tokens) : null,
    given: value,
  };
}

/**
 * Merges a `usage` into an earlier report of the same answer. The largest value of each count is kept, since later ones may
 * be partial or zero. Returns the earlier report if the new one counts nothing.
 */
export function mergeReportedUsage(known: ReportedUsage | null, value: unknown): ReportedUsage | null {
  const added = parseReportedUsage(value);
  if (added === null || known === null) return added ?? known;
  const prompt = Math.max(known.prompt, added.prompt);
  const completion = Math.max(known.completion, added.completion);
  const cached = known.cached === null ? added.cached : Math.max(known.cached, added.cached ?? 0);
  return { prompt, completion, cached, given: withLargest(known.given, added.given, prompt + completion) };
}

/**
 * Returns the usage of an answer: the reported counts, and estimates for missing ones. `deltas` estimates the completion
 * tokens; if it is 0, nothing was generated, and the report is used unchanged.
 */
export function completeUsage(
  reported: ReportedUsage | null,
  estimatePrompt: () => number,
  deltas: number,
): ReportedUsage {
  if (reported === null) return toEstimatedUsage(estimatePrompt(), deltas);
  if (deltas === 0 || (reported.prompt > 0 && reported.completion > 0)) return reported;
  const prompt = reported.prompt || estimatePrompt();
  const completion = reported.completion || deltas;
  return { ...reported, prompt, completion, given: withTotal(reported.given, prompt + completion), isEstimated: true };
}

function withLargest(known: ReportedUsage["given"], added: ReportedUsage["given"], minTotal: number) {
  const merged: Record<string, unknown> = { ...known };
  for (const [name, value] of Object.entries(added)) {
    const before = merged[name];
    if (typeof before === "number" && typeof value === "number") merged[name] = Math.max(before, value);
    else if (value !== null || before === undefined) merged[name] = value;
  }
  return withTotal(merged, minTotal);
}

/** Removes a total that is less than `minTotal`. */
function withTotal(given: ReportedUsage["given"], minTotal: number): ReportedUsage["given"] {
  const { total_tokens: total, ...others } = given;
  return typeof total === "number" && total < minTotal ? others : given;
}

/** Returns the usage for a backend that counts nothing. */
export function toEstimatedUsage(prompt: number, completion: number): ReportedUsage {
  return { prompt, completion, cached: null, given: {} };
}

/** Returns the usage in OpenAI's format: the backend's own fields with valid counts, and a total if it is missing. */
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

/** Returns the backend's `total_tokens`; null if it is missing or invalid. */
export function readTotal({ total_tokens: total }: ReportedUsage["given"]): number | null {
  return typeof total === "number" && toTokenCount(total) === total ? total : null;
}

/** Returns the number of reasoning tokens; null if the backend does not report it. */
export function readReasoningTokens({ completion_tokens_details: details }: ReportedUsage["given"]): number | null {
  const tokens = isRecord(details) ? details.reasoning_tokens : undefined;
  return typeof tokens === "number" ? toTokenCount(tokens) : null;
}

/** Returns whether a value is an object that is not an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function withCachedTokens({ cached_tokens: _, ...details }: Record<string, unknown>, cached: number | null) {
  return cached === null ? details : { ...details, cached_tokens: cached };
}

/** Returns a count of tokens; null if it is invalid. Some backends send counts as text. */
function readCount(value: unknown): number | null {
  if (typeof value === "string" && value.trim() !== "" && Number.isFinite(Number(value)))
    return toTokenCount(Number(value));
  return typeof value === "number" ? toTokenCount(value) : null;
}

function toTokenCount(value: number): number {
  return Number.isFinite(value) ? Math.min(Math.max(0, Math.round(value)), MAX_TOKEN_COUNT) : 0;
}
