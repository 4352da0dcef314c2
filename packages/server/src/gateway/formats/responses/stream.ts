import type { AppError } from "../../../shared/errors.ts";
import type { ReportedUsage } from "../../reported-usage.ts";
import type { ChatChoice, ChatDelta, Chunk, Identity } from "../chunks.ts";
import type { Fields } from "../fields.ts";
import type { StreamWriter } from "../format.ts";
import type { ToolCallDelta } from "../tool-calls.ts";
import {
  type Ending,
  endingOf,
  functionCallItem,
  type Item,
  messageItem,
  reasoningItem,
  responseObject,
} from "./response.ts";

/** An output item that is still being streamed. */
type Open =
  | { type: "reasoning" | "message"; index: number; id: string; text: string }
  | { type: "call"; index: number; id: string; text: string; callId: string; name: string };

/** Renders a streamed answer as Responses events. */
export function createResponseEvents(request: Fields, requestId: string, identity: Identity): StreamWriter {
  const done: Item[] = [];
  let open: Open[] = [];
  const calls = new Map<number, Open>();
  let finishReason: string | null = null;
  let sequence = 0;
  let out = "";

  function emit(type: string, fields: Fields): void {
    out += `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence++, ...fields })}\n\n`;
  }

  function take(): string {
    const text = out;
    out = "";
    return text;
  }

  function emitResponse(type: string, ending: Ending, usage: ReportedUsage | null): void {
    emit(type, { response: responseObject(request, identity, requestId, done, ending, usage) });
  }

  function begin(): void {
    if (sequence > 0) return;
    emitResponse("response.created", { status: "in_progress" }, null);
    emitResponse("response.in_progress", { status: "in_progress" }, null);
  }

  const place = ({ id, index }: Open) => ({ item_id: id, output_index: index });
  const nextIndex = () => done.length + open.length;

  function openText(type: "reasoning" | "message"): Open {
    const current = open.find((item) => item.type === type);
    if (current) return current;
    closeAll("completed");
    const index = nextIndex();
    const item =
      type === "reasoning"
        ? { ...reasoningItem(requestId, index, ""), summary: [] }
        : { ...messageItem(requestId, index, "", "in_progress"), content: [] };
    emit("response.output_item.added", { output_index: index, item });
    const opened: Open = { type, index, id: item.id, text: "" };
    if (type === "reasoning")
      emit("response.reasoning_summary_part.added", { ...place(opened), summary_index: 0, part: summary("") });
    else emit("response.content_part.added", { ...place(opened), content_index: 0, part: outputText("") });
    open.push(opened);
    return opened;
  }

  function openCall(callId: string, name: string): Open {
    if (open.some(({ type }) => type !== "call")) closeAll("completed");
    const index = nextIndex();
    const item = functionCallItem(requestId, index, { callId, name, arguments: "" }, "in_progress");
    emit("response.output_item.added", { output_index: index, item });
    const opened: Open = { type: "call", index, id: item.id, text: "", callId, name };
    open.push(opened);
    return opened;
  }

  function close(item: Open, status: string): void {
    const at = place(item);
    let whole: Item;
    if (item.type === "call") {
      whole = functionCallItem(requestId, item.index, { ...item, arguments: item.text }, status);
      emit("response.function_call_arguments.done", { ...at, name: item.name, arguments: item.text });
    } else if (item.type === "reasoning") {
      whole = reasoningItem(requestId, item.index, item.text);
      emit("response.reasoning_summary_text.done", { ...at, summary_index: 0, text: item.text });
      emit("response.reasoning_summary_part.done", { ...at, summary_index: 0, part: summary(item.text) });
    } else {
      whole = messageItem(requestId, item.index, item.text, status);
      emit("response.output_text.done", { ...at, content_index: 0, text: item.text, logprobs: [] });
      emit("response.content_part.done", { ...at, content_index: 0, part: outputText(item.text) });
    }
    emit("response.output_item.done", { output_index: item.index, item: whole });
    done.push(whole);
  }

  function closeAll(status: string): void {
    for (const item of open) close(item, status);
    open = [];
    calls.clear();
  }

  function readCall({ index, id, function: { name, arguments: text } }: ToolCallDelta): void {
    let call = calls.get(index);
    if (!call && id !== undefined && name !== undefined) {
      call = openCall(id, name);
      calls.set(index, call);
    }
    if (!call || text === "") return;
    call.text += text;
    emit("response.function_call_arguments.delta", { ...place(call), delta: text });
  }

  function readDelta({ reasoning_content, content, tool_calls = [] }: ChatDelta): void {
    if (reasoning_content) {
      const item = openText("reasoning");
      item.text += reasoning_content;
      emit("response.reasoning_summary_text.delta", { ...place(item), summary_index: 0, delta: reasoning_content });
    }
    if (content) {
      const item = openText("message");
      item.text += content;
      emit("response.output_text.delta", { ...place(item), content_index: 0, delta: content, logprobs: [] });
    }
    for (const call of tool_calls) readCall(call);
  }

  return {
    chunk(chunk: Chunk) {
      begin();
      for (const choice of (chunk as Chunk<ChatChoice>).choices) {
        if (choice.index !== 0) continue;
        readDelta(choice.delta);
        finishReason = choice.finish_reason ?? finishReason;
      }
      return take();
    },
    end(usage) {
      begin();
      const ending = endingOf(finishReason);
      if (done.length + open.length === 0) openText("message");
      closeAll(ending.status);
      emitResponse(`response.${ending.status}`, ending, usage);
      return take();
    },
    fault(error: AppError) {
      begin();
      closeAll("incomplete");
      emitResponse("response.failed", { status: "failed", error }, null);
      return take();
    },
  };
}

function summary(text: string): Fields {
  return { type: "summary_text", text };
}

function outputText(text: string): Fields {
  return { type: "output_text", text, annotations: [], logprobs: [] };
}
