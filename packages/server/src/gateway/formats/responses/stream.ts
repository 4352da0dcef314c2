import { bind } from "../../../platform/core/bind.ts";
import type { AppError } from "../../../platform/core/errors/index.ts";
import { upstreamError } from "../../upstream-errors.ts";
import type { ReportedUsage } from "../../usage/reported-usage.ts";
import type { ChatChoice, ChatDelta, Chunk, CompletionMeta } from "../chunks.ts";
import { type Fields, toArguments } from "../fields.ts";
import type { StreamWriter } from "../format.ts";
import type { ToolCallDelta } from "../tool-calls.ts";
import { readCustomInput } from "./custom-tools.ts";
import {
  type MessagePart,
  type OutputItem,
  type ResponseOutcome,
  toCallItem,
  toContentPart,
  toMessageItem,
  toReasoningItem,
  toResponse,
  toResponseOutcome,
} from "./response.ts";

/** The request that a streamed answer belongs to. `now` returns seconds since 1970. */
export type ResponseRequest = {
  request: Fields;
  requestId: string;
  customTools: ReadonlySet<unknown>;
  now(): number;
};

/** Output items that are still being streamed. */
type OpenReasoning = { type: "reasoning"; index: number; id: string; text: string };
type OpenMessage = { type: "message"; index: number; id: string; parts: MessagePart[] };
type OpenCall = {
  type: "call";
  index: number;
  id: string;
  callId: string;
  name: string;
  isCustom: boolean;
  text: string;
};
type OpenItem = OpenReasoning | OpenMessage | OpenCall;

/**
 * A streamed answer: the items so far, and the text of the events to be sent next. Tool calls stay open until the answer
 * ends, because their parts may come in any order and between text. Text and reasoning end when the other one begins.
 */
type ResponseStream = ResponseRequest & {
  readonly meta: CompletionMeta;
  /** The complete items, by their position in the output. */
  readonly doneItems: Map<number, OutputItem>;
  /** The open item with text: reasoning or a message. */
  openText: OpenReasoning | OpenMessage | null;
  /** The open tool calls, by the index that the reader has given them. */
  readonly openCalls: Map<number, OpenCall>;
  /** White space that is sent only if text follows. */
  space: string;
  itemCount: number;
  finishReason: string | null;
  /** The sequence number of the next event. */
  sequence: number;
  buffer: string;
};

/** Renders a streamed answer as Responses events. */
export function createResponseEvents(request: ResponseRequest, meta: CompletionMeta): StreamWriter {
  const stream: ResponseStream = {
    ...request,
    meta,
    doneItems: new Map(),
    openText: null,
    openCalls: new Map(),
    space: "",
    itemCount: 0,
    finishReason: null,
    sequence: 0,
    buffer: "",
  };
  return bind(stream, { chunk: writeChunk, end: writeEnd, error: writeError });
}

function writeChunk(stream: ResponseStream, chunk: Chunk): string {
  startResponse(stream);
  for (const choice of (chunk as Chunk<ChatChoice>).choices) {
    if (choice.index !== 0) continue;
    writeDelta(stream, choice.delta);
    stream.finishReason = choice.finish_reason ?? stream.finishReason;
  }
  return flush(stream);
}

function writeEnd(stream: ResponseStream, usage: ReportedUsage): string {
  startResponse(stream);
  const outcome = { ...toResponseOutcome(stream.finishReason), completedAt: stream.now() };
  const hasMessage =
    stream.openText?.type === "message" || [...stream.doneItems.values()].some(({ type }) => type === "message");
  if (stream.openCalls.size === 0 && (stream.space !== "" || !hasMessage)) appendText(stream, "output_text", "");
  closeAll(stream, outcome.status);
  emitResponse(stream, `response.${outcome.status}`, outcome, usage);
  return flush(stream);
}

function writeError(stream: ResponseStream, error: AppError): string {
  startResponse(stream);
  closeAll(stream, "incomplete");
  emitResponse(stream, "response.failed", { status: "failed", error }, null);
  return flush(stream);
}

