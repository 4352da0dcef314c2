import { errors } from "../../../platform/core/errors/index.ts";
import {
  type Fields,
  type IgnoredPaths,
  invalidField,
  joinByLines,
  joinPieces,
  omitNullish,
  requireArray,
  requireObject,
  requireString,
  toArguments,
  toContent,
  toRecord,
} from "../fields.ts";
import { fileIdRefused } from "../media-address.ts";
import { toCustomArguments } from "./custom-tools.ts";

/** Fields of an item that callers only send back: its id, type and status. */
const RETURNED_FIELDS = ["id", "status", "type"];
const ITEM_TYPES =
  "message, function_call, function_call_output, custom_tool_call, custom_tool_call_output or reasoning";
/** Matches items of tools that OpenAI runs itself or that chats do not have. */
const SERVER_ITEM =
  /^(?:web_search|file_search|code_interpreter|image_generation|computer|local_shell|shell|apply_patch|mcp|tool_search)_(?:call|call_output|output|list_tools|approval_request|approval_response)$|^compaction$|^compaction_summary$/;

/** The conversation so far, and the reasoning that precedes the next message of the assistant. */
type Conversation = { messages: Fields[]; reasoning: string[]; ignored: IgnoredPaths };

/** Returns the items of a request as messages of a chat. Throws `invalid_request` and `unsupported_parameter`. */
export function toChatMessages(input: unknown, ignored: IgnoredPaths): Fields[] {
  if (typeof input === "string") return [{ role: "user", content: input }];
  const conversation: Conversation = { messages: [], reasoning: [], ignored };
  for (const [at, raw] of requireArray(input, "input").entries()) {
    const param = `input[${at}]`;
    addItem(conversation, requireObject(raw, param), param);
  }
  dropReasoning(conversation);
  return conversation.messages;
}

function addItem(conversation: Conversation, item: Fields, param: string): void {
  const { ignored } = conversation;
  const others = (known: readonly string[]) => ignored.addOthers(item, [...RETURNED_FIELDS, ...known], "input");
  const type = item.type ?? "message";
  switch (type) {
    case "message":
      others(["role", "content"]);
      addMessage(conversation, item, param);
      return;
    case "function_call":
      others(["call_id", "name", "arguments"]);
      addCall(conversation, item, toArguments(requireString(item.arguments, `${param}.arguments`)), param);
      return;
    case "custom_tool_call":
      others(["call_id", "name", "input"]);
      addCall(conversation, item, toCustomArguments(requireString(item.input, `${param}.input`)), param);
      return;
    case "function_call_output":
    case "custom_tool_call_output":
      others(["call_id", "output"]);
      addOutput(conversation, item, param);
      return;
    case "reasoning":
      others(["summary", "content", "encrypted_content"]);
      addReasoning(conversation, item);
      return;
    case "item_reference":
      throw errors.unsupportedParameter(
        `${param} points at an item that is kept elsewhere, and none are kept here. Send the item itself.`,
        { param: `${param}.type` },
      );
    default:
      if (!SERVER_ITEM.test(String(type))) throw invalidField(`${param}.type`, ITEM_TYPES);
      ignored.add(`input.${String(type)}`);
  }
}

function addMessage(conversation: Conversation, item: Fields, param: string): void {
  const { messages, ignored } = conversation;
  const role = requireString(item.role, `${param}.role`);
  if (!["user", "assistant", "system", "developer"].includes(role))
    throw invalidField(`${param}.role`, "user, assistant, system or developer");
  const content = toMessageContent(item.content, role, `${param}.content`, ignored);
  if (role === "assistant") messages.push({ role, content, ...takeReasoning(conversation) });
  else {
    dropReasoning(conversation);
    messages.push({ role, content });
  }
}

function addCall(conversation: Conversation, item: Fields, text: string, param: string): void {
  const name = requireString(item.name, `${param}.name`);
  const id = requireString(item.call_id, `${param}.call_id`);
  const turn = takeAssistantTurn(conversation);
  const calls = Array.isArray(turn.tool_calls) ? turn.tool_calls : [];
  turn.tool_calls = [...calls, { id, type: "function", function: { name, arguments: text } }];
}

