import { type Fields, omitNullish, toRecord } from "../../formats/fields.ts";

/** Returns the usage of the Responses API in the form of chat completions. Undefined without any count. */
export function readUsage(value: unknown): Fields | undefined {
  const { input_tokens, output_tokens, total_tokens, input_tokens_details, output_tokens_details } = toRecord(value);
  if (typeof input_tokens !== "number" && typeof output_tokens !== "number") return undefined;
  return omitNullish({
    prompt_tokens: input_tokens,
    completion_tokens: output_tokens,
    total_tokens,
    prompt_tokens_details: input_tokens_details,
    completion_tokens_details: output_tokens_details,
  });
}
