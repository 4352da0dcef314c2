/**
 * Parts of an assistant's reasoning that only the model which wrote them can read again, as OpenRouter's API has them in
 * `reasoning_details` (https://openrouter.ai/docs/use-cases/reasoning-tokens).
 */
import { isRecord } from "../usage/reported-usage.ts";
import { type Fields, omitNullish } from "./fields.ts";

/** The format of what Anthropic's models sign or encrypt. */
export const ANTHROPIC_REASONING = "anthropic-claude-v1";

/** Returns a thought with the signature by which its model knows it. */
export function toSignedThought(text: string, signature: string): Fields {
  return { type: "reasoning.text", text, signature, format: ANTHROPIC_REASONING };
}

/** Returns a thought that only its model can read. */
export function toHiddenThought(data: unknown): Fields {
  return { type: "reasoning.encrypted", data, format: ANTHROPIC_REASONING };
}

/** Returns the known fields of a list of such parts; undefined if it has none. */
export function rebuildReasoningDetails(details: unknown): Fields[] | undefined {
  if (!Array.isArray(details)) return undefined;
  const kept = details
    .filter(isRecord)
    .map(({ type, text, signature, data, format, id, index }) =>
      omitNullish({ type, text, signature, data, format, id, index }),
    );
  return kept.length > 0 ? kept : undefined;
}
