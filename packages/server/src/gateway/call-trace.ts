import { AppError } from "../platform/core/errors/index.ts";
import type { Span } from "../platform/core/tracing.ts";
import type { Backend } from "./backends/registry.ts";
import type { CallKind, ParsedRequest } from "./formats/parsed-request.ts";
import type { UsageRow } from "./usage/usage-writer.ts";

/** OpenTelemetry's names of the operations in its conventions for generative AI. */
const OPERATIONS: Readonly<Record<CallKind, string>> = {
  chat: "chat",
  completion: "text_completion",
  embedding: "embeddings",
  image: "generate_content",
  speech: "generate_content",
  // The conventions have no names for these.
  rerank: "rerank",
  moderation: "moderation",
  transcription: "transcription",
  translation: "translation",
};
/** The provider of all models in these conventions: this server. */
const PROVIDER = "feather";

/** The spans of a call to a model: one for the call and one for each request to a backend. */
export class CallTrace {
  readonly #span: Span;
  #attempt: Span | null = null;

  constructor(parent: Span, { kind, body }: Pick<ParsedRequest, "kind" | "body">, requestId: string) {
    const operation = OPERATIONS[kind];
    this.#span = parent.startChild(`${operation} ${body.model}`, "internal", {
      "gen_ai.operation.name": operation,
      "gen_ai.provider.name": PROVIDER,
      "gen_ai.request.model": body.model,
      "gen_ai.request.stream": body.stream === true,
      "gen_ai.request.max_tokens": body.max_completion_tokens ?? body.max_tokens ?? undefined,
      "gen_ai.response.id": requestId,
    });
  }

  /** Starts the span of a request to a backend. It ends when the call ends or the next request starts. */
  startAttempt({ name }: Backend, path: string): void {
    this.#attempt?.end();
    this.#attempt = this.#span.startChild(`POST ${path}`, "client", {
      "http.request.method": "POST",
      "url.template": path,
      "server.address": name,
    });
  }

  failAttempt({ code, status }: AppError): void {
    this.#attempt?.set({ "feather.status": status });
    this.#attempt?.end(code);
    this.#attempt = null;
  }

  /** Returns the `traceparent` header for the request to the backend; null if it gets none. */
  traceparent(): string | null {
    return this.#attempt?.traceparent() ?? null;
  }

  setFinishReasons(reasons: readonly string[]): void {
    if (reasons.length > 0) this.#span.set({ "gen_ai.response.finish_reasons": [...reasons] });
  }

  settle(row: UsageRow): void {
    this.#span.set({
      "gen_ai.response.model": row.model_id.replace(/^[^/:]*:/, ""),
      "gen_ai.usage.input_tokens": Number(row.prompt_tokens ?? 0),
      "gen_ai.usage.output_tokens": Number(row.completion_tokens ?? 0),
      "gen_ai.usage.cache_read.input_tokens": Number(row.cached_tokens ?? 0),
      "gen_ai.response.time_to_first_chunk":
        row.streamed === true && row.first_byte_ms != null ? Number(row.first_byte_ms) / 1000 : undefined,
      "feather.queued_ms": Number(row.queued_ms ?? 0),
      "feather.outcome": row.outcome,
    });
    this.#attempt?.end(row.error_code ?? undefined);
    if (row.error_code != null) this.#span.end(row.error_code);
  }

  /** Ends the open spans when the call has ended. Rejects with the error of the call. */
  async follow(call: Promise<void>): Promise<void> {
    try {
      await call;
      this.#end();
    } catch (error) {
      this.#end(error instanceof AppError ? error.code : "internal_error");
      throw error;
    }
  }

  #end(errorType?: string): void {
    this.#attempt?.end(errorType);
    this.#span.end(errorType);
  }
}