/** Returns the assistant's message that ends the conversation so far, or a new one, with the pending reasoning. */
function takeAssistantTurn(conversation: Conversation): Fields {
  const { messages } = conversation;
  const last = messages.at(-1);
  if (last?.role !== "assistant") {
    const created: Fields = { role: "assistant", content: null, ...takeReasoning(conversation) };
    messages.push(created);
    return created;
  }
  const { reasoning_content: more } = takeReasoning(conversation);
  const texts = [last.reasoning_content, more].filter((text) => typeof text === "string");
  if (texts.length > 0) last.reasoning_content = texts.join("\n");
  return last;
}

function addOutput(conversation: Conversation, item: Fields, param: string): void {
  dropReasoning(conversation);
  conversation.messages.push({
    role: "tool",
    tool_call_id: requireString(item.call_id, `${param}.call_id`),
    content: toMessageContent(item.output, "tool", `${param}.output`, conversation.ignored),
  });
}

/** Adds the texts of reasoning. Encrypted reasoning, which only OpenAI can read, has none. */
function addReasoning({ reasoning, ignored }: Conversation, { content, summary, encrypted_content }: Fields): void {
  const parts = [content, summary].find((list) => Array.isArray(list) && list.length > 0);
  if (Array.isArray(parts)) reasoning.push(parts.map((part) => readReasoning(toRecord(part), ignored)).join("\n"));
  else if (encrypted_content !== undefined && encrypted_content !== null) ignored.add("input.encrypted_content");
}

function readReasoning(part: Fields, ignored: IgnoredPaths): string {
  ignored.addOthers(part, ["type", "text"], "input");
  return typeof part.text === "string" ? part.text : "";
}

function takeReasoning(conversation: Conversation): Fields {
  const { reasoning } = conversation;
  conversation.reasoning = [];
  return reasoning.length > 0 ? { reasoning_content: reasoning.join("\n") } : {};
}

/** Drops reasoning that no message of the assistant follows directly, since it would become part of a later one. */
function dropReasoning(conversation: Conversation): void {
  if (conversation.reasoning.length > 0) conversation.ignored.add("input.reasoning");
  conversation.reasoning = [];
}

function toMessageContent(content: unknown, role: string, param: string, ignored: IgnoredPaths): string | Fields[] {
  if (typeof content === "string") return content;
  const parts = requireArray(content, param).map((part, at) => toContentPart(part, `${param}[${at}]`, ignored));
  return toContent(parts, role === "assistant" ? joinPieces : joinByLines);
}

function toContentPart(raw: unknown, param: string, ignored: IgnoredPaths): Fields {
  const part = requireObject(raw, param);
  const { type } = part;
  const others = (known: readonly string[]) => ignored.addOthers(part, ["type", ...known], "input");
  switch (type) {
    case "input_text":
    case "output_text":
    case "text":
      others(["text"]);
      return { type: "text", text: requireString(part.text, `${param}.text`) };
    case "refusal":
      others(["refusal"]);
      return { type: "text", text: requireString(part.refusal, `${param}.refusal`) };
    case "input_image": {
      others(["image_url", "detail"]);
      const url = requireString(part.image_url, `${param}.image_url`);
      return { type: "image_url", image_url: omitNullish({ url, detail: part.detail }) };
    }
    case "input_audio":
      others(["input_audio"]);
      return { type: "input_audio", input_audio: part.input_audio };
    case "input_file": {
      others(["filename", "file_data", "file_url"]);
      if (typeof part.file_id === "string" && !(part.file_data ?? part.file_url))
        throw fileIdRefused(`${param}.file_id`);
      const address = requireString(part.file_data ?? part.file_url, `${param}.file_data`);
      return { type: "file", file: omitNullish({ filename: part.filename, file_data: address }) };
    }
    default:
      throw invalidField(`${param}.type`, "input_text, output_text, refusal, input_image, input_audio or input_file");
  }
}