function emit(stream: ResponseStream, type: string, fields: Fields): void {
  stream.buffer += `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: stream.sequence++, ...fields })}\n\n`;
}

function flush(stream: ResponseStream): string {
  const text = stream.buffer;
  stream.buffer = "";
  return text;
}

function emitResponse(
  stream: ResponseStream,
  type: string,
  outcome: ResponseOutcome,
  usage: ReportedUsage | null,
): void {
  const { request, meta, requestId, doneItems } = stream;
  const output = [...doneItems].sort(([one], [other]) => one - other).map(([, item]) => item);
  emit(stream, type, { response: toResponse(request, meta, requestId, output, outcome, usage) });
}

function startResponse(stream: ResponseStream): void {
  if (stream.sequence > 0) return;
  emitResponse(stream, "response.created", { status: "in_progress" }, null);
  emitResponse(stream, "response.in_progress", { status: "in_progress" }, null);
}

function itemPosition({ id, index }: OpenItem) {
  return { item_id: id, output_index: index };
}

function writeDelta(stream: ResponseStream, { reasoning_content, content, refusal, tool_calls }: ChatDelta): void {
  if (reasoning_content) writeReasoning(stream, reasoning_content);
  if (content) writeText(stream, content);
  if (typeof refusal === "string" && refusal !== "") appendText(stream, "refusal", refusal);
  for (const call of tool_calls ?? []) writeCall(stream, call);
}

function writeReasoning(stream: ResponseStream, delta: string): void {
  const item = stream.openText?.type === "reasoning" ? stream.openText : openReasoning(stream);
  item.text += delta;
  emit(stream, "response.reasoning_summary_text.delta", { ...itemPosition(item), summary_index: 0, delta });
}

/** White space starts no message: it may stand between the parts of a call. */
function writeText(stream: ResponseStream, text: string): void {
  if (stream.openText?.type !== "message" && (stream.space + text).trim() === "") stream.space += text;
  else appendText(stream, "output_text", text);
}

function appendText(stream: ResponseStream, type: MessagePart["type"], text: string): void {
  const delta = type === "output_text" ? stream.space + text : text;
  if (type === "output_text") stream.space = "";
  const item = stream.openText?.type === "message" ? stream.openText : openMessage(stream);
  const part = openPart(stream, item, type);
  if (delta === "") return;
  part.text += delta;
  const position = { ...itemPosition(item), content_index: item.parts.length - 1 };
  if (type === "refusal") emit(stream, "response.refusal.delta", { ...position, delta });
  else emit(stream, "response.output_text.delta", { ...position, delta, logprobs: [] });
}

function openPart(stream: ResponseStream, item: OpenMessage, type: MessagePart["type"]): MessagePart {
  const last = item.parts.at(-1);
  if (last?.type === type) return last;
  closePart(stream, item);
  const part: MessagePart = { type, text: "" };
  item.parts.push(part);
  const position = { ...itemPosition(item), content_index: item.parts.length - 1 };
  emit(stream, "response.content_part.added", { ...position, part: toContentPart(part, []) });
  return part;
}

function closePart(stream: ResponseStream, item: OpenMessage): void {
  const part = item.parts.at(-1);
  if (part === undefined) return;
  const { type, text } = part;
  const position = { ...itemPosition(item), content_index: item.parts.length - 1 };
  if (type === "refusal") emit(stream, "response.refusal.done", { ...position, refusal: text });
  else emit(stream, "response.output_text.done", { ...position, text, logprobs: [] });
  emit(stream, "response.content_part.done", { ...position, part: toContentPart(part, []) });
}

function openMessage(stream: ResponseStream): OpenMessage {
  closeText(stream, "completed");
  const index = stream.itemCount++;
  const item = toMessageItem(stream.requestId, index, [], "in_progress");
  emit(stream, "response.output_item.added", { output_index: index, item });
  const opened: OpenMessage = { type: "message", index, id: item.id, parts: [] };
  stream.openText = opened;
  return opened;
}

