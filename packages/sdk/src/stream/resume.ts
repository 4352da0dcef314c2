import type { EventSourceMessage } from "eventsource-parser";
import { AbortedError, ApiError, ConnectionError, StreamTruncatedError, TimeoutError } from "../errors.ts";
import { ABORTED_MESSAGE, type SentRequest, sleep } from "../fetch/send.ts";
import { createUuid } from "../fetch/uuid.ts";
import type { RequestOptions } from "../request-options.ts";
import type { Resume, StreamSource } from "./stream-source.ts";

/** How often in a row it is tried to continue a stream: for about a minute. */
const MAX_ATTEMPTS = 10;
/** How often it is tried to find the stream of a call without a response: most likely the server has not got it. */
const MAX_FIRST_ATTEMPTS = 3;
const INITIAL_DELAY_MS = 250;
const MAX_DELAY_MS = 8_000;
const TRANSIENT_STATUSES = [429, 502, 503, 504];
/** The header with the id of a resumable stream. */
export const STREAM_ID_HEADER = "x-stream-id";

/** Returns whether a stream can be continued. */
export const isResumable = ({ response }: SentRequest): boolean => response.headers.has(STREAM_ID_HEADER);

/**
 * Sends a call whose stream can be continued. If the connection breaks before the response, the stream is read that the server may
 * have begun. The call is sent again only where the server says that it has none.
 */
export async function sendResumable(
  send: (options: RequestOptions) => Promise<SentRequest>,
  resume: Resume,
  options: RequestOptions,
): Promise<SentRequest> {
  const { headers = {}, signal, maxRetries } = options;
  const streamId = headers[STREAM_ID_HEADER] ?? createUuid();
  const request = { ...options, headers: { ...headers, "x-resumable": "1", [STREAM_ID_HEADER]: streamId } };
  const attempts = maxRetries === 0 ? 1 : MAX_FIRST_ATTEMPTS;
  for (let isRepeated = maxRetries === 0; ; isRepeated = true) {
    try {
      return await send(request);
    } catch (error) {
      if (!(error instanceof ConnectionError) || error instanceof TimeoutError) throw error;
      try {
        return await connect(resume, { streamId, after: "0", signal, attempts });
      } catch (failure) {
        const isUnknown = failure instanceof ApiError && failure.status === 404;
        if (!isUnknown || isRepeated) throw isUnknown ? error : failure;
      }
    }
  }
}

/** Yields the messages of a stream, also of those connections that continue it after one has broken. */
export async function* readMessages(
  source: StreamSource,
  parse: (source: StreamSource) => AsyncIterable<EventSourceMessage>,
  isComplete: () => boolean,
): AsyncGenerator<EventSourceMessage, void, undefined> {
  const { response, resume, controller, signal } = source;
  const streamId = response.headers.get(STREAM_ID_HEADER);
  if (streamId === null) return yield* parse(source);
  // The caller's signal no longer reaches the controller once a connection has broken.
  const onAbort = () => controller.abort(new AbortedError(ABORTED_MESSAGE, { cause: signal?.reason }));
  signal?.addEventListener("abort", onAbort);
  let current = source;
  // Where `streams.get` began.
  let after = /[?&]after=(\d+)/.exec(response.url)?.[1] ?? "0";
  try {
    for (let withoutMessage = 1; ; withoutMessage++) {
      try {
        for await (const message of parse(current)) {
          after = message.id ?? after;
          withoutMessage = 0;
          yield message;
        }
        if (isComplete()) return;
        if (withoutMessage > MAX_ATTEMPTS) throw new StreamTruncatedError("");
      } catch (error) {
        const isBroken = error instanceof StreamTruncatedError && withoutMessage <= MAX_ATTEMPTS;
        if (controller.signal.aborted || !isBroken) throw error;
      }
      current = {
        ...source,
        ...(await connect(resume, { streamId, after, signal: controller.signal, attempts: MAX_ATTEMPTS })),
      };
    }
  } finally {
    signal?.removeEventListener("abort", onAbort);
    current.controller.abort(new AbortedError(ABORTED_MESSAGE));
  }
}

type Position = {
  streamId: string;
  /** The id of the last event that was received; 0 before the first. */
  after: string;
  signal: AbortSignal | undefined;
  /** How often it is tried at most. */
  attempts: number;
};

/** Connects again, after failures that may pass a bounded number of times. */
async function connect(resume: Resume, { streamId, after, signal, attempts }: Position): Promise<SentRequest> {
  for (let attempt = 0; ; attempt++) {
    await sleep(Math.min(INITIAL_DELAY_MS * 2 ** attempt, MAX_DELAY_MS), signal);
    try {
      return await resume(streamId, { signal, maxRetries: 0, resumable: false, headers: { "last-event-id": after } });
    } catch (error) {
      if (attempt + 1 >= attempts || !isTransient(error)) throw error;
    }
  }
}

const isTransient = (error: unknown): boolean =>
  error instanceof ConnectionError || (error instanceof ApiError && TRANSIENT_STATUSES.includes(error.status));
