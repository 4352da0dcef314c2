import type { SignedInActor } from "../core/auth/actor.ts";
import type { Exchange } from "../core/http/exchange.ts";
import type { Backend } from "./backends/registry.ts";
import type { CallTrace } from "./call-trace.ts";
import type { StreamState } from "./formats/chunks.ts";
import type { AnswerFormat } from "./formats/format.ts";
import type { CallableModel, CallerPlan } from "./ports.ts";
import type { ReportedUsage } from "./reported-usage.ts";

/** The request of a caller in the format of backends: OpenAI's chat, text completion or embeddings. */
export type CallBody = {
  model: string;
  stream?: boolean | null;
  stream_options?: { include_usage?: boolean | null; [field: string]: unknown } | null;
  max_tokens?: number | null;
  max_completion_tokens?: number | null;
  [field: string]: unknown;
};

/** The backend endpoint that a call goes to. */
export type CallKind = "chat" | "completion" | "embedding";

/** A request to one of the endpoints, translated to the format of backends. */
export type ParsedRequest = {
  kind: CallKind;
  body: CallBody;
  /** Fields of the caller's request that have no counterpart in the format of backends. */
  ignored: readonly string[];
  /** Whether the answer continues the assistant's message that ends the conversation, as in Anthropic's API. */
  continuesAnswer?: boolean;
  /** Renders the answer in the format of the endpoint; null for embeddings, which have only one. */
  format: AnswerFormat | null;
};

/** A request with its caller and the exchange through which the answer is sent. */
export type CallRequest = ParsedRequest & { actor: SignedInActor; exchange: Exchange };

/**
 * The progress of a streamed answer; all fields are null until its first chunk. `firstByteMs` counts from the start of the
 * call.
 */
export type AnswerProgress = { backend: Backend | null; firstByteMs: number | null; state: StreamState | null };

/** One request to a model on its way through the gateway. */
export type Call = CallRequest & {
  id: string;
  startedAt: Date;
  /** Milliseconds since `startedAt`, with fractions, from a monotonic clock. */
  elapsedMs(): number;
  /**
   * Aborts when the caller disconnects, or when the server or the caller stops the call. In the second case the reason is
   * the `AppError` for the caller.
   */
  signal: AbortSignal;
  /** The spans of the call; null without tracing. */
  trace: CallTrace | null;
  /** Updated while a streamed answer arrives. */
  progress: AnswerProgress;
};

/** A call after the stage `resolve`. Its body contains only what the model accepts. */
export type ResolvedCall = Call & {
  plan: CallerPlan;
  model: CallableModel;
  /** Concurrency units that it holds while it runs. */
  cost: number;
  /** Milliseconds from the start of the call until it got its units; 0 before. */
  queuedMs: number;
  backends: Backend[];
};

/** The end of a call, for its usage row. */
export type Outcome = {
  outcome: "completed" | "aborted" | "failed" | "interrupted";
  status: number;
  errorCode: string | null;
  backend: string | null;
  firstByteMs: number | null;
  usage: ReportedUsage | null;
  deltas: number;
};
