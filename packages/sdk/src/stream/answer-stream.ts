import { AbortedError, StreamTruncatedError } from "../errors.ts";
import type { AssistantMessage, ChatCompletion, Schemas } from "../types.ts";
import { EventStream } from "./event-stream.ts";
import { added, type Chunk, type ParsedToolCall, toolCallsOf } from "./message.ts";

/**
 * A streamed completion. Iterate it for the chunks; leaving the loop ends the request. It is complete with a
 * `finish_reason` and `[DONE]`: an end or a broken connection before them throws `StreamTruncatedError`, an error in the
 * stream an `ApiError`.
 * The `final…` methods read what is left, or wait for the loop that reads it.
 */
export class AnswerStream<T extends Chunk> extends EventStream<T> {
  private whole: ChatCompletion | undefined;
  private counted: Schemas["Usage"] | null = null;
  private read: Promise<void> | undefined;

  /** What `toReadableStream` wrote, perhaps on another machine, as a stream again. */
  static override fromReadableStream<T>(readable: ReadableStream<Uint8Array>): AnswerStream<T & Chunk> {
    return new AnswerStream(() => EventStream.fromReadableStream<T & Chunk>(readable)[Symbol.asyncIterator]());
  }

  /** Tokens, once the last chunk has come, if they were asked for with `stream_options: { include_usage: true }`. */
  get usage(): Schemas["Usage"] | null {
    return this.counted;
  }

  /** Reads to the end and answers the whole text of the first choice; empty when it said nothing. */
  async text(): Promise<string> {
    return (await this.finalContent()) ?? "";
  }

  /** The whole completion, as it would have come without streaming. Its `usage` is zero when it was not asked for. */
  async final(): Promise<ChatCompletion> {
    await (this.read ?? this.readOut());
    return this.whole ?? { id: "", object: "chat.completion", created: 0, model: "", choices: [], usage: NOTHING };
  }

  /** The whole message of the first choice, with the calls of tools put together. */
  async finalMessage(): Promise<AssistantMessage> {
    return (await this.final()).choices[0]?.message ?? { role: "assistant", content: null };
  }

  /** The whole text of the first choice; null when it only calls tools. */
  async finalContent(): Promise<string | null> {
    return (await this.finalMessage()).content;
  }

  /** The calls of tools that the first choice asks for, with their arguments read. */
  async finalToolCalls(): Promise<ParsedToolCall[]> {
    return toolCallsOf(await this.finalMessage());
  }

  override [Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    const ending = Promise.withResolvers<void>();
    ending.promise.catch(() => {}); // nobody may be waiting for it
    this.read ??= ending.promise;
    return this.noted(super[Symbol.asyncIterator](), ending);
  }

  private async readOut(): Promise<void> {
    for await (const _ of this);
  }

  private async *noted(
    chunks: AsyncGenerator<T, void, undefined>,
    ending: PromiseWithResolvers<void>,
  ): AsyncGenerator<T, void, undefined> {
    try {
      for await (const chunk of chunks) {
        this.whole = added(this.whole, chunk);
        if (chunk.usage) this.counted = chunk.usage;
        yield chunk;
      }
      if (!this.whole?.choices.some(({ finish_reason }) => finish_reason)) throw new StreamTruncatedError("");
      ending.resolve();
    } catch (cause) {
      const error =
        cause instanceof StreamTruncatedError
          ? new StreamTruncatedError(this.whole?.choices[0]?.message.content ?? "", { cause: cause.cause })
          : cause;
      ending.reject(error);
      throw error;
    } finally {
      ending.reject(new AbortedError("The stream was left before its end.")); // does nothing when it is settled
    }
  }
}

const NOTHING = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
