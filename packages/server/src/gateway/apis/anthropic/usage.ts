import { type Fields, omitNullish, toRecord } from "../../formats/fields.ts";

/**
 * Returns Anthropic's usage in the form of OpenAI's: tokens that were read from the cache or written into it are part of
 * the prompt. Undefined without any count.
 */
export function readUsage(value: unknown): Fields | undefined {
  const { input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens, output_tokens_details } =
    toRecord(value);
  if (typeof input_tokens !== "number" && typeof output_tokens !== "number") return undefined;
  const read = toCount(cache_read_input_tokens);
  const written = toCount(cache_creation_input_tokens);
  const prompt = toCount(input_tokens) + read + written;
  const { thinking_tokens } = toRecord(output_tokens_details);
  return omitNullish({
    prompt_tokens: prompt,
    completion_tokens: toCount(output_tokens),
    total_tokens: prompt + toCount(output_tokens),
    prompt_tokens_details: { cached_tokens: read, cache_write_tokens: written },
    completion_tokens_details: typeof thinking_tokens === "number" ? { reasoning_tokens: thinking_tokens } : undefined,
  });
}

function toCount(value: unknown): number {
  return typeof value === "number" ? value : 0;
}
