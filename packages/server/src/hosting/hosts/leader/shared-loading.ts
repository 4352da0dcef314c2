import { ROLES } from "@feather/openapi/permissions";
import { LRUCache } from "lru-cache";
import { z } from "zod";
import type { CallableModel, ColdCall, Loading, ModelHost } from "../../../gateway/index.ts";
import type { KeyLimits, SignedInActor } from "../../../platform/core/auth/actor.ts";
import { bind } from "../../../platform/core/bind.ts";
import type { Clock } from "../../../platform/core/clock.ts";
import { answerAsLeader, type PeerCall } from "../../../platform/core/peers/peer-call.ts";
import type { PeerClient } from "../../../platform/core/peers/peer-client.ts";
import type { Replicas } from "../../../platform/core/replicas/replicas.ts";
import { SECOND_MS } from "../../../platform/core/time.ts";

/** Loads models for calls, and downloads models that are not stored yet. */
export type LoadingPort = { host: ModelHost; request(call: ColdCall): Promise<Loading | null> };

type Deps = {
  replicas: Pick<Replicas, "isLeader">;
  peers: Pick<PeerClient, "askLeader">;
  /** Loads models on this machine and downloads them to it. */
  local: LoadingPort;
  clock: Clock;
};
type Context = Deps & {
  /** Why models cannot be loaded, from the leader's last response about each, by key. */
  problems: LRUCache<string, string>;
};

const MAX_PROBLEMS = 1_000;

const delegation = z.object({ applicationId: z.string(), grantId: z.string() });
/** A caller without the limits of their API key: the replica that received the call has checked them. */
const sentActor = z.object({
  userId: z.string(),
  organizationId: z.string(),
  role: z.enum(ROLES),
  isAdmin: z.boolean(),
  emailVerified: z.boolean(),
  scopes: z.array(z.string()),
  ip: z.string().nullable(),
  credential: z.discriminatedUnion("type", [
    z.object({ type: z.literal("session"), id: z.string(), impersonatedBy: z.string().nullable() }),
    z.object({ type: z.literal("key"), id: z.string(), delegation: delegation.nullable() }),
    z.object({ type: z.literal("oauth"), id: z.string(), delegation }),
    z.object({ type: z.literal("deployment"), id: z.string() }),
    z.object({ type: z.literal("collection"), id: z.string() }),
  ]),
});
const sentModel: z.ZodType<CallableModel> = z.object({
  id: z.string(),
  key: z.string(),
  classId: z.string(),
  cost: z.number(),
  parameterSize: z.number().nullable(),
  contextLength: z.number().nullable(),
  maxCompletionTokens: z.number().nullable(),
  inputModalities: z.array(z.string()),
  isGated: z.boolean(),
  planIds: z.array(z.string()).nullable(),
  isDisabled: z.boolean(),
  organizationId: z.string().nullable(),
});
const sentLoading = z.object({
  tier: z.enum(["cold", "loading"]),
  stage: z.string().nullable(),
  progress: z.number().nullable(),
  reason: z.string().nullable(),
  /** A duration instead of a date, since the clocks of machines differ. */
  readyInMs: z.number().nullable(),
});
type SentActor = z.infer<typeof sentActor>;
type SentLoading = z.infer<typeof sentLoading>;

type LoadRequest = {
  key: string;
  /** True to load the model, false to only read its state. */
  starts: boolean;
  call: { actor: SentActor; model: CallableModel } | null;
};
type LoadAnswer = { loading: SentLoading | null; problem: string | null };

/**
 * The call that asks the leader to load a model or to report its progress. The timeout leaves time for a request to the
 * hub.
 */
const LOAD_MODEL: PeerCall<LoadRequest, LoadAnswer> = {
  name: "load-model",
  input: z.object({
    key: z.string(),
    starts: z.boolean(),
    call: z.object({ actor: sentActor, model: sentModel }).nullable(),
  }),
  output: z.object({ loading: sentLoading.nullable(), problem: z.string().nullable() }),
  timeoutMs: 10 * SECOND_MS,
};

/**
 * Creates the loading of models for calls to this process. The leader loads them; if this process is the leader, it does so
 * itself.
 */
export function createSharedLoading(deps: Deps) {
  const context: Context = { ...deps, problems: new LRUCache({ max: MAX_PROBLEMS }) };
  const host: ModelHost = bind(context, { wake: wakeModel, state: readState, loadingProblem: findProblem });
  return {
    host,
    request: (call: ColdCall) => host.wake(call.model.key, call),
    peerAnswers: [answerAsLeader(LOAD_MODEL, deps.replicas, (request) => answerLoadRequest(deps, request))],
  };
}

function wakeModel(context: Context, key: string, call?: ColdCall): Promise<Loading | null> {
  return context.replicas.isLeader() ? context.local.host.wake(key, call) : askLeader(context, key, true, call);
}

function readState(context: Context, key: string, call?: ColdCall): Promise<Loading | null> {
  return context.replicas.isLeader() ? context.local.host.state(key, call) : askLeader(context, key, false, call);
}

function findProblem({ replicas, local, problems }: Context, key: string): string | null {
  return replicas.isLeader() ? (local.host.loadingProblem?.(key) ?? null) : (problems.get(key) ?? null);
}

async function askLeader(context: Context, key: string, starts: boolean, call?: ColdCall): Promise<Loading | null> {
  const { peers, problems, clock } = context;
  const sent = call ? { actor: toSentActor(call.actor), model: call.model } : null;
  const { loading, problem } = await peers.askLeader(LOAD_MODEL, { key, starts, call: sent });
  if (problem === null) problems.delete(key);
  else problems.set(key, problem);
  return loading && fromSentLoading(loading, clock.now());
}

async function answerLoadRequest({ local, clock }: Deps, { key, starts, call }: LoadRequest): Promise<LoadAnswer> {
  const { host } = local;
  const cold = call ? { actor: fromSentActor(call.actor), model: call.model } : undefined;
  const loading = await (starts ? host.wake(key, cold) : host.state(key, cold));
  return { loading: loading && toSentLoading(loading, clock.now()), problem: host.loadingProblem?.(key) ?? null };
}

function toSentActor({ userId, organizationId, role, isAdmin, emailVerified, scopes, ip, credential }: SignedInActor) {
  const { type, id } = credential;
  return {
    userId,
    organizationId,
    role,
    isAdmin,
    emailVerified,
    scopes: [...scopes],
    ip: ip ?? null,
    credential: type === "key" ? { type, id, delegation: credential.delegation } : credential,
  };
}

/** Empty limits, because the replica that received the call has checked the real ones. */
const CHECKED_LIMITS: KeyLimits = {
  allowedModels: [],
  ipAllowlist: [],
  maxConcurrency: null,
  isBatch: false,
  spendLimitNano: null,
  limitReset: "none",
  expires: false,
};

function fromSentActor({ ip, credential, ...actor }: SentActor): SignedInActor {
  return {
    ...actor,
    kind: "user",
    ...(ip !== null && { ip }),
    credential: credential.type === "key" ? { ...credential, limits: CHECKED_LIMITS } : credential,
  };
}

function toSentLoading({ tier, stage, progress = null, reason = null, readyAt }: Loading, now: Date): SentLoading {
  return { tier, stage, progress, reason, readyInMs: readyAt && readyAt.getTime() - now.getTime() };
}

function fromSentLoading({ readyInMs, ...loading }: SentLoading, now: Date): Loading {
  return { ...loading, readyAt: readyInMs === null ? null : new Date(now.getTime() + readyInMs) };
}
