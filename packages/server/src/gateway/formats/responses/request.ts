import type { Clock } from "../../../platform/core/clock.ts";
import { errors } from "../../../platform/core/errors/index.ts";
import {
  createIgnoredPaths,
  type Fields,
  type IgnoredPaths,
  invalidField,
  omitNullish,
  type TranslatedRequest,
  toRecord,
} from "../fields.ts";
import type { ParsedRequest } from "../parsed-request.ts";
import { createResponsesFormat } from "./format.ts";
import { toChatMessages } from "./input.ts";
import { toToolFields } from "./tools.ts";

/** Fields that chat completions have under the same name. */
const SHARED_FIELDS = ["temperature", "top_p", "stream", "user", "top_logprobs"];
/** Fields that are translated or listed as ignored here. */
const KNOWN_FIELDS = new Set([
  ...SHARED_FIELDS,
  "background",
  "conversation",
  "include",
  "input",
  "instructions",
  "max_output_tokens",
  "metadata",
  "model",
  "parallel_tool_calls",
  "previous_response_id",
  "prompt",
  "reasoning",
  "store",
  "text",
  "tool_choice",
  "tools",
  "truncation",
]);

/** Reads a request of OpenAI's Responses as a chat. */
export function readResponsesRequest(
  request: Fields & { model: string },
  requestId: string,
  clock: Clock,
): ParsedRequest {
  const { body, ignored } = responsesToChat(request);
  return { kind: "chat", body, ignored, format: createResponsesFormat(request, requestId, clock) };
}

/**
 * Translates a Responses request to a chat completion request. No state is stored, so each request must contain the
 * whole conversation. Throws `unsupported_parameter` and `invalid_request`.
 */
export function responsesToChat(request: Fields & { model: string }): TranslatedRequest {
  refuseState(request);
  const ignored = createIgnoredPaths();
  const otherFields = Object.fromEntries(Object.entries(request).filter(([name]) => !KNOWN_FIELDS.has(name)));
  const body = {
    ...otherFields,
    ...omitNullish(Object.fromEntries(SHARED_FIELDS.map((name) => [name, request[name]]))),
    ...omitNullish({
      max_tokens: request.max_output_tokens,
      reasoning_effort: toEffort(request.reasoning, ignored),
      response_format: toResponseFormat(request.text, ignored),
      ...toToolFields(request, ignored),
      logprobs: request.top_logprobs ? true : undefined,
    }),
    model: request.model,
    messages: [...toSystemMessages(request.instructions), ...toChatMessages(request.input, ignored)],
  };
  addFieldsWithoutEffect(request, ignored);
  return { body, ignored: ignored.list() };
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

function addFieldsWithoutEffect({ include, truncation }: Fields, ignored: IgnoredPaths): void {
  if (Array.isArray(include) && include.length > 0) ignored.add("include");
  if (truncation !== undefined && truncation !== null && truncation !== "disabled") ignored.add("truncation");
}

function toSystemMessages(instructions: unknown): Fields[] {
  return typeof instructions === "string" && instructions !== "" ? [{ role: "system", content: instructions }] : [];
}

/**
 * Returns the effort. The answer always has the model's reasoning as its summary, so only a request for another kind of
 * summary is listed as ignored.
 */
function toEffort(reasoning: unknown, ignored: IgnoredPaths): unknown {
  const { effort, summary, ...others } = toRecord(reasoning);
  if (summary !== undefined && summary !== null && summary !== "auto") ignored.add("reasoning.summary");
  ignored.addOthers(others, [], "reasoning");
  return effort;
}

function toResponseFormat(text: unknown, ignored: IgnoredPaths): unknown {
  const options = toRecord(text);
  ignored.addOthers(options, ["format"], "text");
  const format = toRecord(options.format);
  if (format.type === undefined || format.type === "text") return undefined;
  if (format.type === "json_object") return { type: "json_object" };
  if (format.type !== "json_schema") throw invalidField("text.format.type", "text, json_object or json_schema");
  ignored.addOthers(format, ["type", "name", "schema", "strict", "description"], "text.format");
  const { schema, strict, description } = format;
  return {
    type: "json_schema",
    json_schema: omitNullish({ name: format.name ?? "answer", schema, strict, description }),
  };
}
