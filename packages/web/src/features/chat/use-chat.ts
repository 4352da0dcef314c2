import { AbortedError, isApiError } from "@feather/sdk";
import { useReducer, useRef } from "react";
import { feather } from "#/lib/feather.ts";
import { type Conversation, conversationReducer, toMessages } from "./conversation.ts";
import { type ChatSettings, toParameters } from "./settings.ts";

/** A conversation with a model, and what can be done with it. */
export function useChat(model: string, settings: ChatSettings) {
  const [turns, dispatch] = useReducer(conversationReducer, []);
  const running = useRef<AbortController | null>(null);

  async function answer(id: string, before: Conversation): Promise<void> {
    const abort = new AbortController();
    running.current = abort;
    const began = performance.now();
    let firstMs: number | null = null;
    let tokens: number | null = null;
    const figures = () => ({ tokens, firstMs, totalMs: performance.now() - began });
    try {
      const body = {
        model,
        messages: toMessages(before, settings.system),
        ...toParameters(settings),
        stream: true as const,
        stream_options: { include_usage: true },
      };
      const stream = await feather.chat.completions.create(body, { signal: abort.signal, maxRetries: 0 });
      for await (const chunk of stream) {
        const text = chunk.choices[0]?.delta.content;
        if (text) {
          firstMs ??= performance.now() - began;
          dispatch({ type: "delta", id, text });
        }
      }
      tokens = stream.usage?.completion_tokens ?? null;
      dispatch({ type: "end", id, state: "done", figures: figures() });
    } catch (error) {
      const stopped = abort.signal.aborted || error instanceof AbortedError;
      const message = isApiError(error) ? error.message : error instanceof Error ? error.message : String(error);
      dispatch(
        stopped
          ? { type: "end", id, state: "stopped", figures: figures() }
          : { type: "end", id, state: "failed", error: message, figures: figures() },
      );
    } finally {
      running.current = null;
    }
  }

  const busy = turns.at(-1)?.role === "assistant" && (turns.at(-1) as { state?: string }).state === "streaming";
  return {
    turns,
    busy,
    ask(text: string): void {
      const answerId = crypto.randomUUID();
      const asked: Conversation = [...turns, { id: crypto.randomUUID(), role: "user", text }];
      dispatch({ type: "ask", id: asked.at(-1)?.id ?? "", answerId, text, model });
      void answer(answerId, asked);
    },
    again(): void {
      const answerId = crypto.randomUUID();
      const before = turns.slice(0, turns.findLastIndex((turn) => turn.role === "user") + 1);
      dispatch({ type: "again", answerId, model });
      void answer(answerId, before);
    },
    stop: () => running.current?.abort(),
    clear(): void {
      running.current?.abort();
      dispatch({ type: "clear" });
    },
  };
}
