import type { ParsedRequest } from "../../call.ts";
import { estimatePromptTokens } from "../../token-estimates.ts";
import {
  type Fields,
  invalidField,
  omitNullish,
  requireArray,
  requireObject,
  requireString,
  type TranslatedRequest,
  toContent,
} from "../fields.ts";
import { createMessagesFormat } from "./format.ts";

/** Fields that chat completions have under the same name. */
const SHARED_FIELDS = ["max_tokens", "temperature", "top_p", "top_k", "stream"];
/** Fields that are translated, or that mean nothing to open models. */
const KNOWN_FIELDS = new Set([
  ...SHARED_FIELDS,
  "cache_control",
  "context_management",
  "messages",
  "metadata",
  "model",
  "output_config",
  "service_tier",
  "stop_sequences",
  "system",
  "thinking",
  "tool_choice",
  "tools",
]);

/** Reads a request of Anthropic's Messages as a chat. */
export function readMessagesRequest(request: Fields & { model: string }, requestId: string): ParsedRequest {
  const { body, ignored } = messagesToChat(request);
  return { kind: "chat", body, ignored, format: createMessagesFormat(requestId, () => estimatePromptTokens(body)) };
}

/** Translates a Messages request to a chat completion request. Throws `invalid_request`. */
export function messagesToChat(request: Fields & { model: string }): TranslatedRequest {
  const ignored: string[] = [];
  const otherFields = Object.fromEntries(Object.entries(request).filter(([name]) => !KNOWN_FIELDS.has(name)));
  const tools = toTools(request.tools, ignored);
  const body = {
    ...otherFields,
    ...omitNullish(Object.fromEntries(SHARED_FIELDS.map((name) => [name, request[name]]))),
    ...omitNullish({
      stop: request.stop_sequences,
      user: toUserId(request.metadata),
      response_format: toResponseFormat(request.output_config),
      chat_template_kwargs: toTemplateKwargs(request.thinking),
      tools: tools.length > 0 ? tools : undefined,
      ...(tools.length > 0 && toToolChoice(request.tool_choice)),
    }),
    model: request.model,
    messages: toChatMessages(request.system, request.messages),
  };
  return { body, ignored };
}

type Turn = { role: unknown; content: string | readonly Block[] };

/**
 * Builds the messages with a single system message at the start, because chat templates accept no other. Later system
 * messages are merged into the preceding user turn, or into the next one after an assistant turn.
 */
function toChatMessages(system: unknown, messages: unknown): Fields[] {
  const texts = readSystemTexts(system);
  const turns: Turn[] = [];
  let pendingBlocks: Block[] = [];
  for (const turn of requireArray(messages, "messages").map(parseTurn)) {
    const last = turns.at(-1);
    if (turn.role === "system" || turn.role === "developer") {
      const addedTexts = contentBlocks(turn).map(({ block, param }) => requireString(block.text, `${param}.text`));
      if (!last) texts.push(...addedTexts);
      else if (last.role === "user")
        last.content = [...contentBlocks(last), ...addedTexts.map((text) => createTextBlock(`\n\n${text}`))];
      else pendingBlocks.push(...addedTexts.map((text) => createTextBlock(`${text}\n\n`)));
    } else if (turn.role === "user") {
      turns.push(pendingBlocks.length > 0 ? { ...turn, content: [...pendingBlocks, ...contentBlocks(turn)] } : turn);
      pendingBlocks = [];
    } else {
      if (pendingBlocks.length > 0) turns.push({ role: "user", content: pendingBlocks });
      turns.push(turn);
      pendingBlocks = [];
    }
  }
  if (pendingBlocks.length > 0) turns.push({ role: "user", content: pendingBlocks });
  const systemMessages = texts.length > 0 ? [{ role: "system", content: texts.join("\n\n") }] : [];
  return [...systemMessages, ...turns.flatMap(turnToMessages)];
}

function readSystemTexts(system: unknown): string[] {
  if (system === undefined || system === null || system === "") return [];
  if (typeof system === "string") return [system];
  return requireArray(system, "system").map((block, at) =>
    requireString(requireObject(block, `system[${at}]`).text, `system[${at}].text`),
  );
}

function parseTurn(raw: unknown, at: number): Turn {
  const param = `messages[${at}]`;
  const { role, content } = requireObject(raw, param);
  if (typeof content === "string") return { role, content };
  const blocks = requireArray(content, `${param}.content`).map((block, index) => ({
    block: requireObject(block, `${param}.content[${index}]`),
    param: `${param}.content[${index}]`,
  }));
  return { role, content: blocks };
}

function contentBlocks({ content }: Turn): readonly Block[] {
  return typeof content === "string" ? [createTextBlock(content)] : content;
}

function createTextBlock(text: string): Block {
  return { block: { type: "text", text }, param: "messages" };
}

function turnToMessages({ role, content }: Turn): Fields[] {
  if (typeof content === "string") return [{ role, content }];
  return role === "assistant" ? [toAssistantMessage(content)] : toUserMessages(content);
}

type Block = { block: Fields; param: string };

