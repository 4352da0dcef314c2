import { bind } from "../../../platform/core/bind.ts";
import { toAnthropicEnvelope } from "../../../platform/core/errors/envelopes.ts";
import type { AppError } from "../../../platform/core/errors/index.ts";
import { upstreamError } from "../../upstream-errors.ts";
import { type ReportedUsage, toEstimatedUsage } from "../../usage/reported-usage.ts";
import type { ChatChoice, ChatDelta, Chunk, CompletionMeta } from "../chunks.ts";
import { type Fields, toRecord } from "../fields.ts";
import type { StreamWriter } from "../format.ts";
import { toHiddenData } from "../reasoning-details.ts";
import type { ToolCallDelta } from "../tool-calls.ts";
import { isWholeObject, toInput } from "./input.ts";
import { createMessageHead, readRefusal, toAnthropicUsage, toStopReason } from "./message.ts";

/** A block of text or reasoning. `unsent` has not been sent yet. */
type TextBlock = { type: "thinking"; unsent: string; signature: string } | { type: "text"; unsent: string };
/** Reasoning that only its model can read. */
type HiddenBlock = { type: "redacted_thinking"; data: unknown; unsent: "" };
/**
 * A tool call with its arguments so far. `isObject` says whether the arguments begin an object. `checked` is their length
 * at the last check of whether they are complete.
 */
type CallBlock = {
  type: "tool_use";
  id: string;
  name: string;
  text: string;
  unsent: string;
  isObject: boolean;
  checked: number;
};
type Block = TextBlock | HiddenBlock | CallBlock;

/**
 * A streamed answer. In the Messages format one block is open at a time, and a closed block cannot be continued. So only
 * the first of `blocks` is open, and the others wait until it is complete.
 */
type MessageStream = {
  readonly requestId: string;
  readonly model: string;
  readonly promptTokens: () => number;
  hasStarted: boolean;
  /** The open block and those that wait for its end. */
  readonly blocks: Block[];
  isOpen: boolean;
  /** The index of the last block that was started; -1 before the first. */
  index: number;
  /** White space that is sent only if text follows. */
  space: string;
  /** The tool calls so far, by the index that the reader has given them. */
  readonly calls: Map<number, CallBlock>;
  isRefused: boolean;
  lastStop: { finishReason: string | null; choice: object };
  buffer: string;
};

/** Renders a streamed answer as Messages events, one content block after the other. */
export function createMessageEvents(
  requestId: string,
  { model }: CompletionMeta,
  promptTokens: () => number,
): StreamWriter {
  const stream: MessageStream = {
    requestId,
    model,
    promptTokens,
    hasStarted: false,
    blocks: [],
    isOpen: false,
    index: -1,
    space: "",
    calls: new Map(),
    isRefused: false,
    lastStop: { finishReason: null, choice: {} },
    buffer: "",
  };
  return bind(stream, { chunk: writeChunk, end: writeEnd, error: writeError });
}

function writeChunk(stream: MessageStream, chunk: Chunk): string {
  startMessage(stream);
  for (const choice of (chunk as Chunk<ChatChoice>).choices) {
    if (choice.index !== 0) continue;
    readDelta(stream, choice.delta);
    if (choice.finish_reason !== null) stream.lastStop = { finishReason: choice.finish_reason, choice };
  }
  writeBlocks(stream);
  return flush(stream);
}

function writeEnd(stream: MessageStream, usage: ReportedUsage): string {
  startMessage(stream);
  if (stream.space !== "" && stream.calls.size === 0) appendText(stream, "text", "");
  writeBlocks(stream);
  while (stream.blocks.length > 0) {
    closeBlock(stream);
    writeBlocks(stream);
  }
  const { finishReason, choice } = stream.lastStop;
  emit(stream, "message_delta", {
    delta: toStopReason(finishReason, choice, stream.isRefused),
    usage: toAnthropicUsage(usage),
  });
  emit(stream, "message_stop", {});
  return flush(stream);
}

function writeError(stream: MessageStream, error: AppError): string {
  stream.buffer = "";
  emit(stream, "error", toAnthropicEnvelope(error, stream.requestId));
  return flush(stream);
}

