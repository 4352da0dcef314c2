/** Options of one request; they take precedence over the client's. */
export type RequestOptions = {
  /** Aborts the request; the promise rejects with `AbortedError`. */
  signal?: AbortSignal | undefined;
  /** Headers to add; `null` removes one of the client's. */
  headers?: Record<string, string | null | undefined> | undefined;
  /** Additional query parameters. */
  query?: Record<string, unknown> | undefined;
  /**
   * Milliseconds until the response must be complete; for streams, until it must begin.
   * What a request asks the server to wait, with `x-wait-for-model` or `x-queue-timeout`, comes on top.
   */
  timeout?: number | undefined;
  /** Milliseconds without data after which a stream counts as broken. No limit by default. */
  streamIdleTimeout?: number | undefined;
  /**
   * For streams of chat completions, responses and messages: the server goes on with the answer when the connection breaks, and the
   * stream connects again by itself, for about a minute. The header `x-stream-id` names the stream; a random UUID by default. A stream
   * counts as broken after a minute without data, unless `streamIdleTimeout` says otherwise.
   */
  resumable?: boolean | undefined;
  /** Maximum number of retries after transient failures. Nothing is repeated once an answer has begun. */
  maxRetries?: number | undefined;
  /** Lets the server recognise a repeated POST; random by default. Not sent with calls to models, whose answers are not kept. */
  idempotencyKey?: string | undefined;
};

/** Request options that ask for a stream of events. */
export type StreamOptions = RequestOptions & { stream: true };
