import { ConnectionError } from "../errors.ts";

/** A request in progress. */
export type Exchange = {
  /** Aborts the request, also while the body of its response is being read. */
  readonly controller: AbortController;
  /** Clears the time limit: the response is a stream. */
  clearTimeLimit(): void;
  /** Clears the time limit and stops listening to the caller's signal. */
  release(): void;
};

const EMPTY_STATUSES = [204, 205, 304];

/** Returns whether a response is a stream of events. Media types are case-insensitive. */
export const isEventStream = (headers: Headers): boolean =>
  /^text\/event-stream/i.test(headers.get("content-type") ?? "");

/**
 * Returns the response with a body that stays under the caller's signal and the time limit until it is read, cancelled or
 * broken; event streams have no time limit, unless they answer with an error. Reading throws `AbortedError`, `TimeoutError` or `ConnectionError`.
 */
export function guardBody(response: Response, exchange: Exchange): Response {
  if (response.ok && isEventStream(response.headers)) exchange.clearTimeLimit();
  // Chrome gives responses without content an empty body, with which no `Response` can be made.
  if (response.body === null || EMPTY_STATUSES.includes(response.status)) {
    exchange.release();
    return response;
  }
  const { status, statusText, headers, url, redirected } = response;
  const guarded = new Response(guardStream(response.body, exchange), { status, statusText, headers });
  // The `Response` constructor cannot set `url` and `redirected`.
  return Object.defineProperties(guarded, { url: { value: url }, redirected: { value: redirected } });
}

function guardStream(body: ReadableStream<Uint8Array>, exchange: Exchange): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream({
    async pull(queue) {
      try {
        const { done, value } = await reader.read();
        if (!done) return queue.enqueue(value);
        exchange.release();
        queue.close();
      } catch (cause) {
        exchange.release();
        queue.error(toRequestError(exchange.controller, cause, "The connection broke in the middle of the answer."));
      }
    },
    cancel(reason) {
      exchange.release();
      return reader.cancel(reason);
    },
  });
}

/** Returns the error of a failed request: the abort reason (`AbortedError` or `TimeoutError`), or a `ConnectionError`. */
export function toRequestError({ signal }: AbortController, cause: unknown, message: string): Error {
  return signal.aborted ? signal.reason : new ConnectionError(message, { cause });
}
