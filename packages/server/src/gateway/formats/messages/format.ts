import { toAnthropicEnvelope } from "../../../http/error-envelopes.ts";
import type { ReportedUsage } from "../../reported-usage.ts";
import { upstreamError } from "../../stages/upstream-errors.ts";
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

function toAnthropicUsage({ prompt, completion, cached }: ReportedUsage) {
  return {
    input_tokens: Math.max(0, prompt - cached),
    cache_read_input_tokens: cached,
    cache_creation_input_tokens: 0,
    output_tokens: completion,
  };
}

type BlockType = "thinking" | "text" | "tool_use";

/** Renders a streamed answer as Messages events, one content block after the other. */
function createMessageEvents(requestId: string, { model }: CompletionMeta, promptTokens: () => number): StreamWriter {
  let hasStarted = false;
  let index = -1;
  let openBlock: BlockType | null = null;
  let openCall: number | null = null;
  let lastStop: { finishReason: string | null; choice: object } = { finishReason: null, choice: {} };
  let buffer = "";

  function emit(type: string, fields: Fields): void {
    buffer += `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
  }

  function flush(): string {
    const text = buffer;
    buffer = "";
    return text;
  }

  function startMessage(): void {
    if (hasStarted) return;
    hasStarted = true;
    const usage = toAnthropicUsage({ prompt: promptTokens(), completion: 0, cached: 0 });
    const emptyMessage = {
      ...createMessageHead(requestId, model),
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage,
    };
    emit("message_start", { message: emptyMessage });
  }

  function closeBlock(): void {
    if (openBlock === null) return;
    emit("content_block_stop", { index });
    openBlock = null;
    openCall = null;
  }

  function startBlock(type: BlockType, block: Fields): void {
    closeBlock();
    index += 1;
    openBlock = type;
    emit("content_block_start", { index, content_block: { type, ...block } });
  }

  const emitDelta = (delta: Fields) => emit("content_block_delta", { index, delta });

  function readDelta({ reasoning_content, content, tool_calls = [] }: ChatDelta): void {
    if (reasoning_content) {
      if (openBlock !== "thinking") startBlock("thinking", { thinking: "", signature: "" });
      emitDelta({ type: "thinking_delta", thinking: reasoning_content });
    }
    if (content) {
      if (openBlock !== "text") startBlock("text", { text: "" });
      emitDelta({ type: "text_delta", text: content });
    }
    for (const { index: call, id, function: toolFunction } of tool_calls) {
      if (id !== undefined) {
        startBlock("tool_use", { id, name: toolFunction.name, input: {} });
        openCall = call;
      } else if (call !== openCall) throw upstreamError("The backend mixed the arguments of two tool calls.");
      if (toolFunction.arguments !== "") emitDelta({ type: "input_json_delta", partial_json: toolFunction.arguments });
    }
  }

  return {
    chunk(chunk: Chunk) {
      startMessage();
      for (const choice of (chunk as Chunk<ChatChoice>).choices) {
        if (choice.index !== 0) continue;
        readDelta(choice.delta);
        if (choice.finish_reason !== null) lastStop = { finishReason: choice.finish_reason, choice };
      }
      return flush();
    },
    end(usage) {
      startMessage();
      closeBlock();
      emit("message_delta", {
        delta: toStopReason(lastStop.finishReason, lastStop.choice),
        usage: toAnthropicUsage(usage),
      });
      emit("message_stop", {});
      return flush();
    },
    error(error) {
      buffer = "";
      emit("error", toAnthropicEnvelope(error, requestId));
      return flush();
    },
  };
}
