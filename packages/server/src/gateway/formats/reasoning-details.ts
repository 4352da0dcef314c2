/**
 * Parts of an assistant's reasoning that only the model which wrote them can read again, as OpenRouter's API has them in
 * `reasoning_details` (https://openrouter.ai/docs/use-cases/reasoning-tokens).
 */
import { isRecord } from "../usage/reported-usage.ts";
import { type Fields, omitNullish } from "./fields.ts";

/** The format of what Anthropic's models sign or encrypt. */
export const ANTHROPIC_REASONING = "anthropic-claude-v1";
/** The format of what Google's models sign. */
export const GOOGLE_REASONING = "google-gemini-v1";
/** The format of what OpenAI's models encrypt. */
export const OPENAI_REASONING = "openai-responses-v1";

const FOREIGN_FORMATS: ReadonlySet<unknown> = new Set([GOOGLE_REASONING, OPENAI_REASONING]);
/** What another model than Anthropic's has written, as the data of a `redacted_thinking` block: format, id and data. */
const FOREIGN_DATA = new RegExp(`^(${GOOGLE_REASONING}|${OPENAI_REASONING}):([^:]*):(.+)$`, "s");

/** Returns a thought with the signature by which its model knows it. */
export function toSignedThought(text: string, signature: string): Fields {
  return { type: "reasoning.text", text, signature, format: ANTHROPIC_REASONING };
}

/** Returns the thought in the data of a `redacted_thinking` block, which only its model can read. */
export function toHiddenThought(data: unknown): Fields {
  const [, format, id, own] = FOREIGN_DATA.exec(String(data)) ?? [];
  if (format === undefined) return { type: "reasoning.encrypted", data, format: ANTHROPIC_REASONING };
  return { type: "reasoning.encrypted", data: own, format, ...(id !== "" && { id }) };
}

/** Returns the data of a `redacted_thinking` block for a thought that only its model can read. */
export function toHiddenData({ data, format, id }: Fields): unknown {
  return FOREIGN_FORMATS.has(format) ? `${String(format)}:${String(id ?? "")}:${String(data)}` : data;
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
