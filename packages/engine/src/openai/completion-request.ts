import { z } from "zod";
import { invalidRequest, unsupportedParameter } from "./errors.ts";
import { generationFields } from "./generation-fields.ts";

const MAX_PROMPTS = 64;
const tokens = z.array(z.int().min(0)).min(1).max(1_000_000);

/** The body of `POST /v1/completions`. */
export const completionRequestSchema = z.object({
  ...generationFields,
  prompt: z.union(
    [z.string(), z.array(z.string()).min(1).max(MAX_PROMPTS), tokens, z.array(tokens).min(1).max(MAX_PROMPTS)],
    {
      error: "expected a text, an array of texts, or the tokens of one or several, none empty",
    },
  ),
  suffix: z.string().nullish(),
  echo: z.boolean().nullish(),
  best_of: z.int().min(1).nullish(),
  logprobs: z.int().min(0).max(20).nullish(),
});

/** A validated body of `POST /v1/completions`. */
export type CompletionRequest = z.output<typeof completionRequestSchema>;

/** OpenAI's default for plain completions; chat has none. */
export const DEFAULT_COMPLETION_TOKENS = 16;

/** Throws for options that this engine does not support, and for an empty prompt. */
export function validateCompletionRequest(request: CompletionRequest): void {
  if (request.suffix) throw unsupportedParameter("suffix", "Filling in before a suffix is not supported.");
  if (request.best_of && request.best_of > (request.n ?? 1)) {
    throw unsupportedParameter("best_of", "best_of is not supported beyond n. Use n.");
  }
  if (request.echo && typeof request.logprobs === "number") {
    throw unsupportedParameter("logprobs", "Log probabilities of an echoed prompt are not available.");
  }
  if (toPrompts(request).some((prompt) => prompt === "")) throw invalidRequest("prompt must not be empty.", "prompt");
}

/** Returns the prompts of a request, each a text or tokens. */
export function toPrompts({ prompt }: CompletionRequest): (string | number[])[] {
  if (typeof prompt === "string") return [prompt];
  const isOneOfTokens = (list: readonly unknown[]): list is number[] => typeof list[0] === "number";
  return isOneOfTokens(prompt) ? [prompt] : [...prompt];
}
