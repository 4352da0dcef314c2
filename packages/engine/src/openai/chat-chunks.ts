import type { ChoiceEnd, Delta } from "../generation/run-choice.ts";
import { finishReason, type NewId, type ReplyIdentity, toolCall } from "./chat-response.ts";
import { chatLogprobs } from "./logprobs.ts";
import { usage } from "./usage.ts";

/** What the chunks contain, and how ids of tool calls are created. */
export type ChunkOptions = { includeUsage: boolean; logprobs: boolean; newId: NewId };

/** Creates the chunks of one streamed chat completion. Each method returns the chunks of one event, in order. */
export function createChatChunks(identity: ReplyIdentity, options: ChunkOptions) {
  const chunk = (choices: unknown[]) => ({
    id: identity.id,
    object: "chat.completion.chunk",
    created: identity.created,
    model: identity.model,
    choices,
    ...(options.includeUsage && { usage: null }),
  });
  const choice = (index: number, delta: unknown, more: { logprobs?: unknown; finish_reason?: string } = {}) =>
    chunk([{ index, delta, logprobs: more.logprobs ?? null, finish_reason: more.finish_reason ?? null }]);

  return {
    /** The first chunk of a choice. */
    start: (index: number) => choice(index, { role: "assistant", content: "" }),

    delta(index: number, delta: Delta) {
      if (delta.type === "reasoning") return [choice(index, { reasoning_content: delta.text })];
      if (delta.type === "text") {
        const logprobs = options.logprobs ? chatLogprobs(delta.logprobs) : null;
        return [choice(index, { content: delta.text }, { logprobs })];
      }
      const call = toolCall(delta, options.newId);
      const opening = { ...call, function: { name: call.function.name, arguments: "" } };
      return [
        choice(index, { tool_calls: [{ index: delta.index, ...opening }] }),
        choice(index, { tool_calls: [{ index: delta.index, function: { arguments: call.function.arguments } }] }),
      ];
    },

    /** The last chunk of a choice. */
    end: (index: number, { reason }: ChoiceEnd) => choice(index, {}, { finish_reason: finishReason(reason) }),

    /** The chunk after all choices; to be sent only if the caller asked for usage. */
    usage: (promptTokens: number, completionTokens: number) => ({
      ...chunk([]),
      usage: usage(promptTokens, completionTokens),
    }),
  };
}