function openReasoning(stream: ResponseStream): OpenReasoning {
  closeText(stream, "completed");
  const index = stream.itemCount++;
  const item = { ...toReasoningItem(stream.requestId, index, ""), summary: [] };
  emit(stream, "response.output_item.added", { output_index: index, item });
  const opened: OpenReasoning = { type: "reasoning", index, id: item.id, text: "" };
  const part = { summary_index: 0, part: createSummaryPart("") };
  emit(stream, "response.reasoning_summary_part.added", { ...itemPosition(opened), ...part });
  stream.openText = opened;
  return opened;
}

function closeText(stream: ResponseStream, status: string): void {
  const { openText: item, requestId } = stream;
  stream.openText = null;
  if (item === null) return;
  if (item.type === "message") {
    closePart(stream, item);
    const content = item.parts.map((part) => toContentPart(part, undefined));
    finishItem(stream, item, toMessageItem(requestId, item.index, content, status));
    return;
  }
  const position = { ...itemPosition(item), summary_index: 0 };
  emit(stream, "response.reasoning_summary_text.done", { ...position, text: item.text });
  emit(stream, "response.reasoning_summary_part.done", { ...position, part: createSummaryPart(item.text) });
  finishItem(stream, item, toReasoningItem(requestId, item.index, item.text));
}

function writeCall(stream: ResponseStream, { index, id, function: { name, arguments: text } }: ToolCallDelta): void {
  const known = stream.openCalls.get(index);
  if (known === undefined && (id === undefined || name === undefined))
    throw upstreamError("The backend sent arguments of a call without a name.");
  const call = known ?? openCall(stream, index, id ?? "", name ?? "");
  call.text += text;
  // The input of a custom tool is a text inside the arguments. It is sent when they are complete.
  if (text === "" || call.isCustom) return;
  emit(stream, "response.function_call_arguments.delta", { ...itemPosition(call), delta: text });
}

function openCall(stream: ResponseStream, callIndex: number, callId: string, name: string): OpenCall {
  closeText(stream, "completed");
  const index = stream.itemCount++;
  const isCustom = stream.customTools.has(name);
  const item = toCallItem(stream.requestId, index, { callId, name, arguments: "", isCustom }, "in_progress");
  emit(stream, "response.output_item.added", { output_index: index, item });
  const opened: OpenCall = { type: "call", index, id: item.id, callId, name, isCustom, text: "" };
  stream.openCalls.set(callIndex, opened);
  return opened;
}

function closeCall(stream: ResponseStream, call: OpenCall, status: string): void {
  const position = itemPosition(call);
  const { name, isCustom, callId } = call;
  const text = isCustom || status === "incomplete" ? call.text : toArguments(call.text);
  if (isCustom) {
    const input = readCustomInput(text);
    if (input !== "") emit(stream, "response.custom_tool_call_input.delta", { ...position, delta: input });
    emit(stream, "response.custom_tool_call_input.done", { ...position, input });
  } else {
    if (text !== call.text) emit(stream, "response.function_call_arguments.delta", { ...position, delta: text });
    emit(stream, "response.function_call_arguments.done", { ...position, name, arguments: text });
  }
  finishItem(
    stream,
    call,
    toCallItem(stream.requestId, call.index, { callId, name, arguments: text, isCustom }, status),
  );
}

function finishItem(stream: ResponseStream, { index }: OpenItem, item: OutputItem): void {
  emit(stream, "response.output_item.done", { output_index: index, item });
  stream.doneItems.set(index, item);
}

function closeAll(stream: ResponseStream, status: string): void {
  closeText(stream, status);
  for (const call of stream.openCalls.values()) closeCall(stream, call, status);
  stream.openCalls.clear();
}

function createSummaryPart(text: string): Fields {
  return { type: "summary_text", text };
}
