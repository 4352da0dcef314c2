import { anthropicEnvelope } from "../../../http/error-envelopes.ts";
import type { ReportedUsage } from "../../reported-usage.ts";
import { upstreamError } from "../../stages/upstream-errors.ts";
import type { AnsweredChoice } from "../answers.ts";
import type { ChatChoice, ChatDelta, Chunk, Identity } from "../chunks.ts";
import type { Fields } from "../fields.ts";
import type { AnswerFormat, StreamWriter } from "../format.ts";

/** Anthropic's Messages format. `promptTokens` estimates the input tokens for the first event of a stream. */
export function messagesFormat(requestId: string, promptTokens: () => number): AnswerFormat {
  return {
    whole({ choices, model }, usage) {
      const [choice] = choices;
      return {
        ...message(requestId, model),
        content: choice ? blocksOf(choice) : [],
        ...stopOf(choice?.finish_reason ?? null, choice),
        usage: usageOf(usage),
      };
    },
    stream: (identity) => createMessageEvents(requestId, identity, promptTokens),
  };
}

function message(requestId: string, model: string) {
  return { id: `msg_${requestId}`, type: "message", role: "assistant", model };
}

function blocksOf({ message: said }: AnsweredChoice): Fields[] {
  const blocks: Fields[] = [];
  const { reasoning_content, content, tool_calls = [] } = said ?? { content: null };
  if (reasoning_content) blocks.push({ type: "thinking", thinking: reasoning_content, signature: "" });
  if (content) blocks.push({ type: "text", text: content });
  for (const { id, function: called } of tool_calls)
    blocks.push({ type: "tool_use", id, name: called.name, input: parsed(called.arguments) });
  return blocks;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text === "" ? "{}" : text);
  } catch {
    return { arguments: text }; // the model generated invalid JSON
  }
}

/** Anthropic's stop reason. Some backends report the stop sequence that matched. */
function stopOf(finishReason: string | null, choice: object | undefined) {
  const { stop_reason: text } = (choice ?? {}) as { stop_reason?: unknown };
  if (finishReason === "length") return { stop_reason: "max_tokens", stop_sequence: null };
  if (finishReason === "tool_calls") return { stop_reason: "tool_use", stop_sequence: null };
  if (finishReason === "content_filter") return { stop_reason: "refusal", stop_sequence: null };
  if (typeof text === "string") return { stop_reason: "stop_sequence", stop_sequence: text };
  return { stop_reason: "end_turn", stop_sequence: null };
}

function usageOf({ prompt, completion, cached }: ReportedUsage) {
  return {
    input_tokens: Math.max(0, prompt - cached),
    cache_read_input_tokens: cached,
    cache_creation_input_tokens: 0,
    output_tokens: completion,
  };
}

type BlockType = "thinking" | "text" | "tool_use";

/** Renders a streamed answer as Messages events, one content block after the other. */
function createMessageEvents(requestId: string, { model }: Identity, promptTokens: () => number): StreamWriter {
  let begun = false;
  let index = -1;
  let open: BlockType | null = null;
  let openCall: number | null = null;
  let last: { finishReason: string | null; choice: object } = { finishReason: null, choice: {} };
  let out = "";

  function emit(type: string, fields: Fields): void {
    out += `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
  }

  function take(): string {
    const text = out;
    out = "";
    return text;
  }

  function begin(): void {
    if (begun) return;
    begun = true;
    const usage = usageOf({ prompt: promptTokens(), completion: 0, cached: 0 });
    const empty = { ...message(requestId, model), content: [], stop_reason: null, stop_sequence: null, usage };
    emit("message_start", { message: empty });
  }

  function close(): void {
    if (open === null) return;
    emit("content_block_stop", { index });
    open = null;
    openCall = null;
  }

  function start(type: BlockType, block: Fields): void {
    close();
    index += 1;
    open = type;
    emit("content_block_start", { index, content_block: { type, ...block } });
  }

  const add = (delta: Fields) => emit("content_block_delta", { index, delta });

  function readDelta({ reasoning_content, content, tool_calls = [] }: ChatDelta): void {
    if (reasoning_content) {
      if (open !== "thinking") start("thinking", { thinking: "", signature: "" });
      add({ type: "thinking_delta", thinking: reasoning_content });
    }
    if (content) {
      if (open !== "text") start("text", { text: "" });
      add({ type: "text_delta", text: content });
    }
    for (const { index: call, id, function: called } of tool_calls) {
      if (id !== undefined) {
        start("tool_use", { id, name: called.name, input: {} });
        openCall = call;
      } else if (call !== openCall) throw upstreamError("The backend mixed the arguments of two tool calls.");
      if (called.arguments !== "") add({ type: "input_json_delta", partial_json: called.arguments });
    }
  }

  return {
    chunk(chunk: Chunk) {
      begin();
      for (const choice of (chunk as Chunk<ChatChoice>).choices) {
        if (choice.index !== 0) continue;
        readDelta(choice.delta);
        if (choice.finish_reason !== null) last = { finishReason: choice.finish_reason, choice };
      }
      return take();
    },
    end(usage) {
      begin();
      close();
      emit("message_delta", { delta: stopOf(last.finishReason, last.choice), usage: usageOf(usage) });
      emit("message_stop", {});
      return take();
    },
    fault(error) {
      out = "";
      emit("error", anthropicEnvelope(error, requestId));
      return take();
    },
  };
}
