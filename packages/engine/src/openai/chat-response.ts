import type { ChoiceEnd, Delta } from "../generation/run-choice.ts";
import type { EndReason, TokenLogprob } from "../model/engine-model.ts";
import { chatLogprobs } from "./logprobs.ts";
import { usage } from "./usage.ts";

/** Fields that every chunk and body of one reply has in common. */
export type ReplyIdentity = { id: string; created: number; model: string };

/** Returns a new random id. */
export type NewId = () => string;

/** A tool call in OpenAI's form. */
export type ToolCall = { id: string; type: "function"; function: { name: string; arguments: string } };

type Finished = { deltas: readonly Delta[]; end: ChoiceEnd };

/** Maps an end reason to OpenAI's `finish_reason`. */
export function finishReason(reason: EndReason): "stop" | "length" | "tool_calls" {
  return reason === "toolCalls" ? "tool_calls" : reason;
}

/** Returns the body of a chat completion that is not streamed. */
export function chatCompletion(
  identity: ReplyIdentity,
  promptTokens: number,
  choices: readonly Finished[],
  options: { logprobs: boolean; newId: NewId },
) {
  const completionTokens = choices.reduce((sum, { end }) => sum + end.completionTokens, 0);
  return {
    id: identity.id,
    object: "chat.completion",
    created: identity.created,
    model: identity.model,
    choices: choices.map(({ deltas, end }, index) => ({
      index,
      message: assistantMessage(deltas, options.newId),
      logprobs: options.logprobs ? chatLogprobs(logprobsOf(deltas)) : null,
      finish_reason: finishReason(end.reason),
    })),
    usage: usage(promptTokens, completionTokens),
  };
}

function assistantMessage(deltas: readonly Delta[], newId: NewId) {
  const text = deltas.map((delta) => (delta.type === "text" ? delta.text : "")).join("");
  const reasoning = deltas.map((delta) => (delta.type === "reasoning" ? delta.text : "")).join("");
  const toolCalls = deltas.flatMap((delta) => (delta.type === "toolCall" ? [toolCall(delta, newId)] : []));
  return {
    role: "assistant",
    content: text === "" && toolCalls.length > 0 ? null : text,
    refusal: null,
    ...(reasoning !== "" && { reasoning_content: reasoning }),
    ...(toolCalls.length > 0 && { tool_calls: toolCalls }),
  };
}

/** Maps a tool call to OpenAI's form, with a new id. */
export function toolCall(call: { name: string; arguments: string }, newId: NewId): ToolCall {
  return { id: `call_${newId()}`, type: "function", function: { name: call.name, arguments: call.arguments } };
}

/** Returns the log probabilities of all text pieces. */
export function logprobsOf(deltas: readonly Delta[]): TokenLogprob[] {
  return deltas.flatMap((delta) => (delta.type === "text" ? delta.logprobs : []));
}
