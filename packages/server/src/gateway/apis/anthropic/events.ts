import { type Fields, toRecord } from "../../formats/fields.ts";
import { ANTHROPIC_REASONING } from "../../formats/reasoning-details.ts";
import type { ApiEvent } from "../api.ts";
import { toEnd } from "./answer.ts";
import { readUsage } from "./usage.ts";

/** Creates the reader of the events of one streamed answer of Anthropic's API. It returns chunks of a chat completion. */
export function createMessageReader(): (event: Fields) => ApiEvent {
  let usage: Fields = {};
  return (event) => {
    switch (event.type) {
      case "message_start":
        usage = toRecord(toRecord(event.message).usage);
        return { choices: [toChoice({ role: "assistant", content: "" })], usage: readUsage(usage) };
      case "content_block_start":
        return toChunk(startBlock(toRecord(event.content_block), Number(event.index)));
      case "content_block_delta":
        return toChunk(continueBlock(toRecord(event.delta), Number(event.index)));
      case "message_delta": {
        const { stop_reason, stop_sequence } = toRecord(event.delta);
        usage = { ...usage, ...withoutNulls(toRecord(event.usage)) };
        return { choices: [{ ...toChoice({}), ...toEnd(stop_reason, stop_sequence) }], usage: readUsage(usage) };
      }
      case "message_stop":
        return "end";
      case "error":
        return event;
      default: // "ping", the ends of blocks, and events that the API may add
        return null;
    }
  };
}

function startBlock({ type, id, name, data, text }: Fields, index: number): Fields | null {
  if (type === "tool_use") return { tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] };
  if (type === "redacted_thinking")
    return { reasoning_details: [toDetail({ type: "reasoning.encrypted", data }, index)] };
  return type === "text" && text !== "" ? { content: text } : null;
}

function continueBlock({ type, text, thinking, signature, partial_json }: Fields, index: number): Fields | null {
  switch (type) {
    case "text_delta":
      return { content: text };
    case "thinking_delta":
      return {
        reasoning_content: thinking,
        reasoning_details: [toDetail({ type: "reasoning.text", text: thinking }, index)],
      };
    case "signature_delta":
      return { reasoning_details: [toDetail({ type: "reasoning.text", signature }, index)] };
    case "input_json_delta":
      return { tool_calls: [{ index, function: { arguments: partial_json } }] };
    default:
      return null;
  }
}

function toDetail(fields: Fields, index: number): Fields {
  return { ...fields, format: ANTHROPIC_REASONING, index };
}

function toChunk(delta: Fields | null): ApiEvent {
  return delta && { choices: [toChoice(delta)] };
}

function toChoice(delta: Fields): Fields {
  return { index: 0, delta, finish_reason: null };
}

/** The last event repeats the counts of the first one, or has null for them. */
function withoutNulls(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}
