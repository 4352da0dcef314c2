import { createParser, type EventSourceMessage } from "eventsource-parser";
import { AbortedError, ConnectionError, errorFrom, StreamTruncatedError, TimeoutError } from "../errors.ts";
import type { Sent } from "../transport.ts";

/** The longest event that is taken, in characters: a server that never ends one must not fill the memory. */
const LONGEST_EVENT = 64 * 1024 * 1024;
const BROKEN = "The connection broke in the middle of the answer.";

/** When a stream is complete: after `[DONE]`, after an event that says so, or wherever it ends. */
export type Ending<T> = "[DONE]" | "anywhere" | ((event: T) => boolean);

/**
 * A stream of events, each of them JSON. Iterate it; leaving the loop ends the request. An error in the stream, and an
 * end before the answer is complete, throw.
 */
export class EventStream<T> implements AsyncIterable<T> {
  /** Id of the request, to find it in logs and receipts. */
  readonly requestId: string | null;
  /** Ends the request by `abort()`. */
  readonly controller: AbortController;
  private readonly source: () => AsyncIterator<T>;
  private consumed = false;

  constructor(source: () => AsyncIterator<T>, controller = new AbortController(), requestId: string | null = null) {
    this.source = source;
    this.controller = controller;
    this.requestId = requestId;
  }

  /** What `toReadableStream` wrote, perhaps on another machine, as a stream again. */
  static fromReadableStream<T>(readable: ReadableStream<Uint8Array>): EventStream<T> {
    const controller = new AbortController();
    return new EventStream(() => linesOf<T>(readable, controller), controller);
  }

  /** Ends the request. */
  abort(): void {
    this.controller.abort(new AbortedError("The request was ended by its stream."));
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    if (this.consumed) throw new TypeError("A stream can be read once; use tee() to read it twice.");
    this.consumed = true;
    const source = this.source();
    try {
      for (let next = await source.next(); !next.done; next = await source.next()) yield next.value;
    } finally {
      this.abort();
      await source.return?.();
    }
  }

  /** Two streams of the same events, to be read side by side. The request ends when both have been left. */
  tee(): [this, this] {
    const Class = this.constructor as new (
      source: () => AsyncIterator<T>,
      on?: AbortController,
      id?: string | null,
    ) => this;
    const [one, other] = split(this[Symbol.asyncIterator]());
    return [new Class(() => one, undefined, this.requestId), new Class(() => other, undefined, this.requestId)];
  }

  /** The events as bytes, one line of JSON for each, to send on: see `fromReadableStream`. */
  toReadableStream(): ReadableStream<Uint8Array> {
    const events = this[Symbol.asyncIterator]();
    const encoder = new TextEncoder();
    return new ReadableStream({
      async pull(controller) {
        const { done, value } = await events.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(`${JSON.stringify(value)}\n`));
      },
      cancel: async () => {
        await events.return();
      },
    });
  }
}

/** The events of an answer. */
export async function* eventsOf<T>(
  sent: Sent,
  revive: (value: unknown) => unknown,
  ending: Ending<T>,
): AsyncGenerator<T, void, undefined> {
  const { response } = sent;
  let complete = ending === "anywhere";
  try {
    for await (const { data } of messages(sent)) {
      // What had come before the request was ended is not handed out any more.
      sent.controller.signal.throwIfAborted();
      if (data === "[DONE]") {
        complete ||= ending === "[DONE]";
        break;
      }
      const event = eventOf(data, response.headers) as T;
      if (typeof ending === "function") complete ||= ending(event);
      yield revive(event) as T;
    }
    if (!complete) throw new StreamTruncatedError("");
  } finally {
    sent.settle();
  }
}

/** The JSON of an event; one that holds an error throws it. */
function eventOf(data: string, headers: Headers): unknown {
  let value: { error?: StreamFault; type?: unknown };
  try {
    value = JSON.parse(data);
  } catch (cause) {
    throw new ConnectionError("An event of the answer is not JSON.", { cause });
  }
  if (value?.error && (value.type === undefined || value.type === "error"))
    throw errorFrom(statusOf(value.error), headers, data);
  return value;
}

type StreamFault = { readonly code?: unknown; readonly type?: unknown };

/** The statuses of errors, by the code or else by the type that stands in a stream. */
const STATUSES: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  rate_limit_error: 429,
  internal_error: 500,
  capacity_exhausted: 503,
  model_loading: 503,
  overloaded_error: 503,
  shutting_down: 503,
  timeout_error: 504,
  upstream_timeout: 504,
};

/** The status that an error would have had before the stream began. 502, a failed backend, where nothing says. */
function statusOf({ code, type }: StreamFault): number {
  return STATUSES[String(code)] ?? STATUSES[String(type)] ?? 502;
}

/** The events as they were sent, whatever way their bytes were cut. */
async function* messages({ response: { body }, controller, idle }: Sent): AsyncGenerator<EventSourceMessage> {
  const ready: EventSourceMessage[] = [];
  const parser = createParser({
    maxBufferSize: LONGEST_EVENT,
    onEvent: (message) => ready.push(message),
    onError(error) {
      if (error.type === "max-buffer-size-exceeded") throw new ConnectionError(BROKEN, { cause: error });
    },
  });
  for await (const text of textOf(body, controller, idle)) {
    parser.feed(text);
    yield* ready.splice(0);
  }
}

async function* linesOf<T>(
  readable: ReadableStream<Uint8Array>,
  controller: AbortController,
): AsyncGenerator<T, void, undefined> {
  let rest = "";
  for await (const text of textOf(readable, controller)) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line !== "") yield JSON.parse(line) as T;
  }
  if (rest !== "") yield JSON.parse(rest) as T;
}

/** Bytes as text, with characters that were cut put together again. A silence that is too long ends the request. */
async function* textOf(
  body: ReadableStream<Uint8Array> | null,
  controller: AbortController,
  idle?: number,
): AsyncGenerator<string, void, undefined> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  const tooLong = () => controller.abort(new TimeoutError(`The stream was silent for ${(idle ?? 0) / 1000} s.`));
  const next = async () => {
    const timer = idle === undefined ? undefined : setTimeout(tooLong, idle);
    try {
      return await reader?.read();
    } finally {
      clearTimeout(timer);
    }
  };
  try {
    for (let part = await next(); part && !part.done; part = await next())
      yield decoder.decode(part.value, { stream: true });
    yield decoder.decode();
  } catch (cause) {
    throw controller.signal.aborted ? controller.signal.reason : new StreamTruncatedError("", { cause });
  } finally {
    reader?.cancel().catch(() => {});
  }
}

/** One iterator as two. What one is ahead of the other is kept. */
function split<T>(source: AsyncGenerator<T, void, undefined>): [AsyncIterator<T>, AsyncIterator<T>] {
  const queues: [Promise<IteratorResult<T>>[], Promise<IteratorResult<T>>[]] = [[], []];
  let reading = 2;
  const branch = (own: Promise<IteratorResult<T>>[]): AsyncIterator<T> => ({
    next() {
      if (own.length === 0) {
        const next = source.next();
        for (const queue of queues) queue.push(next);
      }
      return own.shift() ?? source.next();
    },
    async return() {
      reading -= 1;
      if (reading === 0) await source.return();
      return { done: true, value: undefined };
    },
  });
  return [branch(queues[0]), branch(queues[1])];
}
