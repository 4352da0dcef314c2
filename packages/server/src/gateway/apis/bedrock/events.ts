import { type Fields, toRecord } from "../../formats/fields.ts";
import { ANTHROPIC_REASONING } from "../../formats/reasoning-details.ts";
import type { ApiEvent } from "../api.ts";
import { readException } from "./refusals.ts";
import { readUsage } from "./usage.ts";

/** Returns the chunk of a chat completion in an event of a streamed answer, which has its payload under its type. */
export function readConverseEvent(event: Fields): ApiEvent {
  const error = readException(event);
  if (error !== null) return { error };
  const { messageStart, contentBlockStart, contentBlockDelta, messageStop, metadata } = event;
  if (messageStart !== undefined) return toChunk({ role: "assistant", content: "" });
  if (contentBlockStart !== undefined) return toChunk(startBlock(toRecord(contentBlockStart)));
  if (contentBlockDelta !== undefined) return toChunk(continueBlock(toRecord(contentBlockDelta)));
  if (messageStop !== undefined)
    return { choices: [{ index: 0, delta: {}, finish_reason: toRecord(messageStop).stopReason ?? null }] };
  const usage = readUsage(toRecord(metadata).usage);
  return usage === undefined ? null : { choices: [], usage }; // null for the ends of blocks, and events that may be added
}

function startBlock({ start, contentBlockIndex: index }: Fields): Fields | null {
  const { toolUseId: id, name } = toRecord(toRecord(start).toolUse);
  return id === undefined ? null : { tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] };
}

function continueBlock({ delta, contentBlockIndex: index }: Fields): Fields | null {
  const { text, toolUse, reasoningContent } = toRecord(delta);
  if (typeof text === "string") return { content: text };
  if (toolUse !== undefined) return { tool_calls: [{ index, function: { arguments: toRecord(toolUse).input } }] };
  return reasoningContent === undefined ? null : continueReasoning(toRecord(reasoningContent), index);
}

/** A signature and encrypted reasoning tell that the model is one of Anthropic's; a text alone does not. */
function continueReasoning({ text, signature, redactedContent: data }: Fields, index: unknown): Fields | null {
  const format = ANTHROPIC_REASONING;
  if (typeof data === "string") return { reasoning_details: [{ type: "reasoning.encrypted", data, format, index }] };
  if (typeof signature === "string")
    return { reasoning_details: [{ type: "reasoning.text", signature, format, index }] };
  return { reasoning_content: text, reasoning_details: [{ type: "reasoning.text", text, index }] };
}

function toChunk(delta: Fields | null): ApiEvent {
  return delta && { choices: [{ index: 0, delta, finish_reason: null }] };
}
