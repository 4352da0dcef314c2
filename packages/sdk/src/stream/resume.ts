import type { EventSourceMessage } from "eventsource-parser";
import { AbortedError, ApiError, ConnectionError, StreamTruncatedError, TimeoutError } from "../errors.ts";
import { ABORTED_MESSAGE, type SentRequest, sleep } from "../fetch/send.ts";
import type { RequestOptions } from "../request-options.ts";
import type { Resume, StreamSource } from "./stream-source.ts";

/** How often in a row it is tried to continue a stream: for about a minute. */
const MAX_ATTEMPTS = 10;
const INITIAL_DELAY_MS = 250;
const MAX_DELAY_MS = 8_000;
const TRANSIENT_STATUSES = [429, 502, 503, 504];
const ID_HEADER = "x-stream-id";

/** Returns whether a stream can be continued. */
export const isResumable = ({ response }: SentRequest): boolean => response.headers.has(ID_HEADER);

/**
 * Sends a call whose stream can be continued. If the connection breaks before the response, the stream is read that the server may
 * have begun; the call is never sent twice, since that might cost twice.
 */
export async function sendResumable(
  send: (options: RequestOptions) => Promise<SentRequest>,
  resume: Resume,
  options: RequestOptions,
): Promise<SentRequest> {
  const { headers = {}, signal } = options;
  const id = headers[ID_HEADER] ?? crypto.randomUUID();
  try {
    return await send({ ...options, headers: { ...headers, "x-resumable": "1", [ID_HEADER]: id } });
  } catch (error) {
    if (!(error instanceof ConnectionError) || error instanceof TimeoutError) throw error;
    return await connect(resume, { streamId: id, after: "0", signal }).catch((failure: unknown) => {
      // The server has not got the call.
      throw failure instanceof ApiError && failure.status === 404 ? error : failure;
    });
  }
}

/** Yields the messages of a stream, also of those connections that continue it after one has broken. */
export async function* readMessages(
  source: StreamSource,
  parse: (source: StreamSource) => AsyncIterable<EventSourceMessage>,
  isComplete: () => boolean,
): AsyncGenerator<EventSourceMessage, void, undefined> {
  const { response, resume, controller, signal } = source;
  const streamId = response.headers.get(ID_HEADER);
  if (streamId === null || resume === undefined) return yield* parse(source);
  // The caller's signal no longer reaches the controller once a connection has broken.
  const onAbort = () => controller.abort(new AbortedError(ABORTED_MESSAGE, { cause: signal?.reason }));
  signal?.addEventListener("abort", onAbort);
  let current = source;
  let after = "0";
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
      current = { ...source, ...(await connect(resume, { streamId, after, signal: controller.signal })) };
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
};

/** Connects again, after failures that may pass a bounded number of times. */
async function connect(resume: Resume, { streamId, after, signal }: Position): Promise<SentRequest> {
  for (let attempt = 0; ; attempt++) {
    await sleep(Math.min(INITIAL_DELAY_MS * 2 ** attempt, MAX_DELAY_MS), signal);
    try {
      return await resume(streamId, { signal, maxRetries: 0, resumable: false, headers: { "last-event-id": after } });
    } catch (error) {
      if (attempt + 1 >= MAX_ATTEMPTS || !isTransient(error)) throw error;
    }
  }
}

const isTransient = (error: unknown): boolean =>
  error instanceof ConnectionError || (error instanceof ApiError && TRANSIENT_STATUSES.includes(error.status));
