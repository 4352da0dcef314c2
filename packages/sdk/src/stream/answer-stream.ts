import { AbortedError, StreamTruncatedError } from "../errors.ts";
import type { AssistantMessage, ChatCompletion, Usage } from "../generated/schemas.ts";
import { EventStream, readJsonLines, withPartial } from "./event-stream.ts";
import { addChunk, type Chunk, type ParsedToolCall, type PartialCompletion, toolCallsOf } from "./message.ts";

/**
 * A streamed completion. Iterate it for the chunks; leaving the loop ends the request. A stream without `finish_reason`
 * and `[DONE]` throws `StreamTruncatedError`, an error event an `ApiError`.
 * The `final…` methods read the rest of the stream, or wait for the loop that does.
 */
export class AnswerStream<T extends Chunk> extends EventStream<T> {
  private completion: PartialCompletion | undefined;
  private latestUsage: Usage | null = null;
  private reading: Promise<void> | undefined;

  /** Restores a stream from the bytes of `toReadableStream`, which may come from another machine. */
  static override fromReadableStream<T>(readable: ReadableStream<Uint8Array>): AnswerStream<T & Chunk> {
    const controller = new AbortController();
    return new AnswerStream(() => readJsonLines<T & Chunk>(readable, controller), controller);
  }

  /** Token counts; null until the last chunk, and always null without `stream_options: { include_usage: true }`. */
  get usage(): Usage | null {
    return this.latestUsage;
  }

  /** Reads to the end and returns the text of the first choice; empty when there is none. */
  async text(): Promise<string> {
    return (await this.finalContent()) ?? "";
  }

  /** Returns the completion as a call without streaming would. Its `usage` is zero when the stream did not include it. */
  async final(): Promise<ChatCompletion> {
    await (this.reading ?? this.readAll());
    const empty = { id: "", object: "chat.completion", created: 0, model: "", choices: [], usage: NO_USAGE } as const;
    // A stream that was read to its end has ended its choices.
    return (this.completion ?? empty) as ChatCompletion;
  }

  /** Returns the message of the first choice, with its tool calls assembled. */
  async finalMessage(): Promise<AssistantMessage> {
    return (await this.final()).choices[0]?.message ?? { role: "assistant", content: null };
  }

  /** Returns the text of the first choice; null when it only calls tools. */
  async finalContent(): Promise<string | null> {
    return (await this.finalMessage()).content;
  }

  /** Returns the tool calls of the first choice, with their arguments parsed. */
  async finalToolCalls(): Promise<ParsedToolCall[]> {
    return toolCallsOf(await this.finalMessage());
  }

  override [Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    const finished = createDeferred();
    finished.promise.catch(() => {}); // avoids an unhandled rejection when nothing awaits it
    this.reading ??= finished.promise;
    return this.track(super[Symbol.asyncIterator](), finished);
  }

  private async readAll(): Promise<void> {
    for await (const _ of this);
  }

  private async *track(
    chunks: AsyncGenerator<T, void, undefined>,
    finished: Deferred,
  ): AsyncGenerator<T, void, undefined> {
    try {
      for await (const chunk of chunks) {
        this.completion = addChunk(this.completion, chunk);
        if (chunk.usage) this.latestUsage = chunk.usage;
        yield chunk;
      }
      if (!this.completion?.choices.some(({ finish_reason }) => finish_reason)) throw new StreamTruncatedError("");
      finished.resolve();
    } catch (cause) {
      const error = withPartial(cause, this.completion?.choices[0]?.message.content ?? "");
      finished.reject(error);
      throw error;
    } finally {
      finished.reject(new AbortedError("The stream was left before its end.")); // does nothing when it is settled
    }
  }
}

type Deferred = { readonly promise: Promise<void>; resolve(): void; reject(reason: unknown): void };

/** Does what `Promise.withResolvers` does, which Node 20 lacks. */
function createDeferred(): Deferred {
  let settle: Omit<Deferred, "promise"> | undefined;
  const promise = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject };
  });
  return { promise, resolve: () => settle?.resolve(), reject: (reason) => settle?.reject(reason) };
}

const NO_USAGE = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
