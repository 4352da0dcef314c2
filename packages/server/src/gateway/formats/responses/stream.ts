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

/** Renders a streamed answer as Responses events. */
export function createResponseEvents(request: Fields, requestId: string, meta: CompletionMeta): StreamWriter {
  const doneItems: OutputItem[] = [];
  let openItems: OpenItem[] = [];
  const openCalls = new Map<number, OpenItem>();
  let finishReason: string | null = null;
  let sequence = 0;
  let buffer = "";

  function emit(type: string, fields: Fields): void {
    buffer += `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence++, ...fields })}\n\n`;
  }

  function flush(): string {
    const text = buffer;
    buffer = "";
    return text;
  }

  function emitResponse(type: string, outcome: ResponseOutcome, usage: ReportedUsage | null): void {
    emit(type, { response: toResponse(request, meta, requestId, doneItems, outcome, usage) });
  }

  function startResponse(): void {
    if (sequence > 0) return;
    emitResponse("response.created", { status: "in_progress" }, null);
    emitResponse("response.in_progress", { status: "in_progress" }, null);
  }

  const itemPosition = ({ id, index }: OpenItem) => ({ item_id: id, output_index: index });
  const nextIndex = () => doneItems.length + openItems.length;

  function openTextItem(type: "reasoning" | "message"): OpenItem {
    const existing = openItems.find((item) => item.type === type);
    if (existing) return existing;
    closeAll("completed");
    const index = nextIndex();
    const item =
      type === "reasoning"
        ? { ...toReasoningItem(requestId, index, ""), summary: [] }
        : { ...toMessageItem(requestId, index, "", "in_progress"), content: [] };
    emit("response.output_item.added", { output_index: index, item });
    const newItem: OpenItem = { type, index, id: item.id, text: "" };
    if (type === "reasoning")
      emit("response.reasoning_summary_part.added", {
        ...itemPosition(newItem),
        summary_index: 0,
        part: createSummaryPart(""),
      });
    else emit("response.content_part.added", { ...itemPosition(newItem), content_index: 0, part: createTextPart("") });
    openItems.push(newItem);
    return newItem;
  }

  function openCallItem(callId: string, name: string): OpenItem {
    if (openItems.some(({ type }) => type !== "call")) closeAll("completed");
    const index = nextIndex();
    const item = toFunctionCallItem(requestId, index, { callId, name, arguments: "" }, "in_progress");
    emit("response.output_item.added", { output_index: index, item });
    const newItem: OpenItem = { type: "call", index, id: item.id, text: "", callId, name };
    openItems.push(newItem);
    return newItem;
  }

  function closeItem(item: OpenItem, status: string): void {
    const position = itemPosition(item);
    let doneItem: OutputItem;
    if (item.type === "call") {
      doneItem = toFunctionCallItem(requestId, item.index, { ...item, arguments: item.text }, status);
      emit("response.function_call_arguments.done", { ...position, name: item.name, arguments: item.text });
    } else if (item.type === "reasoning") {
      doneItem = toReasoningItem(requestId, item.index, item.text);
      emit("response.reasoning_summary_text.done", { ...position, summary_index: 0, text: item.text });
      emit("response.reasoning_summary_part.done", {
        ...position,
        summary_index: 0,
        part: createSummaryPart(item.text),
      });
    } else {
      doneItem = toMessageItem(requestId, item.index, item.text, status);
      emit("response.output_text.done", { ...position, content_index: 0, text: item.text, logprobs: [] });
      emit("response.content_part.done", { ...position, content_index: 0, part: createTextPart(item.text) });
    }
    emit("response.output_item.done", { output_index: item.index, item: doneItem });
    doneItems.push(doneItem);
  }

  function closeAll(status: string): void {
    for (const item of openItems) closeItem(item, status);
    openItems = [];
    openCalls.clear();
  }

  function readCall({ index, id, function: { name, arguments: text } }: ToolCallDelta): void {
    let call = openCalls.get(index);
    if (!call && id !== undefined && name !== undefined) {
      call = openCallItem(id, name);
      openCalls.set(index, call);
    }
    if (!call || text === "") return;
    call.text += text;
    emit("response.function_call_arguments.delta", { ...itemPosition(call), delta: text });
  }

  function readDelta({ reasoning_content, content, tool_calls = [] }: ChatDelta): void {
    if (reasoning_content) {
      const item = openTextItem("reasoning");
      item.text += reasoning_content;
      emit("response.reasoning_summary_text.delta", {
        ...itemPosition(item),
        summary_index: 0,
        delta: reasoning_content,
      });
    }
    if (content) {
      const item = openTextItem("message");
      item.text += content;
      emit("response.output_text.delta", { ...itemPosition(item), content_index: 0, delta: content, logprobs: [] });
    }
    for (const call of tool_calls) readCall(call);
  }

  return {
    chunk(chunk: Chunk) {
      startResponse();
      for (const choice of (chunk as Chunk<ChatChoice>).choices) {
        if (choice.index !== 0) continue;
        readDelta(choice.delta);
        finishReason = choice.finish_reason ?? finishReason;
      }
      return flush();
    },
    end(usage) {
      startResponse();
      const outcome = toResponseOutcome(finishReason);
      if (doneItems.length + openItems.length === 0) openTextItem("message");
      closeAll(outcome.status);
      emitResponse(`response.${outcome.status}`, outcome, usage);
      return flush();
    },
    error(error: AppError) {
      startResponse();
      closeAll("incomplete");
      emitResponse("response.failed", { status: "failed", error }, null);
      return flush();
    },
  };
}

function createSummaryPart(text: string): Fields {
  return { type: "summary_text", text };
}

function createTextPart(text: string): Fields {
  return { type: "output_text", text, annotations: [], logprobs: [] };
}
