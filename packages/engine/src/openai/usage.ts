/** OpenAI's usage: numbers of tokens. */
export type Usage = { prompt_tokens: number; completion_tokens: number; total_tokens: number };

/** Returns the usage with its total. */
export function toUsage(promptTokens: number, completionTokens: number): Usage {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  };
}
