import type { IncomingHttpHeaders } from "node:http";

/** Values that describe a span. They must never contain a prompt, an answer or a credential. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | string[] | undefined>>;

/** A part of a request whose duration is traced. It is open until `end` is called; further calls of `end` have no effect. */
export type Span = {
  set(attributes: SpanAttributes): void;
  /** Starts a child span. The kind is `client` for requests to another program. */
  startChild(name: string, kind: "internal" | "client", attributes: SpanAttributes): Span;
  /** Returns the header `traceparent` (W3C Trace Context) for requests to backends; null if backends get none. */
  traceparent(): string | null;
  /** Ends the span. `errorType` is the code of the error if it failed. */
  end(errorType?: string): void;
};

/** Starts the span of a request, as a child of the caller's span if the header `traceparent` is accepted. */
export type Tracing = {
  startRequest(method: string, route: string, headers: IncomingHttpHeaders): Span;
};
