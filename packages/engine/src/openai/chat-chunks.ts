import type { ChoiceEnd, Delta } from "../generation/run-choice.ts";
import { type CreateId, type ReplyIdentity, toFinishReason, toToolCall } from "./chat-response.ts";
import { toChatLogprobs } from "./logprobs.ts";
import { toUsage } from "./usage.ts";

/** What the chunks contain, and how ids of tool calls are created. */
export type ChunkOptions = { includeUsage: boolean; logprobs: boolean; newId: CreateId };

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
  const choice = (index: number, delta: unknown, extra: { logprobs?: unknown; finish_reason?: string } = {}) =>
    chunk([{ index, delta, logprobs: extra.logprobs ?? null, finish_reason: extra.finish_reason ?? null }]);

  return {
    /** The first chunk of a choice. */
    start: (index: number) => choice(index, { role: "assistant", content: "" }),

    delta(index: number, delta: Delta) {
      if (delta.type === "reasoning") return [choice(index, { reasoning_content: delta.text })];
      if (delta.type === "text") {
        const logprobs = options.logprobs ? toChatLogprobs(delta.logprobs) : null;
        return [choice(index, { content: delta.text }, { logprobs })];
      }
      if (delta.type === "toolCallArguments")
        return [choice(index, { tool_calls: [{ index: delta.index, function: { arguments: delta.text } }] })];
      const opening = toToolCall({ name: delta.name, arguments: "" }, options.newId);
      return [choice(index, { tool_calls: [{ index: delta.index, ...opening }] })];
    },

    /** The last chunk of a choice. */
    end: (index: number, { reason }: ChoiceEnd) => choice(index, {}, { finish_reason: toFinishReason(reason) }),

    /** The chunk after all choices; to be sent only if the caller asked for usage. */
    usage: (promptTokens: number, completionTokens: number) => ({
      ...chunk([]),
      usage: toUsage(promptTokens, completionTokens),
    }),
  };
}
