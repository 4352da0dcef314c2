import { createParser, type EventSourceMessage } from "eventsource-parser";
import { AbortedError, ApiError, ConnectionError, errorFrom, StreamTruncatedError, TimeoutError } from "../errors.ts";
import { ABORTED_MESSAGE, MAX_TIMER_MS } from "../fetch/send.ts";
import { isResumable, readMessages } from "./resume.ts";
import type { StreamSource } from "./stream-source.ts";

/** After how long without data, comments included, a resumable stream counts as broken, in milliseconds. */
const RESUMABLE_IDLE_MS = 60_000;
/** Longest accepted event, in characters: an event without end must not exhaust memory. */
const MAX_EVENT_LENGTH = 64 * 1024 * 1024;
const CONNECTION_BROKEN_MESSAGE = "The connection broke in the middle of the answer.";

/** How the events of a format are understood. */
export type StreamFormat<T> = {
  /** What marks a stream as complete: `[DONE]`, an event that the function accepts, or any end of the connection. */
  readonly end: "[DONE]" | "anywhere" | ((event: T) => boolean);
  /** Returns what an event adds to the text of the answer, for `StreamTruncatedError`. */
  readonly textOf?: (event: T) => string;
};

/**
 * A stream of JSON events. Iterate it; leaving the loop ends the request. Iterating throws `ApiError` for an error event
 * and `StreamTruncatedError` when the stream ends too early.
 */
export class EventStream<T> implements AsyncIterable<T> {
  /** Id of the request, as in logs and receipts; null when the server sent none. */
  readonly requestId: string | null;
  /** Id by which the stream can be continued and stopped; null for one that is not resumable. */
  readonly streamId: string | null;
  /** Aborts the request. */
  readonly controller: AbortController;
  private readonly source: () => AsyncIterator<T>;
  private consumed = false;

  constructor(
    source: () => AsyncIterator<T>,
    controller = new AbortController(),
    requestId: string | null = null,
    streamId: string | null = null,
  ) {
    this.source = source;
    this.controller = controller;
    this.requestId = requestId;
    this.streamId = streamId;
  }

  /** Restores a stream from the bytes of `toReadableStream`, which may come from another machine. */
  static fromReadableStream<T>(readable: ReadableStream<Uint8Array>): EventStream<T> {
    const controller = new AbortController();
    return new EventStream(() => readJsonLines<T>(readable, controller), controller);
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

  /** Returns two streams of the same events that can be read independently. The request ends when both are left or aborted. */
  tee(): [this, this] {
    const Class = this.constructor as new (
      source: () => AsyncIterator<T>,
      on?: AbortController,
      ...ids: (string | null)[]
    ) => this;
    const controllers = [new AbortController(), new AbortController()] as const;
    const [one, other] = splitIterator(this[Symbol.asyncIterator](), controllers, () => this.abort());
    return [
      new Class(() => one, controllers[0], this.requestId, this.streamId),
      new Class(() => other, controllers[1], this.requestId, this.streamId),
    ];
  }

  /** Returns the events as bytes, one line of JSON each, to forward them: see `fromReadableStream`. */
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
        this.abort(); // `return` alone would wait for the next event
        await events.return();
      },
    });
  }
}

/** Yields the events of a response. Throws `StreamTruncatedError` when it ends before it is complete. */
export async function* readEvents<T>(
  source: StreamSource,
  { end, textOf = () => "" }: StreamFormat<T>,
): AsyncGenerator<T, void, undefined> {
  let partial = "";
  try {
    for await (const event of readUntil<T>(source, end)) {
      partial += textOf(event);
      yield event;
    }
  } catch (error) {
    throw withPartial(error, partial);
  }
}

/** Returns the error with which a stream broke off, with the text that was received before. */
export function withPartial(error: unknown, partial: string): unknown {
  if (error instanceof StreamTruncatedError) return new StreamTruncatedError(partial, { cause: error.cause });
  if (error instanceof ApiError) error.partial = partial;
  return error;
}

async function* readUntil<T>(source: StreamSource, end: StreamFormat<T>["end"]): AsyncGenerator<T, void, undefined> {
  const { response, controller, signal, revive } = source;
  let isComplete = end === "anywhere";
  for await (const { data } of readMessages(source, parseMessages, () => isComplete)) {
    // Events received before an abort are not delivered after it.
    controller.signal.throwIfAborted();
    if (signal?.aborted) throw new AbortedError(ABORTED_MESSAGE, { cause: signal.reason });
    if (data === "[DONE]") {
      isComplete ||= end === "[DONE]";
      break;
    }
    const event = parseEvent(data, response.headers) as T;
    if (typeof end === "function") isComplete ||= end(event);
    yield revive(event) as T;
  }
  if (!isComplete) throw new StreamTruncatedError("");
}

/** Parses an event. Throws the error that it holds, or `ConnectionError` when it is not JSON. */
function parseEvent(data: string, headers: Headers): unknown {
  const value = parseJson(data) as { error?: StreamErrorBody; type?: unknown };
  if (value?.error && (value.type === undefined || value.type === "error"))
    throw errorFrom(statusOf(value.error), headers, data);
  return value;
}

