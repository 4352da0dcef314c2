import { toSendable } from "../../../platform/core/exact-json.ts";
import { isRecord } from "../../usage/reported-usage.ts";
import {
  createIgnoredPaths,
  type Fields,
  type IgnoredPaths,
  invalidField,
  joinPieces,
  omitNullish,
  requireArray,
  requireObject,
  requireString,
  type TranslatedRequest,
  toCacheMark,
  toContent,
  toRecord,
} from "../fields.ts";
import type { Carried, ParsedRequest } from "../parsed-request.ts";
import { toHiddenThought, toSignedThought } from "../reasoning-details.ts";
import { estimatePromptTokens } from "../token-estimates.ts";
import { toToolResult, toUserPart, userContent } from "./content.ts";
import { createMessagesFormat } from "./format.ts";
import { toToolChoice, toTools } from "./tools.ts";

/** Fields that chat completions have under the same name. */
const SHARED_FIELDS = ["max_tokens", "temperature", "top_p", "top_k", "stream"];
/** Fields that are translated or listed as ignored here. */
const KNOWN_FIELDS = new Set([
  ...SHARED_FIELDS,
  "cache_control",
  "context_management",
  "messages",
  "metadata",
  "model",
  "output_config",
  "output_format",
  "service_tier",
  "stop_sequences",
  "system",
  "thinking",
  "tool_choice",
  "tools",
]);
/** Service tiers that every call gets anyway. */
const DEFAULT_SERVICE_TIERS = ["auto", "standard_only"];
/**
 * Matches the first line of Claude Code's system prompt. It changes with every call, so that backends would not find the
 * prompt in their cache.
 */
const BILLING_LINE = /^x-anthropic-billing-header:[^\n]*\n*/;
/** Efforts that few backends know, and the known ones that replace them. */
const EFFORTS: ReadonlyMap<string, string> = new Map([
  ["max", "high"],
  ["xhigh", "high"],
]);

/** Reads a request of Anthropic's Messages as a chat. */
export function readMessagesRequest(request: Fields & { model: string }, requestId: string): ParsedRequest {
  const { body, ignored, carried } = messagesToChat(request);
  const format = createMessagesFormat(requestId, () => estimatePromptTokens(body));
  return { kind: "chat", body, ignored, carried, format, continuesAnswer: true };
}

/** Translates a Messages request to a chat completion request. Throws `invalid_request`. */
export function messagesToChat(request: Fields & { model: string }): TranslatedRequest {
  const ignored = createIgnoredPaths();
  const otherFields = Object.fromEntries(Object.entries(request).filter(([name]) => !KNOWN_FIELDS.has(name)));
  const tools = toTools(request.tools, ignored);
  const stopTexts = Array.isArray(request.stop_sequences) && request.stop_sequences.length === 0;
  const body = {
    ...otherFields,
    ...omitNullish(Object.fromEntries(SHARED_FIELDS.map((name) => [name, request[name]]))),
    ...omitNullish({
      stop: stopTexts ? undefined : request.stop_sequences,
      user: toUserId(request.metadata, ignored),
      ...toOutputFields(request, ignored),
      chat_template_kwargs: toTemplateKwargs(request.thinking, ignored),
      tools: tools.length > 0 ? tools : undefined,
      ...toToolChoice(request.tool_choice, tools, ignored),
    }),
    model: request.model,
    messages: toChatMessages(request.system, request.messages, ignored),
  };
  addFieldsWithoutEffect(request, ignored);
  return { body, ignored: ignored.list(), carried: toCarried(request, ignored) };
}

/** Returns what only Anthropic's own API has a place for. */
function toCarried({ cache_control, output_config, thinking }: Fields, ignored: IgnoredPaths): Carried | undefined {
  const { effort } = toRecord(output_config);
  const fields = omitNullish({
    cache_control,
    effort: typeof effort === "string" && EFFORTS.has(effort) ? effort : undefined,
    thinking: isRecord(thinking) ? thinking : undefined,
  });
  if (fields.cache_control !== undefined) ignored.carry("cache_control");
  const paths = ignored.listCarried();
  return paths.length > 0 || Object.keys(fields).length > 0 ? { paths, fields, hasSplitTexts: true } : undefined;
}

