import { errors } from "../../../core/errors/index.ts";
import type { ParsedRequest } from "../../call.ts";
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
import { createResponsesFormat } from "./format.ts";

/** Fields that chat completions have under the same name. */
const SHARED_FIELDS = ["temperature", "top_p", "stream", "parallel_tool_calls", "user", "top_logprobs"];
/** Fields that are translated. */
const TRANSLATED_FIELDS = [
  "input",
  "instructions",
  "max_output_tokens",
  "metadata",
  "model",
  "reasoning",
  "text",
  "tool_choice",
  "tools",
];
/** Fields without effect when no state is stored. */
const FIELDS_WITHOUT_EFFECT = [
  "background",
  "conversation",
  "include",
  "previous_response_id",
  "prompt",
  "store",
  "truncation",
];
const KNOWN_FIELDS = new Set([...SHARED_FIELDS, ...TRANSLATED_FIELDS, ...FIELDS_WITHOUT_EFFECT]);

/** Reads a request of OpenAI's Responses as a chat. */
export function readResponsesRequest(request: Fields & { model: string }, requestId: string): ParsedRequest {
  const { body, ignored } = responsesToChat(request);
  return { kind: "chat", body, ignored, format: createResponsesFormat(request, requestId) };
}

/**
 * Translates a Responses request to a chat completion request. No state is stored, so each request must contain the
 * whole conversation. Throws `unsupported_parameter` and `invalid_request`.
 */
export function responsesToChat(request: Fields & { model: string }): TranslatedRequest {
  refuseState(request);
  const ignored: string[] = [];
  const otherFields = Object.fromEntries(Object.entries(request).filter(([name]) => !KNOWN_FIELDS.has(name)));
  const tools = toTools(request.tools, ignored);
  const body = {
    ...otherFields,
    ...omitNullish(Object.fromEntries(SHARED_FIELDS.map((name) => [name, request[name]]))),
    ...omitNullish({
      max_tokens: request.max_output_tokens,
      reasoning_effort: (request.reasoning as Fields | undefined)?.effort,
      response_format: toResponseFormat(request.text),
      tools: tools.length > 0 ? tools : undefined,
      tool_choice: tools.length > 0 ? toToolChoice(request.tool_choice, ignored) : undefined,
      logprobs: request.top_logprobs ? true : undefined,
    }),
    model: request.model,
    messages: [...toSystemMessages(request.instructions), ...toChatMessages(request.input)],
  };
  return { body, ignored };
}

function refuseState(request: Fields): void {
  const statefulField = ["previous_response_id", "conversation", "prompt"].find((name) => request[name] != null);
  const param = statefulField ?? (request.store === true ? "store" : request.background === true ? "background" : null);
  if (param === null) return;
  throw errors.unsupportedParameter(
    `${param} needs answers that are kept, and none are kept here. Send the whole conversation in input, with store: false.`,
    { param },
  );
}

function toSystemMessages(instructions: unknown): Fields[] {
  return typeof instructions === "string" && instructions !== "" ? [{ role: "system", content: instructions }] : [];
}

function toChatMessages(input: unknown): Fields[] {
  if (typeof input === "string") return [{ role: "user", content: input }];
  const messages: Fields[] = [];
  let reasoning: string | undefined;
  const currentAssistant = (): Fields => {
    const last = messages.at(-1);
    if (last?.role === "assistant") return last;
    const created: Fields = { role: "assistant", content: null, ...omitNullish({ reasoning_content: reasoning }) };
    reasoning = undefined;
    messages.push(created);
    return created;
  };
  for (const [at, raw] of requireArray(input, "input").entries()) {
    const param = `input[${at}]`;
    const item = requireObject(raw, param);
    switch (item.type ?? "message") {
      case "message":
        messages.push({
          ...toChatMessage(item, param),
          ...(item.role === "assistant" && omitNullish({ reasoning_content: reasoning })),
        });
        if (item.role === "assistant") reasoning = undefined;
        break;
      case "function_call": {
        const turn = currentAssistant();
        turn.tool_calls = [...((turn.tool_calls as Fields[] | undefined) ?? []), toToolCall(item, param)];
        break;
      }
      case "function_call_output":
        messages.push({
          role: "tool",
          tool_call_id: requireString(item.call_id, `${param}.call_id`),
          content: toToolOutput(item.output, `${param}.output`),
        });
        break;
      case "reasoning":
        reasoning = toReasoning(item);
        break;
      default:
        throw invalidField(`${param}.type`, "message, function_call, function_call_output or reasoning");
    }
  }
  return messages;
}

