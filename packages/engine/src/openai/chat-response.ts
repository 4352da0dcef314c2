import type { ChoiceEnd, Delta } from "../generation/run-choice.ts";
import type { EndReason, TokenLogprob } from "../model/engine-model.ts";
import { toChatLogprobs } from "./logprobs.ts";
import { toUsage } from "./usage.ts";

/** Fields that every chunk and body of one reply has in common. */
export type ReplyIdentity = { id: string; created: number; model: string };

/** Returns a new random id. */
export type CreateId = () => string;

/** A tool call in OpenAI's form. */
export type ToolCall = { id: string; type: "function"; function: { name: string; arguments: string } };

type Finished = { deltas: readonly Delta[]; end: ChoiceEnd };

/** Maps an end reason to OpenAI's `finish_reason`. */
export function toFinishReason(reason: EndReason): "stop" | "length" | "tool_calls" {
  return reason === "toolCalls" ? "tool_calls" : reason;
}

/** Returns the body of a chat completion that is not streamed. */
export function toChatCompletion(
  identity: ReplyIdentity,
  promptTokens: number,
  choices: readonly Finished[],
  options: { logprobs: boolean; newId: CreateId },
) {
  const completionTokens = choices.reduce((sum, { end }) => sum + end.completionTokens, 0);
  return {
    id: identity.id,
    object: "chat.completion",
    created: identity.created,
    model: identity.model,
    choices: choices.map(({ deltas, end }, index) => ({
      index,
      message: toAssistantMessage(deltas, options.newId),
      logprobs: options.logprobs ? toChatLogprobs(collectLogprobs(deltas)) : null,
      finish_reason: toFinishReason(end.reason),
    })),
    usage: toUsage(promptTokens, completionTokens),
  };
}

function toAssistantMessage(deltas: readonly Delta[], newId: CreateId) {
  const text = deltas.map((delta) => (delta.type === "text" ? delta.text : "")).join("");
  const reasoning = deltas.map((delta) => (delta.type === "reasoning" ? delta.text : "")).join("");
  const toolCalls = collectToolCalls(deltas).map((call) => toToolCall(call, newId));
  return {
    role: "assistant",
    content: text === "" && toolCalls.length > 0 ? null : text,
    refusal: null,
    ...(reasoning !== "" && { reasoning_content: reasoning }),
    ...(toolCalls.length > 0 && { tool_calls: toolCalls }),
  };
}

function collectToolCalls(deltas: readonly Delta[]): { name: string; arguments: string }[] {
  return deltas.flatMap((delta) => {
    if (delta.type !== "toolCall") return [];
    const pieces = deltas.map((piece) =>
      piece.type === "toolCallArguments" && piece.index === delta.index ? piece.text : "",
    );
    return [{ name: delta.name, arguments: pieces.join("") }];
  });
}

/** Maps a tool call to OpenAI's form, with a new id. */
export function toToolCall(call: { name: string; arguments: string }, newId: CreateId): ToolCall {
  return { id: `call_${newId()}`, type: "function", function: { name: call.name, arguments: call.arguments } };
}

/** Returns the log probabilities of all text pieces. */
export function collectLogprobs(deltas: readonly Delta[]): TokenLogprob[] {
  return deltas.flatMap((delta) => (delta.type === "text" ? delta.logprobs : []));
}
