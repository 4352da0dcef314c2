import { z } from "zod";
import { DEFAULT_SETTINGS, SAMPLERS, type SamplerName } from "./settings.ts";

const samplerSchema = (name: SamplerName) => {
  const { minInput, maxInput } = SAMPLERS.find((one) => one.name === name) ?? SAMPLERS[0];
  return z.number().min(minInput).max(maxInput).catch(DEFAULT_SETTINGS[name]);
};
const textSchema = z.string().max(20_000).catch("");

/** Validates settings from a file. Unknown or invalid values are replaced by defaults. */
export const settingsSchema = z.object({
  system: z.string().max(100_000).catch(""),
  persona: z.string().max(60).catch(""),
  temperature: samplerSchema("temperature"),
  top_p: samplerSchema("top_p"),
  min_p: samplerSchema("min_p"),
  repetition_penalty: samplerSchema("repetition_penalty"),
  max_tokens: samplerSchema("max_tokens"),
  top_k: samplerSchema("top_k"),
  presence_penalty: samplerSchema("presence_penalty"),
  frequency_penalty: samplerSchema("frequency_penalty"),
  min_tokens: samplerSchema("min_tokens"),
  stop: textSchema,
  seed: textSchema,
  stop_token_ids: textSchema,
  logit_bias: textSchema,
  json_schema: textSchema,
  tools: textSchema,
  mcp_tools: textSchema,
  collections: textSchema,
  // Whoever made the file does not decide what is called here without asking.
  approved_tools: z
    .string()
    .transform(() => "")
    .catch(""),
  include_stop_str_in_output: z.boolean().catch(false),
  reasoning_effort: z.enum(["", "low", "medium", "high"]).catch(""),
  thinking: z.enum(["", "on", "off"]).catch(""),
  tool_choice: z.enum(["", "none", "required"]).catch(""),
  format: z.enum(["text", "json_object", "json_schema"]).catch("text"),
});