function toChatMessage(item: Fields, param: string): Fields {
  const role = requireString(item.role, `${param}.role`);
  if (!["user", "assistant", "system", "developer"].includes(role))
    throw invalidField(`${param}.role`, "user, assistant, system or developer");
  if (typeof item.content === "string") return { role, content: item.content };
  const parts = requireArray(item.content, `${param}.content`).map((part, at) =>
    toContentPart(part, `${param}.content[${at}]`),
  );
  return { role, content: toContent(parts) };
}

function toContentPart(raw: unknown, param: string): Fields {
  const part = requireObject(raw, param);
  switch (part.type) {
    case "input_text":
    case "output_text":
    case "text":
      return { type: "text", text: requireString(part.text, `${param}.text`) };
    case "refusal":
      return { type: "text", text: requireString(part.refusal, `${param}.refusal`) };
    case "input_image":
      return {
        type: "image_url",
        image_url: omitNullish({ url: requireString(part.image_url, `${param}.image_url`), detail: part.detail }),
      };
    default:
      throw invalidField(`${param}.type`, "input_text, output_text, refusal or input_image");
  }
}

function toToolCall(item: Fields, param: string): Fields {
  const name = requireString(item.name, `${param}.name`);
  const text = requireString(item.arguments, `${param}.arguments`);
  return { id: requireString(item.call_id, `${param}.call_id`), type: "function", function: { name, arguments: text } };
}

function toToolOutput(output: unknown, param: string): string | Fields[] {
  if (typeof output === "string") return output;
  return toContent(requireArray(output, param).map((part, at) => toContentPart(part, `${param}[${at}]`)));
}

function toReasoning(item: Fields): string | undefined {
  const parts = [item.content, item.summary].find((list) => Array.isArray(list) && list.length > 0);
  if (!Array.isArray(parts)) return undefined;
  return parts.map((part: Fields) => (typeof part?.text === "string" ? part.text : "")).join("\n");
}

/** Drops tools that OpenAI runs itself and names them in `ignored`. */
function toTools(tools: unknown, ignored: string[]): Fields[] {
  if (tools === undefined || tools === null) return [];
  return requireArray(tools, "tools").flatMap((raw, at) => {
    const { type, name, description, parameters, strict } = requireObject(raw, `tools[${at}]`);
    if (type !== "function") {
      ignored.push(`tools.${String(type)}`);
      return [];
    }
    const definition = omitNullish({ name: requireString(name, `tools[${at}].name`), description, parameters, strict });
    return [{ type: "function", function: definition }];
  });
}

function toToolChoice(choice: unknown, ignored: string[]): unknown {
  if (choice === undefined || choice === null || typeof choice === "string") return choice;
  const { type, name, mode } = requireObject(choice, "tool_choice");
  if (type === "function") return { type, function: { name: requireString(name, "tool_choice.name") } };
  if (type === "allowed_tools") return mode;
  ignored.push("tool_choice");
  return undefined;
}

function toResponseFormat(text: unknown): unknown {
  const format = (text as Fields | undefined)?.format as Fields | undefined;
  if (!format || format.type === "text") return undefined;
  if (format.type === "json_object") return { type: "json_object" };
  if (format.type !== "json_schema") throw invalidField("text.format.type", "text, json_object or json_schema");
  const { name = "answer", schema, strict, description } = format;
  return { type: "json_schema", json_schema: omitNullish({ name, schema, strict, description }) };
}
