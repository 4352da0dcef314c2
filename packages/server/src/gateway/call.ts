import type { SignedInActor } from "../platform/core/auth/actor.ts";
import type { Exchange } from "../platform/core/http/exchange.ts";
import type { OwnKeys } from "./backends/own-keys.ts";
import type { Backend } from "./backends/registry.ts";
import type { CallTrace } from "./call-trace.ts";
import type { ModelAttempt } from "./fallbacks.ts";
import type { StreamState } from "./formats/chunks.ts";
import type { ParsedRequest, ProviderPreferences } from "./formats/parsed-request.ts";
import type { BackendOrder, CallableModel, CallerPlan } from "./ports.ts";
import type { PromptBlocks } from "./prefixes/prompt-blocks.ts";
import type { ResumableCall } from "./resumable/resumable-call.ts";
import type { ReportedUsage } from "./usage/reported-usage.ts";

/** A request with its caller and the exchange through which the answer is sent. */
export type CallRequest = ParsedRequest & {
  actor: SignedInActor;
  exchange: Exchange;
  /** The alias that was called and stands for the model; undefined if the caller named the model itself. */
  alias?: string;
  /** Which of several models is tried; undefined for a call of one model. */
  attempt?: ModelAttempt;
  /** Where it may be answered; undefined if the caller leaves that to the server. */
  preferences?: ProviderPreferences;
  /** The operator's order of backends; undefined for calls for which it does not hold. */
  order?: BackendOrder;
  /** What it costs with an own key of the organization, in percent of the price; undefined where there are none. */
  ownKeyFeePercent?: number;
  /** Whether it is kept from backends that charge more than the price of the model, if it is metered. */
  refusesBelowCost?: boolean;
  /** The stream that gets the answer; undefined for a call that ends when its caller disconnects. */
  resumable?: ResumableCall;
};

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
   * Aborts when the caller of a call that is not resumable disconnects, or when the server or the caller stops the call. In the second case the reason is
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
  /** The own keys of its organization; none unless one of the backends takes them. */
  ownKeys: OwnKeys;
  /** Its prompt as caches of backends know it; null unless several backends may answer. */
  prompt: PromptBlocks | null;
};

/** Returns the present time of a call in milliseconds since 1970, by the clock with which it began. */
export const nowOf = ({ startedAt, elapsedMs }: Pick<Call, "startedAt" | "elapsedMs">): number =>
  startedAt.getTime() + elapsedMs();

/** The end of a call, for its usage row. */
export type Outcome = {
  outcome: "completed" | "aborted" | "failed" | "interrupted";
  status: number;
  errorCode: string | null;
  backend: string | null;
  firstByteMs: number | null;
  usage: ReportedUsage | null;
  deltas: number;
  /** The number of pictures that were made; absent for other answers. */
  images?: number;
  /** The length of the sound that was heard, in milliseconds; absent for other answers, and if the backend does not say it. */
  audioMs?: number;
};
