import { bind } from "../../../core/bind.ts";
import { toAnthropicEnvelope } from "../../../core/errors/envelopes.ts";
import type { AppError } from "../../../core/errors/index.ts";
import { type ReportedUsage, toEstimatedUsage } from "../../reported-usage.ts";
import { upstreamError } from "../../upstream/upstream-errors.ts";
import type { AnswerChoice } from "../answers.ts";
import type { ChatChoice, ChatDelta, Chunk, CompletionMeta } from "../chunks.ts";
import type { Fields } from "../fields.ts";
import type { AnswerFormat, StreamWriter } from "../format.ts";

/** Anthropic's Messages format. `promptTokens` estimates the input tokens for the first event of a stream. */
export function createMessagesFormat(requestId: string, promptTokens: () => number): AnswerFormat {
  return {
    buffered({ choices, model }, usage) {
      const [choice] = choices;
      return {
        ...createMessageHead(requestId, model),
        content: choice ? toContentBlocks(choice) : [],
        ...toStopReason(choice?.finish_reason ?? null, choice),
        usage: toAnthropicUsage(usage),
      };
    },
    stream: (meta) => createMessageEvents(requestId, meta, promptTokens),
  };
}

function createMessageHead(requestId: string, model: string) {
  return { id: `msg_${requestId}`, type: "message", role: "assistant", model };
}

function toContentBlocks({ message: answerMessage }: AnswerChoice): Fields[] {
  const blocks: Fields[] = [];
  const { reasoning_content, content, tool_calls = [] } = answerMessage ?? { content: null };
  if (reasoning_content) blocks.push({ type: "thinking", thinking: reasoning_content, signature: "" });
  if (content) blocks.push({ type: "text", text: content });
  for (const { id, function: toolFunction } of tool_calls)
    blocks.push({ type: "tool_use", id, name: toolFunction.name, input: parseArguments(toolFunction.arguments) });
  return blocks;
}

function parseArguments(text: string): unknown {
  try {
    return JSON.parse(text === "" ? "{}" : text);
  } catch {
    return { arguments: text }; // the model generated invalid JSON
  }
}

/** Anthropic's stop reason. Some backends report the stop sequence that matched. */
function toStopReason(finishReason: string | null, choice: object | undefined) {
  const { stop_reason: text } = (choice ?? {}) as { stop_reason?: unknown };
  if (finishReason === "length") return { stop_reason: "max_tokens", stop_sequence: null };
  if (finishReason === "tool_calls") return { stop_reason: "tool_use", stop_sequence: null };
  if (finishReason === "content_filter") return { stop_reason: "refusal", stop_sequence: null };
  if (typeof text === "string") return { stop_reason: "stop_sequence", stop_sequence: text };
  return { stop_reason: "end_turn", stop_sequence: null };
}

/** Usage of a message. Its clients require the cached tokens, so that these are 0 where the backend does not say. */
function toAnthropicUsage({ prompt, completion, cached }: ReportedUsage) {
  return {
    input_tokens: Math.max(0, prompt - (cached ?? 0)),
    cache_read_input_tokens: cached ?? 0,
    cache_creation_input_tokens: 0,
    output_tokens: completion,
  };
}

type BlockType = "thinking" | "text" | "tool_use";

/** A streamed answer: what was sent so far, and the text of the events that are to be sent next. */
type MessageStream = {
  readonly requestId: string;
  readonly model: string;
  readonly promptTokens: () => number;
  hasStarted: boolean;
  /** Index of the last content block; -1 before the first. */
  index: number;
  openBlock: BlockType | null;
  /** Index of the tool call in the open block. */
  openCall: number | null;
  lastStop: { finishReason: string | null; choice: object };
  buffer: string;
};

/** Renders a streamed answer as Messages events, one content block after the other. */
function createMessageEvents(requestId: string, { model }: CompletionMeta, promptTokens: () => number): StreamWriter {
  const stream: MessageStream = {
    requestId,
    model,
    promptTokens,
    hasStarted: false,
    index: -1,
    openBlock: null,
    openCall: null,
    lastStop: { finishReason: null, choice: {} },
    buffer: "",
  };
  return bind(stream, { chunk: writeChunk, end: writeEnd, error: writeError });
}

function writeChunk(stream: MessageStream, chunk: Chunk): string {
  startMessage(stream);
  for (const choice of (chunk as Chunk<ChatChoice>).choices) {
    if (choice.index !== 0) continue;
    writeDelta(stream, choice.delta);
    if (choice.finish_reason !== null) stream.lastStop = { finishReason: choice.finish_reason, choice };
  }
  return flush(stream);
}

function writeEnd(stream: MessageStream, usage: ReportedUsage): string {
  startMessage(stream);
  closeBlock(stream);
  emit(stream, "message_delta", {
    delta: toStopReason(stream.lastStop.finishReason, stream.lastStop.choice),
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

function startBlock(stream: MessageStream, type: BlockType, block: Fields): void {
  closeBlock(stream);
  stream.index += 1;
  stream.openBlock = type;
  emit(stream, "content_block_start", { index: stream.index, content_block: { type, ...block } });
}

function closeBlock(stream: MessageStream): void {
  if (stream.openBlock === null) return;
  emit(stream, "content_block_stop", { index: stream.index });
  stream.openBlock = null;
  stream.openCall = null;
}

function emitDelta(stream: MessageStream, delta: Fields): void {
  emit(stream, "content_block_delta", { index: stream.index, delta });
}

function writeDelta(stream: MessageStream, { reasoning_content, content, tool_calls = [] }: ChatDelta): void {
  if (reasoning_content) {
    if (stream.openBlock !== "thinking") startBlock(stream, "thinking", { thinking: "", signature: "" });
    emitDelta(stream, { type: "thinking_delta", thinking: reasoning_content });
  }
  if (content) {
    if (stream.openBlock !== "text") startBlock(stream, "text", { text: "" });
    emitDelta(stream, { type: "text_delta", text: content });
  }
  for (const { index: call, id, function: toolFunction } of tool_calls) {
    if (id !== undefined) {
      startBlock(stream, "tool_use", { id, name: toolFunction.name, input: {} });
      stream.openCall = call;
    } else if (call !== stream.openCall) throw upstreamError("The backend mixed the arguments of two tool calls.");
    if (toolFunction.arguments !== "")
      emitDelta(stream, { type: "input_json_delta", partial_json: toolFunction.arguments });
  }
}
