import { type Fields, omitNullish, toRecord } from "../../formats/fields.ts";
import { unsuitableMedia } from "../unsuitable.ts";

/** Fields that both APIs have under the same name. Others are refused there, even with the value that asks for nothing. */
const SHARED_FIELDS = [
  "frequency_penalty",
  "model",
  "presence_penalty",
  "seed",
  "stop",
  "stream",
  "stream_options",
  "temperature",
  "tool_choice",
  "tools",
  "top_p",
];
/** What the parts of messages can be there. */
const PART_TYPES = ["text", "image_url"];

/**
 * Returns the body for Cohere's compatible endpoint of a chat in the form of OpenAI's API. Throws an `UnsuitableBackendError` for
 * media other than images.
 */
export function toCohereChat(chat: Fields): Fields {
  const messages = Array.isArray(chat.messages) ? chat.messages.map(toRecord) : [];
  return omitNullish({
    ...Object.fromEntries(SHARED_FIELDS.map((name) => [name, chat[name]])),
    max_tokens: chat.max_tokens ?? chat.max_completion_tokens,
    messages: messages.map(toMessage),
    reasoning_effort: toEffort(chat.reasoning_effort, toRecord(chat.chat_template_kwargs).enable_thinking),
    response_format: toFormat(toRecord(chat.response_format)),
  });
}

function toMessage({ reasoning_content: _, ...message }: Fields): Fields {
  const parts = Array.isArray(message.content) ? message.content.map(toRecord) : [];
  if (parts.some(({ type }) => !PART_TYPES.includes(String(type)))) throw unsuitableMedia("sound, videos or documents");
  return message;
}

/** Models of Cohere think or do not: no other efforts are taken than these. */
function toEffort(effort: unknown, isOn: unknown): "none" | "high" | undefined {
  if (effort === undefined || effort === null) return isOn === false ? "none" : isOn === true ? "high" : undefined;
  return effort === "none" ? "none" : "high";
}

/** Returns the format of the answer. A schema is a part of the format for JSON there. */
function toFormat({ type, json_schema: given, ...others }: Fields): Fields | undefined {
  if (type === undefined) return undefined;
  return type === "json_schema" ? { type: "json_object", schema: toRecord(given).schema } : { type, ...others };
}
