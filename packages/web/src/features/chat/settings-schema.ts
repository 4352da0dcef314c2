import { z } from "zod";
import { SAMPLERS, type SamplerName, USUAL_SETTINGS } from "./settings.ts";

const sampler = (name: SamplerName) => {
  const { least, most } = SAMPLERS.find((one) => one.name === name) ?? SAMPLERS[0];
  return z.number().min(least).max(most).catch(USUAL_SETTINGS[name]);
};
const typed = z.string().max(20_000).catch("");

/** Validates settings from a file. Unknown or invalid values are replaced by defaults. */
export const settingsSchema = z.object({
  system: z.string().max(100_000).catch(""),
  temperature: sampler("temperature"),
  top_p: sampler("top_p"),
  min_p: sampler("min_p"),
  repetition_penalty: sampler("repetition_penalty"),
  max_tokens: sampler("max_tokens"),
  top_k: sampler("top_k"),
  presence_penalty: sampler("presence_penalty"),
  frequency_penalty: sampler("frequency_penalty"),
  min_tokens: sampler("min_tokens"),
  stop: typed,
  seed: typed,
  stop_token_ids: typed,
  logit_bias: typed,
  json_schema: typed,
  tools: typed,
  include_stop_str_in_output: z.boolean().catch(false),
  reasoning_effort: z.enum(["", "low", "medium", "high"]).catch(""),
  thinking: z.enum(["", "on", "off"]).catch(""),
  tool_choice: z.enum(["", "none", "required"]).catch(""),
  format: z.enum(["text", "json_object", "json_schema"]).catch("text"),
});