function addFieldsWithoutEffect(request: Fields, ignored: IgnoredPaths): void {
  const { service_tier: tier } = request;
  if (request.context_management !== undefined && request.context_management !== null)
    ignored.add("context_management");
  if (tier !== undefined && tier !== null && !DEFAULT_SERVICE_TIERS.includes(String(tier))) ignored.add("service_tier");
}

function toChatMessages(system: unknown, messages: unknown, ignored: IgnoredPaths): Fields[] {
  const content = readSystemContent(system, "system", ignored);
  const systemMessages = content === null ? [] : [{ role: "system", content }];
  const turns = requireArray(messages, "messages").flatMap((raw, at) => toTurn(raw, `messages[${at}]`, ignored));
  return [...systemMessages, ...turns];
}

/** Returns a system prompt, without empty texts and Claude Code's billing line; null if nothing is left. */
function readSystemContent(system: unknown, param: string, ignored: IgnoredPaths): string | Fields[] | null {
  if (system === undefined || system === null) return null;
  const blocks = typeof system === "string" ? [{ text: system }] : requireArray(system, param);
  const path = param.startsWith("system") ? "system" : "messages";
  const parts = blocks.flatMap((raw, at) => {
    const block = requireObject(raw, `${param}[${at}]`);
    ignored.addOthers(block, ["type", "text", "cache_control"], path);
    const text = requireString(block.text, `${param}[${at}].text`);
    const prompt = text.replace(BILLING_LINE, "");
    if (prompt !== text) ignored.add("system.x-anthropic-billing-header");
    return prompt === "" ? [] : [{ type: "text", text: prompt, ...toCacheMark(block, path, ignored) }];
  });
  return parts.length > 0 ? toContent(parts, (texts) => texts.join("\n\n")) : null;
}

function toTurn(raw: unknown, param: string, ignored: IgnoredPaths): Fields[] {
  const turn = requireObject(raw, param);
  const { role, content } = turn;
  ignored.addOthers(turn, ["role", "content"], "messages");
  if (role === "system" || role === "developer") {
    const prompt = readSystemContent(content, `${param}.content`, ignored);
    return prompt === null ? [] : [{ role: "system", content: prompt }];
  }
  if (typeof content === "string") return [{ role, content }];
  const blocks = requireArray(content, `${param}.content`).map((block, at) => ({
    block: requireObject(block, `${param}.content[${at}]`),
    param: `${param}.content[${at}]`,
  }));
  return role === "assistant" ? toAssistantTurn(blocks, ignored) : toUserTurn(blocks, ignored);
}

type Block = { block: Fields; param: string };

/** Matches blocks of an assistant's message that only Anthropic's servers write and read. */
const SERVER_BLOCK = /^(?:server_tool_use|mcp_tool_use|container_upload|\w+_tool_result)$/;
const ASSISTANT_BLOCKS = "text, thinking or tool_use";

