import type { FastifyReply, FastifyRequest } from "fastify";
import type { SignedIn } from "../http/actor.ts";
import type { CallableModel } from "../modules/catalogue/callable-models.ts";
import type { CurrentPlan } from "../modules/plans/plans.repository.ts";
import type { Backend } from "./backends/registry.ts";

/** What callers ask of a model, as it comes from the contract. Fields not named here pass through untouched. */
export type CallBody = {
  model: string;
  stream?: boolean | null;
  stream_options?: { include_usage?: boolean; [field: string]: unknown } | null;
  max_tokens?: number | null;
  max_completion_tokens?: number | null;
  [field: string]: unknown;
};

export type CallKind = "chat" | "completion";

/** Where each kind of call goes, below the backend's address. */
export const CALL_PATHS: Readonly<Record<CallKind, string>> = { chat: "/chat/completions", completion: "/completions" };

/** One request to a model on its way through the gateway. */
export type Call = {
  id: string;
  kind: CallKind;
  body: CallBody;
  actor: SignedIn;
  request: FastifyRequest;
  reply: FastifyReply;
  startedAt: Date;
  /** Milliseconds since then. */
  elapsed(): number;
  /** Ends when the caller has gone, or the call is over. */
  signal: AbortSignal;
};

/** After the stages `admit` and `resolve`. */
export type ResolvedCall = Call & { plan: CurrentPlan; model: CallableModel; backends: Backend[] };

/** How a call ended, for its usage row. */
export type Outcome = {
  outcome: "completed" | "aborted" | "failed";
  status: number;
  errorCode: string | null;
  backend: string | null;
  firstByteMs: number | null;
  usage: { prompt: number; completion: number; cached: number } | null;
  deltas: number;
};