type StreamErrorBody = { readonly code?: unknown; readonly type?: unknown };

/** HTTP statuses of errors in streams, by their code or their type. */
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

/** Returns the status that the error would have had before the stream began; 502 (failed backend) when unknown. */
function statusOf({ code, type }: StreamErrorBody): number {
  return STATUSES[String(code)] ?? STATUSES[String(type)] ?? 502;
}

/** Parses server-sent events; chunks may split them anywhere. */
async function* parseMessages(source: StreamSource): AsyncGenerator<EventSourceMessage> {
  const { controller, idleTimeoutMs } = source;
  const { body } = source.response;
  const ready: EventSourceMessage[] = [];
  const parser = createParser({
    maxBufferSize: MAX_EVENT_LENGTH,
    onEvent: (message) => ready.push(message),
    onError(error) {
      if (error.type === "max-buffer-size-exceeded")
        throw new ConnectionError(CONNECTION_BROKEN_MESSAGE, { cause: error });
    },
  });
  const idle = isResumable(source) ? { ms: idleTimeoutMs ?? RESUMABLE_IDLE_MS, isBreak: true } : { ms: idleTimeoutMs };
  for await (const text of readText(body, controller, idle)) {
    parser.feed(text);
    yield* ready.splice(0);
  }
}

/** Yields the events of `toReadableStream`. Throws `StreamTruncatedError` when the bytes end within an event. */
export async function* readJsonLines<T>(
  readable: ReadableStream<Uint8Array>,
  controller: AbortController,
): AsyncGenerator<T, void, undefined> {
  let rest = "";
  for await (const text of readText(readable, controller)) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      controller.signal.throwIfAborted();
      if (line !== "") yield parseJson(line) as T;
    }
  }
  if (rest !== "") yield parseJson(rest, (cause) => new StreamTruncatedError("", { cause })) as T;
}

/** Parses an event. Throws the error that `toError` returns when it is not JSON, by default a `ConnectionError`. */
function parseJson(
  text: string,
  toError = (cause: unknown): Error => new ConnectionError("An event of the answer is not JSON.", { cause }),
): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw toError(cause);
  }
}

/** The longest time without data in milliseconds, and whether it only ends the connection. Else it aborts the request. */
type Idle = { ms: number | undefined; isBreak?: boolean };

/** Decodes bytes as UTF-8, including characters split across chunks. */
async function* readText(
  body: ReadableStream<Uint8Array> | null,
  controller: AbortController,
  { ms, isBreak }: Idle = { ms: undefined },
): AsyncGenerator<string, void, undefined> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  const { signal } = controller;
  // The readable may know nothing of the controller, such as one that came from another machine.
  const cancel = () => void reader?.cancel(signal.reason).catch(() => {});
  signal.addEventListener("abort", cancel, { once: true });
  const onIdle = () =>
    isBreak ? cancel() : controller.abort(new TimeoutError(`The stream was silent for ${(ms ?? 0) / 1000} s.`));
  const next = async () => {
    signal.throwIfAborted();
    const timer = ms === undefined || ms > MAX_TIMER_MS ? undefined : setTimeout(onIdle, ms);
    try {
      return await reader?.read();
    } finally {
      clearTimeout(timer);
    }
  };
  try {
    for (let part = await next(); part && !part.done; part = await next())
      yield decoder.decode(part.value, { stream: true });
    signal.throwIfAborted();
    yield decoder.decode();
  } catch (cause) {
    throw signal.aborted ? signal.reason : new StreamTruncatedError("", { cause });
  } finally {
    cancel();
  }
}

/**
 * Splits an iterator in two. Values that only one of them has read are buffered. A branch whose controller is aborted rejects;
 * `abort` is called when both branches are left or aborted.
 */
function splitIterator<T>(
  source: AsyncGenerator<T, void, undefined>,
  controllers: readonly [AbortController, AbortController],
  abort: () => void,
): [AsyncIterator<T>, AsyncIterator<T>] {
  type Next = Promise<IteratorResult<T>>;
  let openBranches: number = controllers.length;
  const createBranch = ({ signal }: AbortController) => ({ signal, queue: [] as Next[] });
  const branches = [createBranch(controllers[0]), createBranch(controllers[1])] as const;
  for (const { signal, queue } of branches)
    signal.addEventListener("abort", () => {
      queue.length = 0;
      openBranches -= 1;
      if (openBranches === 0) abort();
    });
  const createIterator = ({ signal, queue }: (typeof branches)[number]): AsyncIterator<T> => ({
    next() {
      if (signal.aborted) return Promise.reject(signal.reason);
      if (queue.length === 0) {
        const next = source.next();
        for (const branch of branches) if (!branch.signal.aborted) branch.queue.push(next);
      }
      return untilAborted(queue.shift() ?? source.next(), signal);
    },
    async return() {
      if (openBranches === 0) await source.return();
      return { done: true, value: undefined };
    },
  });
  return [createIterator(branches[0]), createIterator(branches[1])];
}

/** Returns a promise of the same value that rejects as soon as the signal aborts. */
function untilAborted<T>(value: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort);
    value.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
