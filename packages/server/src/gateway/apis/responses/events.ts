import { type Fields, toRecord } from "../../formats/fields.ts";
import type { ApiEvent } from "../api.ts";
import { toFinishReason, toReasoningDetail } from "./answer.ts";
import { readUsage } from "./usage.ts";

/** Creates the reader of the events of one streamed answer. It returns chunks of a chat completion. */
export function createResponseReader(): (event: Fields) => ApiEvent {
  /** The position of each call among the calls, by its position in the output. */
  const calls = new Map<unknown, number>();
  return (event) => {
    const { type, delta, output_index: position } = event;
    switch (type) {
      case "response.created":
        return toChunk({ role: "assistant", content: "" });
      case "response.output_text.delta":
        return toChunk({ content: delta }, toLogprobs(event.logprobs));
      case "response.refusal.delta":
        return toChunk({ refusal: delta });
      case "response.reasoning_summary_part.added":
        return Number(event.summary_index) > 0 ? toChunk({ reasoning_content: "\n\n" }) : null;
      case "response.reasoning_summary_text.delta":
      case "response.reasoning_text.delta":
        return toChunk({ reasoning_content: delta });
      case "response.output_item.added":
        return startCall(calls, toRecord(event.item), position);
      case "response.function_call_arguments.delta":
        return toChunk({ tool_calls: [{ index: calls.get(position) ?? 0, function: { arguments: delta } }] });
      case "response.output_item.done": {
        const detail = toReasoningDetail(toRecord(event.item), Number(position));
        return detail && toChunk({ reasoning_details: [detail] });
      }
      case "response.completed":
      case "response.incomplete":
        return endAnswer(toRecord(event.response), calls.size > 0);
      case "response.failed":
        return { error: toRecord(toRecord(event.response).error) };
      case "error":
        return { error: { message: event.message, code: event.code, param: event.param } };
      default: // the beginnings and ends of parts, and events that the API may add
        return null;
    }
  };
}

function startCall(calls: Map<unknown, number>, item: Fields, position: unknown): ApiEvent {
  if (item.type !== "function_call") return null;
  const index = calls.size;
  calls.set(position, index);
  const called = { name: item.name, arguments: "" };
  return toChunk({ tool_calls: [{ index, id: item.call_id, type: "function", function: called }] });
}

function endAnswer(response: Fields, hasCalls: boolean): ApiEvent {
  const choice = { index: 0, delta: {}, finish_reason: toFinishReason(response, hasCalls) };
  return { choices: [choice], usage: readUsage(response.usage) };
}

function toLogprobs(logprobs: unknown): Fields {
  return Array.isArray(logprobs) && logprobs.length > 0 ? { logprobs: { content: logprobs } } : {};
}

function toChunk(delta: Fields, more: Fields = {}): ApiEvent {
  return { choices: [{ index: 0, delta, finish_reason: null, ...more }] };
}
