import { type Fields, toRecord } from "../../formats/fields.ts";

/**
 * Returns Bedrock's usage in the form of OpenAI's: tokens that were read from the cache or written into it are part of the
 * prompt. Undefined without any count.
 */
export function readUsage(value: unknown): Fields | undefined {
  const { inputTokens, outputTokens, cacheReadInputTokens, cacheWriteInputTokens } = toRecord(value);
  if (typeof inputTokens !== "number" && typeof outputTokens !== "number") return undefined;
  const read = toCount(cacheReadInputTokens);
  const written = toCount(cacheWriteInputTokens);
  const prompt = toCount(inputTokens) + read + written;
  return {
    prompt_tokens: prompt,
    completion_tokens: toCount(outputTokens),
    total_tokens: prompt + toCount(outputTokens),
    prompt_tokens_details: { cached_tokens: read, cache_write_tokens: written },
  };
}

function toCount(value: unknown): number {
  return typeof value === "number" ? value : 0;
}
