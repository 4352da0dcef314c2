import type { ChoiceEnd, Delta } from "../generation/run-choice.ts";
import { collectLogprobs, type ReplyIdentity, toFinishReason } from "./chat-response.ts";
import { toCompletionLogprobs } from "./logprobs.ts";
import { toUsage } from "./usage.ts";

type Finished = { echo: string; deltas: readonly Delta[]; end: ChoiceEnd };

/** Returns the body of a text completion that is not streamed. */
export function toTextCompletion(
  identity: ReplyIdentity,
  promptTokens: number,
  choices: readonly Finished[],
  options: { logprobs: boolean },
) {
  const completionTokens = choices.reduce((sum, { end }) => sum + end.completionTokens, 0);
  return {
    id: identity.id,
    object: "text_completion",
    created: identity.created,
    model: identity.model,
    choices: choices.map(({ echo, deltas, end }, index) => ({
      index,
      text: echo + deltas.map((delta) => (delta.type === "text" ? delta.text : "")).join(""),
      logprobs: options.logprobs ? toCompletionLogprobs(collectLogprobs(deltas), 0) : null,
      finish_reason: toFinishReason(end.reason),
    })),
    usage: toUsage(promptTokens, completionTokens),
  };
}

/** Creates the chunks of one streamed text completion. */
export function createCompletionChunks(identity: ReplyIdentity, options: { includeUsage: boolean; logprobs: boolean }) {
  const offsets = new Map<number, number>();
  const chunk = (choices: unknown[]) => ({
    id: identity.id,
    object: "text_completion",
    created: identity.created,
    model: identity.model,
    choices,
    ...(options.includeUsage && { usage: null }),
  });
  return {
    delta(index: number, text: string, logprobs: Extract<Delta, { type: "text" }>["logprobs"]) {
      const offset = offsets.get(index) ?? 0;
      offsets.set(index, offset + text.length);
      const details = options.logprobs ? toCompletionLogprobs(logprobs, offset) : null;
      return chunk([{ index, text, logprobs: details, finish_reason: null }]);
    },
    end: (index: number, { reason }: ChoiceEnd) =>
      chunk([{ index, text: "", logprobs: null, finish_reason: toFinishReason(reason) }]),
    usage: (promptTokens: number, completionTokens: number) => ({
      ...chunk([]),
      usage: toUsage(promptTokens, completionTokens),
    }),
  };
}
