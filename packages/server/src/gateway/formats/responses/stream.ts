import { bind } from "../../../core/bind.ts";
import type { AppError } from "../../../core/errors/index.ts";
import type { ReportedUsage } from "../../reported-usage.ts";
import type { ChatChoice, ChatDelta, Chunk, CompletionMeta } from "../chunks.ts";
import type { Fields } from "../fields.ts";
import type { StreamWriter } from "../format.ts";
import type { ToolCallDelta } from "../tool-calls.ts";
import {
  type OutputItem,
  type ResponseOutcome,
  toFunctionCallItem,
  toMessageItem,
  toReasoningItem,
  toResponse,
  toResponseOutcome,
} from "./response.ts";

/** An output item that is still being streamed. */
type OpenItem =
  | { type: "reasoning" | "message"; index: number; id: string; text: string }
  | { type: "call"; index: number; id: string; text: string; callId: string; name: string };

/** A streamed answer: what was sent so far, and the text of the events that are to be sent next. */
type ResponseStream = {
  readonly request: Fields;
  readonly requestId: string;
  readonly meta: CompletionMeta;
  readonly doneItems: OutputItem[];
  openItems: OpenItem[];
  /** The open tool calls by the index that the backend gave them. */
  readonly openCalls: Map<number, OpenItem>;
  finishReason: string | null;
  /** Sequence number of the next event. */
  sequence: number;
  buffer: string;
};

/** Renders a streamed answer as Responses events. */
export function createResponseEvents(request: Fields, requestId: string, meta: CompletionMeta): StreamWriter {
  const stream: ResponseStream = {
    request,
    requestId,
    meta,
    doneItems: [],
    openItems: [],
    openCalls: new Map(),
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
  const outcome = toResponseOutcome(stream.finishReason);
  if (nextIndex(stream) === 0) openTextItem(stream, "message");
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
  emit(stream, type, { response: toResponse(request, meta, requestId, doneItems, outcome, usage) });
}

function startResponse(stream: ResponseStream): void {
  if (stream.sequence > 0) return;
  emitResponse(stream, "response.created", { status: "in_progress" }, null);
  emitResponse(stream, "response.in_progress", { status: "in_progress" }, null);
}

function itemPosition({ id, index }: OpenItem) {
  return { item_id: id, output_index: index };
}

function nextIndex({ doneItems, openItems }: ResponseStream): number {
  return doneItems.length + openItems.length;
}

function openTextItem(stream: ResponseStream, type: "reasoning" | "message"): OpenItem {
  const existing = stream.openItems.find((item) => item.type === type);
  if (existing) return existing;
  closeAll(stream, "completed");
  const index = nextIndex(stream);
  const item =
    type === "reasoning"
      ? { ...toReasoningItem(stream.requestId, index, ""), summary: [] }
      : { ...toMessageItem(stream.requestId, index, "", "in_progress"), content: [] };
  emit(stream, "response.output_item.added", { output_index: index, item });
  const newItem: OpenItem = { type, index, id: item.id, text: "" };
  const position = itemPosition(newItem);
  if (type === "reasoning")
    emit(stream, "response.reasoning_summary_part.added", {
      ...position,
      summary_index: 0,
      part: createSummaryPart(""),
    });
  else emit(stream, "response.content_part.added", { ...position, content_index: 0, part: createTextPart("") });
  stream.openItems.push(newItem);
  return newItem;
}

function openCallItem(stream: ResponseStream, callId: string, name: string): OpenItem {
  if (stream.openItems.some(({ type }) => type !== "call")) closeAll(stream, "completed");
  const index = nextIndex(stream);
  const item = toFunctionCallItem(stream.requestId, index, { callId, name, arguments: "" }, "in_progress");
  emit(stream, "response.output_item.added", { output_index: index, item });
  const newItem: OpenItem = { type: "call", index, id: item.id, text: "", callId, name };
  stream.openItems.push(newItem);
  return newItem;
}

function closeItem(stream: ResponseStream, item: OpenItem, status: string): void {
  const { requestId, doneItems } = stream;
  const position = itemPosition(item);
  let doneItem: OutputItem;
  if (item.type === "call") {
    doneItem = toFunctionCallItem(requestId, item.index, { ...item, arguments: item.text }, status);
    emit(stream, "response.function_call_arguments.done", { ...position, name: item.name, arguments: item.text });
  } else if (item.type === "reasoning") {
    doneItem = toReasoningItem(requestId, item.index, item.text);
    emit(stream, "response.reasoning_summary_text.done", { ...position, summary_index: 0, text: item.text });
    emit(stream, "response.reasoning_summary_part.done", {
      ...position,
      summary_index: 0,
      part: createSummaryPart(item.text),
    });
  } else {
    doneItem = toMessageItem(requestId, item.index, item.text, status);
    emit(stream, "response.output_text.done", { ...position, content_index: 0, text: item.text, logprobs: [] });
    emit(stream, "response.content_part.done", { ...position, content_index: 0, part: createTextPart(item.text) });
  }
  emit(stream, "response.output_item.done", { output_index: item.index, item: doneItem });
  doneItems.push(doneItem);
}

function closeAll(stream: ResponseStream, status: string): void {
  for (const item of stream.openItems) closeItem(stream, item, status);
  stream.openItems = [];
  stream.openCalls.clear();
}

function writeCall(stream: ResponseStream, { index, id, function: { name, arguments: text } }: ToolCallDelta): void {
  let call = stream.openCalls.get(index);
  if (!call && id !== undefined && name !== undefined) {
    call = openCallItem(stream, id, name);
    stream.openCalls.set(index, call);
  }
  if (!call || text === "") return;
  call.text += text;
  emit(stream, "response.function_call_arguments.delta", { ...itemPosition(call), delta: text });
}

function writeDelta(stream: ResponseStream, { reasoning_content, content, tool_calls = [] }: ChatDelta): void {
  if (reasoning_content) {
    const item = openTextItem(stream, "reasoning");
    item.text += reasoning_content;
    emit(stream, "response.reasoning_summary_text.delta", {
      ...itemPosition(item),
      summary_index: 0,
      delta: reasoning_content,
    });
  }
  if (content) {
    const item = openTextItem(stream, "message");
    item.text += content;
    emit(stream, "response.output_text.delta", {
      ...itemPosition(item),
      content_index: 0,
      delta: content,
      logprobs: [],
    });
  }
  for (const call of tool_calls) writeCall(stream, call);
}

function createSummaryPart(text: string): Fields {
  return { type: "summary_text", text };
}

function createTextPart(text: string): Fields {
  return { type: "output_text", text, annotations: [], logprobs: [] };
}