function toAssistantMessage(blocks: readonly Block[]): Fields {
  const texts: string[] = [];
  const thoughts: string[] = [];
  const calls: Fields[] = [];
  for (const { block, param } of blocks)
    switch (block.type) {
      case "text":
        texts.push(requireString(block.text, `${param}.text`));
        break;
      case "thinking":
        thoughts.push(requireString(block.thinking, `${param}.thinking`));
        break;
      case "tool_use": {
        const name = requireString(block.name, `${param}.name`);
        const toolFunction = { name, arguments: JSON.stringify(block.input ?? {}) };
        calls.push({ id: requireString(block.id, `${param}.id`), type: "function", function: toolFunction });
        break;
      }
      case "redacted_thinking":
        break;
      default:
        throw invalidField(`${param}.type`, "text, thinking or tool_use");
    }
  return {
    role: "assistant",
    content: texts.length > 0 ? texts.join("") : null,
    ...omitNullish({
      reasoning_content: thoughts.length > 0 ? thoughts.join("\n") : undefined,
      tool_calls: calls.length > 0 ? calls : undefined,
    }),
  };
}

/** Tool results become messages of their own, before the user's text. */
function toUserMessages(blocks: readonly Block[]): Fields[] {
  const results: Fields[] = [];
  const parts: Fields[] = [];
  for (const { block, param } of blocks)
    if (block.type === "tool_result")
      results.push({
        role: "tool",
        tool_call_id: requireString(block.tool_use_id, `${param}.tool_use_id`),
        content: toToolResult(block, param),
      });
    else parts.push(toContentPart(block, param));
  return parts.length > 0 ? [...results, { role: "user", content: toContent(parts) }] : results;
}

function toToolResult({ content, is_error }: Fields, param: string): string | Fields[] {
  if (content === undefined || content === null) return is_error ? "Error" : "";
  if (typeof content === "string") return content;
  return toContent(
    requireArray(content, `${param}.content`).map((part, at) =>
      toContentPart(requireObject(part, `${param}.content[${at}]`), `${param}.content[${at}]`),
    ),
  );
}

function toContentPart(block: Fields, param: string): Fields {
  if (block.type === "text") return { type: "text", text: requireString(block.text, `${param}.text`) };
  if (block.type === "image")
    return { type: "image_url", image_url: { url: toImageUrl(block.source, `${param}.source`) } };
  const source = block.type === "document" ? requireObject(block.source, `${param}.source`) : null;
  if (source?.type === "text") return { type: "text", text: requireString(source.data, `${param}.source.data`) };
  throw invalidField(`${param}.type`, "text, image, tool_result or a document of plain text");
}

function toImageUrl(raw: unknown, param: string): string {
  const source = requireObject(raw, param);
  if (source.type === "url") return requireString(source.url, `${param}.url`);
  if (source.type !== "base64") throw invalidField(`${param}.type`, "base64 or url");
  return `data:${requireString(source.media_type, `${param}.media_type`)};base64,${requireString(source.data, `${param}.data`)}`;
}

/** Drops tools that Anthropic runs itself and names them in `ignored`. */
function toTools(tools: unknown, ignored: string[]): Fields[] {
  if (tools === undefined || tools === null) return [];
  return requireArray(tools, "tools").flatMap((raw, at) => {
    const { type, name, description, input_schema } = requireObject(raw, `tools[${at}]`);
    if (type !== undefined && type !== null && type !== "custom") {
      ignored.push(`tools.${String(type)}`);
      return [];
    }
    const definition = omitNullish({
      name: requireString(name, `tools[${at}].name`),
      description,
      parameters: input_schema,
    });
    return [{ type: "function", function: definition }];
  });
}

function toToolChoice(choice: unknown): Fields {
  if (choice === undefined || choice === null) return {};
  const { type, name, disable_parallel_tool_use } = requireObject(choice, "tool_choice");
  const parallel = disable_parallel_tool_use === true ? { parallel_tool_calls: false } : {};
  switch (type) {
    case "auto":
    case "none":
      return { ...parallel, tool_choice: type };
    case "any":
      return { ...parallel, tool_choice: "required" };
    case "tool":
      return {
        ...parallel,
        tool_choice: { type: "function", function: { name: requireString(name, "tool_choice.name") } },
      };
    default:
      throw invalidField("tool_choice.type", "auto, any, tool or none");
  }
}

function toTemplateKwargs(thinking: unknown): Fields | undefined {
  const type = (thinking as Fields | undefined)?.type;
  return type === undefined ? undefined : { enable_thinking: type !== "disabled" };
}

function toResponseFormat(config: unknown): Fields | undefined {
  const format = (config as Fields | undefined)?.format as Fields | undefined;
  if (format?.type !== "json_schema") return undefined;
  return { type: "json_schema", json_schema: { name: "answer", schema: format.schema, strict: true } };
}

function toUserId(metadata: unknown): string | undefined {
  const id = (metadata as Fields | undefined)?.user_id;
  return typeof id === "string" && id.length <= 256 ? id : undefined;
}
