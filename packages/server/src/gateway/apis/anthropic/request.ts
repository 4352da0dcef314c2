import { type Fields, omitNullish, toRecord } from "../../formats/fields.ts";
import { toInput } from "../../formats/messages/input.ts";
import type { CallBody } from "../../formats/parsed-request.ts";
import { ANTHROPIC_REASONING } from "../../formats/reasoning-details.ts";
import { unsuitableField } from "../unsuitable.ts";
import { toResultBlocks, toUserBlocks } from "./blocks.ts";
import { toThinking } from "./thinking.ts";

type Options = {
  /** The limit of the model's answers in tokens; null if it is unknown. */
  maxAnswerTokens: number | null;
  /** The caller's fields that only this API has, under their names here. */
  fields: Readonly<Fields>;
};

/** The API requires a limit. Every model that it serves can write as much; more has to be asked for. */
const DEFAULT_ANSWER_TOKENS = 8192;
/** Fields that both APIs have under the same name. */
const SHARED_FIELDS = ["model", "stream", "temperature", "top_p", "top_k"];

/** Returns the body of Anthropic's Messages API for a chat in the gateway's form. */
export function toMessagesBody(chat: CallBody, options: Options): Fields {
  const messages = Array.isArray(chat.messages) ? chat.messages.map(toRecord) : [];
  const [first] = messages;
  const system = first?.role === "system" ? first.content : undefined;
  const turns = system === undefined ? messages : messages.slice(1);
  return omitNullish({
    ...Object.fromEntries(SHARED_FIELDS.map((name) => [name, chat[name]])),
    max_tokens: chat.max_tokens ?? options.maxAnswerTokens ?? DEFAULT_ANSWER_TOKENS,
    system: Array.isArray(system) ? toUserBlocks(system) : system,
    messages: toTurns(turns),
    metadata: typeof chat.user === "string" ? { user_id: chat.user } : undefined,
    stop_sequences: typeof chat.stop === "string" ? [chat.stop] : chat.stop,
    ...toToolFields(chat),
    cache_control: options.fields.cache_control,
    ...toThinking(chat, options.fields),
    ...(chat.response_format !== undefined && withFormat(chat, options)),
  });
}

function withFormat(chat: CallBody, { fields }: Options): Fields {
  const format = toRecord(chat.response_format);
  if (format.type === "text") return {};
  if (format.type !== "json_schema")
    throw unsuitableField("response_format", "writes JSON only by a schema. Send response_format with a json_schema.");
  const config = toRecord(toThinking(chat, fields).output_config);
  const { schema } = toRecord(format.json_schema);
  return { output_config: { ...config, format: { type: "json_schema", schema } } };
}

/** Returns the turns of a conversation. Results of tools, and what the user says after them, are one turn of the user. */
function toTurns(messages: readonly Fields[]): Fields[] {
  const turns: { role: string; content: Fields[] }[] = [];
  for (const message of messages) {
    const role = message.role === "assistant" ? "assistant" : "user";
    const content = toBlocks(message);
    const last = turns.at(-1);
    if (last?.role === role && role === "user") last.content.push(...content);
    else if (content.length > 0) turns.push({ role, content });
  }
  return turns;
}

function toBlocks(message: Fields): Fields[] {
  if (message.role === "assistant") return toAssistantBlocks(message);
  if (message.role === "tool") return [toToolResult(message)];
  return toUserBlocks(message.content);
}

function toToolResult({ tool_call_id: id, content, cache_control }: Fields): Fields {
  return omitNullish({ type: "tool_result", tool_use_id: id, content: toResultBlocks(content), cache_control });
}

/** Returns an assistant's blocks: signed thinking, which the API wants back unchanged, text and calls. */
function toAssistantBlocks({ content, tool_calls: calls, reasoning_details: details }: Fields): Fields[] {
  return [
    ...(Array.isArray(details) ? details.flatMap((detail) => toThinkingBlock(toRecord(detail))) : []),
    ...toUserBlocks(content),
    ...(Array.isArray(calls) ? calls.map((call) => toToolUse(toRecord(call))) : []),
  ];
}

function toThinkingBlock({ text, signature, data, format = ANTHROPIC_REASONING }: Fields): Fields[] {
  if (format !== ANTHROPIC_REASONING) return [];
  if (typeof data === "string") return [{ type: "redacted_thinking", data }];
  if (typeof signature !== "string" || signature === "") return [];
  return [{ type: "thinking", thinking: typeof text === "string" ? text : "", signature }];
}

function toToolUse({ id, function: called }: Fields): Fields {
  const { name, arguments: text } = toRecord(called);
  return { type: "tool_use", id, name, input: toInput(String(text ?? "")) };
}

function toToolFields({ tools, tool_choice: choice, parallel_tool_calls: isParallel }: CallBody): Fields {
  if (!Array.isArray(tools)) return {};
  const serial = isParallel === false ? { disable_parallel_tool_use: true } : {};
  const given = toToolChoice(choice) ?? (isParallel === false ? { type: "auto" } : undefined);
  return {
    tools: tools.map((tool) => toTool(toRecord(tool))),
    tool_choice: given && (given.type === "none" ? given : { ...given, ...serial }),
  };
}

function toTool({ function: given, cache_control }: Fields): Fields {
  const { name, description, parameters, strict } = toRecord(given);
  const input_schema = parameters ?? { type: "object", properties: {} };
  return omitNullish({ name, description, input_schema, strict, cache_control });
}

function toToolChoice(choice: unknown): Fields | undefined {
  if (choice === undefined) return undefined;
  if (choice === "required") return { type: "any" };
  if (typeof choice === "string") return { type: choice };
  return { type: "tool", name: toRecord(toRecord(choice).function).name };
}
