import { type Fields, omitNullish, toRecord } from "../../formats/fields.ts";
import type { CallBody } from "../../formats/parsed-request.ts";
import { unsuitableField } from "../unsuitable.ts";
import { toInputItems } from "./input.ts";

/** Fields that both APIs have under the same name. */
const SHARED_FIELDS = [
  "metadata",
  "model",
  "parallel_tool_calls",
  "prompt_cache_key",
  "safety_identifier",
  "stream",
  "temperature",
  "top_logprobs",
  "top_p",
  "user",
];
/** The API refuses a lower limit. */
const MIN_ANSWER_TOKENS = 16;
/** Matches the names of OpenAI's models that reason. Others refuse to be asked for encrypted reasoning. */
const REASONING_MODEL = /^(?:o\d|gpt-[5-9]|codex)/;

/** Returns the body of OpenAI's Responses API for a chat in the gateway's form. Nothing of it is stored there. */
export function toResponsesBody(chat: CallBody): Fields {
  const messages = Array.isArray(chat.messages) ? chat.messages.map(toRecord) : [];
  const effort = toEffort(chat);
  const include = [
    ...(effort !== undefined || REASONING_MODEL.test(chat.model) ? ["reasoning.encrypted_content"] : []),
    ...(chat.logprobs === true ? ["message.output_text.logprobs"] : []),
  ];
  return omitNullish({
    ...Object.fromEntries(SHARED_FIELDS.map((name) => [name, chat[name]])),
    input: messages.flatMap(toInputItems),
    store: false,
    max_output_tokens: toAnswerLimit(chat),
    reasoning: effort === undefined ? undefined : { effort },
    text: toTextFields(chat),
    include: include.length > 0 ? include : undefined,
    ...toToolFields(chat),
  });
}

function toAnswerLimit({ max_tokens, max_completion_tokens }: CallBody): number | undefined {
  const limit = max_tokens ?? max_completion_tokens ?? undefined;
  if (limit !== undefined && limit < MIN_ANSWER_TOKENS)
    throw unsuitableField("max_tokens", `has no limit below ${MIN_ANSWER_TOKENS} tokens. Send a higher max_tokens.`);
  return limit;
}

/** Returns the effort of reasoning. A switch that turns it off is an effort as well. */
function toEffort({ reasoning_effort: given, chat_template_kwargs: kwargs }: CallBody): unknown {
  return given ?? (toRecord(kwargs).enable_thinking === false ? "none" : undefined);
}

function toTextFields({ response_format: given, verbosity }: CallBody): Fields | undefined {
  const { type, json_schema: schema } = toRecord(given);
  const format = type === "json_schema" ? { ...toRecord(schema), type } : type === "json_object" ? { type } : undefined;
  const fields = omitNullish({ format, verbosity });
  return Object.keys(fields).length > 0 ? fields : undefined;
}

function toToolFields({ tools, tool_choice: choice }: CallBody): Fields {
  if (!Array.isArray(tools)) return {};
  return { tools: tools.map((tool) => toTool(toRecord(tool))), tool_choice: toToolChoice(choice) };
}

/** Returns a function. The API holds one to its schema unless `strict` is false; chats only where it is true. */
function toTool({ type, function: given }: Fields): Fields {
  if (type !== "function") throw unsuitableField("tools", "takes only functions as tools.");
  const { name, description, parameters, strict } = toRecord(given);
  const schema = parameters ?? { type: "object", properties: {} };
  return omitNullish({ type, name, description, parameters: schema, strict: strict ?? false });
}

function toToolChoice(choice: unknown): unknown {
  if (choice === undefined || typeof choice === "string") return choice;
  return { type: "function", name: toRecord(toRecord(choice).function).name };
}
