import { type Fields, omitNullish, toRecord } from "../../formats/fields.ts";
import type { CallBody } from "../../formats/parsed-request.ts";
import { toThinking } from "../anthropic/thinking.ts";
import { unsuitableField } from "../unsuitable.ts";
import { isClaude, isNova, isReasoningNova } from "./families.ts";

/** Efforts that OpenAI's API knows and Amazon's models do not, and the nearest that they know. */
const NOVA_EFFORTS: ReadonlyMap<unknown, string> = new Map([
  ["minimal", "low"],
  ["xhigh", "high"],
  ["max", "high"],
]);
/** The effort of thinking that is only switched on. */
const DEFAULT_NOVA_EFFORT = "medium";

/** Returns the fields of Converse for what only some models have. `own` holds the caller's own options of thinking. */
export function toModelFields(chat: CallBody, own: Readonly<Fields>): Fields {
  const topK = typeof chat.top_k === "number" && chat.top_k > 0 ? chat.top_k : undefined;
  if (isClaude(chat.model)) {
    const { thinking, output_config } = toThinking(chat, own);
    return {
      additionalModelRequestFields: toFields({ top_k: topK, thinking }),
      outputConfig: toFields({ effort: toRecord(output_config).effort, textFormat: toTextFormat(chat) }),
    };
  }
  const sampling = isNova(chat.model) ? { inferenceConfig: topK && { topK } } : { top_k: topK };
  return {
    additionalModelRequestFields: toFields({ ...sampling, ...toReasoning(chat) }),
    outputConfig: toFields({ textFormat: toTextFormat(chat) }),
  };
}

/** Returns the fields about reasoning for other models than Anthropic's. One without such a field refuses the call. */
function toReasoning(chat: CallBody): Fields {
  const { reasoning_effort: effort, chat_template_kwargs: kwargs, thinking } = chat;
  if (!isReasoningNova(chat.model)) return { reasoning_effort: effort, thinking };
  const { enable_thinking: isOn } = toRecord(kwargs);
  if (effort === "none" || isOn === false) return { reasoningConfig: { type: "disabled" } };
  if (effort === undefined && isOn !== true) return {};
  const maxReasoningEffort = NOVA_EFFORTS.get(effort) ?? effort ?? DEFAULT_NOVA_EFFORT;
  return { reasoningConfig: { type: "enabled", maxReasoningEffort } };
}

function toTextFormat({ response_format: given }: CallBody): Fields | undefined {
  const { type = "text", json_schema } = toRecord(given);
  if (type === "text") return undefined;
  if (type !== "json_schema")
    throw unsuitableField("response_format", "writes JSON only by a schema. Send response_format with a json_schema.");
  const { name, description, schema } = toRecord(json_schema);
  const jsonSchema = omitNullish({ name, description, schema: JSON.stringify(schema ?? {}) });
  return { type: "json_schema", structure: { jsonSchema } };
}

/** Returns the fields that are set; undefined without any. */
export function toFields(fields: Fields): Fields | undefined {
  const given = omitNullish(fields);
  return Object.keys(given).length > 0 ? given : undefined;
}