/** Returns the assistant's message; empty if all its blocks are ones that only Anthropic's servers read. */
function toAssistantTurn(blocks: readonly Block[], ignored: IgnoredPaths): Fields[] {
  const texts: string[] = [];
  const thoughts: string[] = [];
  const details: Fields[] = [];
  const calls: Fields[] = [];
  for (const { block, param } of blocks) {
    const { type } = block;
    if (type === "text") {
      ignored.addOthers(block, ["type", "text"], "messages");
      texts.push(requireString(block.text, `${param}.text`));
    } else if (type === "thinking") {
      ignored.addOthers(block, ["type", "thinking", "signature"], "messages");
      const thought = requireString(block.thinking, `${param}.thinking`);
      thoughts.push(thought);
      if (typeof block.signature === "string" && block.signature !== "") {
        ignored.carry("messages.signature");
        details.push(toSignedThought(thought, block.signature));
      }
    } else if (type === "redacted_thinking") {
      ignored.carry("messages.redacted_thinking");
      details.push(toHiddenThought(block.data));
    } else if (type === "tool_use") calls.push(toToolCall(block, param, ignored));
    else if (type === "compaction") {
      if (typeof block.content === "string") texts.push(block.content);
      else ignored.add("messages.compaction");
    } else if (SERVER_BLOCK.test(String(type)) && type !== "tool_result") ignored.add(`messages.${String(type)}`);
    else throw invalidField(`${param}.type`, ASSISTANT_BLOCKS);
  }
  if (texts.length + thoughts.length + calls.length === 0) return [];
  const turn = {
    role: "assistant",
    content: texts.length > 0 ? joinPieces(texts) : null,
    ...omitNullish({
      reasoning_content: thoughts.length > 0 ? thoughts.join("\n") : undefined,
      reasoning_details: details.length > 0 ? details : undefined,
      tool_calls: calls.length > 0 ? calls : undefined,
    }),
  };
  return [turn];
}

function toToolCall(block: Fields, param: string, ignored: IgnoredPaths): Fields {
  ignored.addOthers(block, ["type", "id", "name", "input"], "messages");
  const name = requireString(block.name, `${param}.name`);
  const toolFunction = { name, arguments: JSON.stringify(toSendable(block.input ?? {})) };
  return { id: requireString(block.id, `${param}.id`), type: "function", function: toolFunction };
}

/** Returns the messages of a user's turn. Tool results become separate messages, before the user's text. */
function toUserTurn(blocks: readonly Block[], ignored: IgnoredPaths): Fields[] {
  const results: Fields[] = [];
  const parts: Fields[] = [];
  for (const { block, param } of blocks)
    if (block.type === "tool_result") {
      ignored.addOthers(block, ["type", "tool_use_id", "content", "is_error", "cache_control"], "messages");
      const id = requireString(block.tool_use_id, `${param}.tool_use_id`);
      const mark = toCacheMark(block, "messages", ignored);
      results.push({ role: "tool", tool_call_id: id, content: toToolResult(block, param, ignored), ...mark });
    } else parts.push(...toUserPart(block, param, ignored));
  return parts.length > 0 ? [...results, { role: "user", content: userContent(parts) }] : results;
}

function toTemplateKwargs(thinking: unknown, ignored: IgnoredPaths): Fields | undefined {
  const options = toRecord(thinking);
  for (const name of Object.keys(omitNullish(options))) if (name !== "type") ignored.carry(`thinking.${name}`);
  return options.type === undefined ? undefined : { enable_thinking: options.type !== "disabled" };
}

/** Returns the effort and the format of the answer. `output_format` is the older name of the format. */
function toOutputFields({ output_config, output_format }: Fields, ignored: IgnoredPaths): Fields {
  const config = toRecord(output_config);
  ignored.addOthers(config, ["format", "effort"], "output_config");
  const { effort } = config;
  const format = toRecord(config.format ?? output_format);
  const path = config.format ? "output_config.format" : "output_format";
  if (format.type !== undefined && format.type !== "json_schema") ignored.add(path);
  ignored.addOthers(format, ["type", "schema"], path);
  return {
    reasoning_effort: typeof effort === "string" ? (EFFORTS.get(effort) ?? effort) : undefined,
    response_format:
      format.type === "json_schema"
        ? { type: "json_schema", json_schema: { name: "answer", schema: format.schema, strict: true } }
        : undefined,
  };
}

function toUserId(metadata: unknown, ignored: IgnoredPaths): string | undefined {
  const fields = toRecord(metadata);
  const { user_id: id } = fields;
  const isTaken = typeof id === "string" && id.length <= 256;
  ignored.addOthers(fields, isTaken ? ["user_id"] : [], "metadata");
  return isTaken ? id : undefined;
}
