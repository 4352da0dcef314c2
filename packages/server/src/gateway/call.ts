import type { FastifyReply, FastifyRequest } from "fastify";
import type { SignedIn } from "../http/actor.ts";
import type { CallableModel } from "../modules/catalogue/callable-models.ts";
import type { CurrentPlan } from "../modules/plans/plans.repository.ts";
import type { Backend } from "./backends/registry.ts";
import type { AnswerFormat } from "./formats/format.ts";

/** What callers ask of a model, in the form that backends take. */
export type CallBody = {
  model: string;
  stream?: boolean | null;
  stream_options?: { include_usage?: boolean | null; [field: string]: unknown } | null;
  max_tokens?: number | null;
  max_completion_tokens?: number | null;
  [field: string]: unknown;
};

export type CallKind = "chat" | "completion" | "embedding";

/** One request to a model on its way through the gateway. */
export type Call = {
  id: string;
  kind: CallKind;
  body: CallBody;
  /** How its answer is written. */
  format: AnswerFormat;
  /** Fields of the caller's form that have no place in that of backends. */
  ignored: readonly string[];
  actor: SignedIn;
  request: FastifyRequest;
  reply: FastifyReply;
  /** Size of the body as it came. */
  bytes: number;
  startedAt: Date;
  /** Milliseconds since then, with fractions. */
  elapsed(): number;
  /** Ends when the caller has gone, or, with an error for the caller as its reason, when the server stops. */
  signal: AbortSignal;
};

/** After the stage `resolve`; its body is brought to what the model takes. */
export type ResolvedCall = Call & {
  plan: CurrentPlan;
  model: CallableModel;
  /** Units it holds. */
  cost: number;
  /** Milliseconds from its arrival until it held them; 0 before. */
  queuedMs: number;
  backends: Backend[];
};

/** How a call ended, for its usage row. */
export type Outcome = {
  outcome: "completed" | "aborted" | "failed" | "interrupted";
  status: number;
  errorCode: string | null;
  backend: string | null;
  firstByteMs: number | null;
  usage: { prompt: number; completion: number; cached: number } | null;
  deltas: number;
};