function emit(stream: MessageStream, type: string, fields: Fields): void {
  stream.buffer += `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}

function flush(stream: MessageStream): string {
  const text = stream.buffer;
  stream.buffer = "";
  return text;
}

function startMessage(stream: MessageStream): void {
  if (stream.hasStarted) return;
  stream.hasStarted = true;
  const usage = toAnthropicUsage(toEstimatedUsage(stream.promptTokens(), 0));
  const emptyMessage = {
    ...createMessageHead(stream.requestId, stream.model),
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage,
  };
  emit(stream, "message_start", { message: emptyMessage });
}

function readDelta(stream: MessageStream, delta: ChatDelta): void {
  const { reasoning_content: reasoning, content, tool_calls: calls } = delta;
  const refusal = readRefusal(delta);
  if (reasoning) appendText(stream, "thinking", reasoning);
  if (Array.isArray(delta.reasoning_details)) for (const detail of delta.reasoning_details) readDetail(stream, detail);
  if (content) readText(stream, content);
  if (refusal !== "") {
    stream.isRefused = true;
    readText(stream, refusal);
  }
  for (const call of calls ?? []) readCall(stream, call);
}

/** Reads the signature of the reasoning before it, or reasoning that only its model can read. */
function readDetail(stream: MessageStream, detail: unknown): void {
  const { type, signature, ...others } = toRecord(detail);
  if (type === "reasoning.encrypted")
    stream.blocks.push({ type: "redacted_thinking", data: toHiddenData(others), unsent: "" });
  if (type !== "reasoning.text" || typeof signature !== "string") return;
  if (stream.blocks.at(-1)?.type !== "thinking") stream.blocks.push({ type: "thinking", unsent: "", signature: "" });
  const last = stream.blocks.at(-1);
  if (last?.type === "thinking") last.signature = signature;
}

/** White space starts no block: it may stand between the parts of a call, and Anthropic's API rejects such blocks. */
function readText(stream: MessageStream, text: string): void {
  if (stream.blocks.at(-1)?.type !== "text" && (stream.space + text).trim() === "") stream.space += text;
  else appendText(stream, "text", text);
}

function appendText(stream: MessageStream, type: "thinking" | "text", text: string): void {
  const last = stream.blocks.at(-1);
  const addition = type === "text" ? stream.space + text : text;
  if (type === "text") stream.space = "";
  if (last?.type === type) last.unsent += addition;
  else stream.blocks.push(type === "text" ? { type, unsent: addition } : { type, unsent: addition, signature: "" });
}

function readCall(stream: MessageStream, { index, id, function: { name, arguments: text } }: ToolCallDelta): void {
  const known = stream.calls.get(index);
  if (known !== undefined) {
    appendArguments(stream, known, text);
    return;
  }
  if (id === undefined || name === undefined)
    throw upstreamError("The backend sent arguments of a call without a name.");
  const block: CallBlock = { type: "tool_use", id, name, text, unsent: text, isObject: false, checked: 0 };
  stream.calls.set(index, block);
  stream.blocks.push(block);
}

function appendArguments({ blocks }: MessageStream, block: CallBlock, text: string): void {
  if (!blocks.includes(block)) {
    if (text.trim() === "") return;
    throw upstreamError("The backend went on with the arguments of a call that was complete.");
  }
  block.text += text;
  block.unsent += text;
}

/** Sends the unsent part of the open block, and of the following ones if all blocks before them are complete. */
function writeBlocks(stream: MessageStream): void {
  const { blocks } = stream;
  for (let block = blocks[0]; block !== undefined; block = blocks[0]) {
    writeBlock(stream, block);
    if (blocks.length === 1 || !isComplete(block)) return;
    closeBlock(stream);
  }
}

/** Returns whether a block for which others wait is complete. More text would start a new block. */
function isComplete(block: Block): boolean {
  if (block.type !== "tool_use") return true;
  if (block.text.length === block.checked) return false;
  block.checked = block.text.length;
  return isWholeObject(block.text);
}

function writeBlock(stream: MessageStream, block: Block): void {
  if (!stream.isOpen) {
    stream.index += 1;
    stream.isOpen = true;
    emit(stream, "content_block_start", { index: stream.index, content_block: toEmptyBlock(block) });
  }
  // Arguments that are not an object are put into one when they are complete.
  if (block.type === "tool_use") block.isObject ||= block.unsent.trimStart().startsWith("{");
  if (block.type === "tool_use" && !block.isObject) return;
  sendDelta(stream, block, block.unsent);
  block.unsent = "";
}

function toEmptyBlock(block: Block): Fields {
  switch (block.type) {
    case "tool_use":
      return { type: "tool_use", id: block.id, name: block.name, input: {} };
    case "thinking":
      return { type: "thinking", thinking: "", signature: "" };
    case "redacted_thinking":
      return { type: "redacted_thinking", data: block.data };
    case "text":
      return { type: "text", text: "" };
  }
}

function sendDelta(stream: MessageStream, { type }: Block, text: string): void {
  if (text === "" || type === "redacted_thinking") return;
  const deltas = {
    text: { type: "text_delta", text },
    thinking: { type: "thinking_delta", thinking: text },
    tool_use: { type: "input_json_delta", partial_json: text },
  };
  emit(stream, "content_block_delta", { index: stream.index, delta: deltas[type] });
}

/** Closes the open block. */
function closeBlock(stream: MessageStream): void {
  const block = stream.blocks.shift();
  if (block === undefined) return;
  if (block.type === "tool_use" && !block.isObject) {
    const input = JSON.stringify(toInput(block.text));
    if (input !== "{}") sendDelta(stream, block, input);
  }
  if (block.type === "thinking" && block.signature !== "") {
    const delta = { type: "signature_delta", signature: block.signature };
    emit(stream, "content_block_delta", { index: stream.index, delta });
  }
  emit(stream, "content_block_stop", { index: stream.index });
  stream.isOpen = false;
}
