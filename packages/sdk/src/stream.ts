import { EventSourceParserStream } from "eventsource-parser/stream";
import { AbortedError, ConnectionError, errorFrom, StreamTruncatedError } from "./errors.ts";

type Chunk = {
  choices: { finish_reason?: string | null; delta?: { content?: string | null }; text?: string }[];
  usage?: Usage | null;
};
type Usage = { prompt_tokens: number; completion_tokens: number; total_tokens: number };

/**
 * A streamed answer. Iterate it for the chunks; leaving the loop ends the request. An error in the stream, and an end
 * before the answer is complete, throw.
 */
export class AnswerStream<T extends Chunk> implements AsyncIterable<T> {
  readonly requestId: string | null;
  private readonly response: Response;
  private readonly controller: AbortController;
  private said = "";
  private counted: Usage | null = null;
  private consumed = false;

  constructor(response: Response, controller: AbortController) {
    this.response = response;
    this.controller = controller;
    this.requestId = response.headers.get("request-id");
  }

  /** Ends the request. */
  abort(): void {
    this.controller.abort();
  }

  /** Tokens, once the last chunk has come, if they were asked for with `stream_options: { include_usage: true }`. */
  get usage(): Usage | null {
    return this.counted;
  }

  /** Reads to the end and answers the whole text of the first choice. */
  async text(): Promise<string> {
    for await (const _ of this);
    return this.said;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    if (this.consumed) throw new TypeError("A stream can be read once.");
    this.consumed = true;
    let finished = false;
    let done = false;
    try {
      for await (const { data } of this.events()) {
        if (data === "[DONE]") {
          done = true;
          break;
        }
        const chunk = this.read(data);
        finished ||= chunk.choices.some((choice) => typeof choice.finish_reason === "string");
        yield chunk;
      }
      if (!done || !finished) throw new StreamTruncatedError(this.said);
    } finally {
      this.controller.abort();
    }
  }

  private read(data: string): T {
    const value = JSON.parse(data) as T & { error?: unknown };
    if (value.error !== undefined) throw errorFrom(this.response.status, this.response.headers, data);
    const [first] = value.choices;
    this.said += first?.delta?.content ?? first?.text ?? "";
    if (value.usage) this.counted = value.usage;
    return value;
  }

  private async *events(): AsyncGenerator<{ data: string }> {
    const body = this.response.body;
    if (!body) throw new StreamTruncatedError("");
    const reader = body
      .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array<ArrayBuffer>>)
      .pipeThrough(new EventSourceParserStream())
      .getReader();
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        yield value;
      }
    } catch (cause) {
      if (this.controller.signal.aborted) throw new AbortedError("The request was ended by its signal.", { cause });
      throw new ConnectionError("The connection broke in the middle of the answer.", { cause });
    } finally {
      reader.cancel().catch(() => {});
    }
  }
}
