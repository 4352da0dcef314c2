import type { IncomingHttpHeaders } from "node:http";

/** Values that describe a span. Never a prompt, an answer or a credential. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | string[] | undefined>>;

/** A part of a request whose duration is traced. It is open until `end`, which may be called more than once. */
export type Span = {
  set(attributes: SpanAttributes): void;
  /** Starts a span below it; `client` for what is sent to another program. */
  startChild(name: string, kind: "internal" | "client", attributes: SpanAttributes): Span;
  /** The header `traceparent` (W3C Trace Context) for what it sends; null if backends are not told. */
  traceparent(): string | null;
  /** `errorType` is the code of the error if it failed. */
  end(errorType?: string): void;
};

/** Starts the span of a request: below the caller's, where its header `traceparent` is accepted. */
export type Tracing = {
  startRequest(method: string, route: string, headers: IncomingHttpHeaders): Span;
};
