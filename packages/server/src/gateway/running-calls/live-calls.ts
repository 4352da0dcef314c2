import { z } from "zod";
import { bind } from "../../platform/core/bind.ts";
import type { Clock } from "../../platform/core/clock.ts";
import { errors } from "../../platform/core/errors/index.ts";
import { answerPeerCall, type PeerCall } from "../../platform/core/peers/peer-call.ts";
import type { PeerClient } from "../../platform/core/peers/peer-client.ts";
import type { Units } from "../limits/units.ts";
import { mayStop, type RunningCall, type RunningCalls, type Stopper } from "./running-calls.ts";

/** A call that holds units, and the progress of its answer. */
export type LiveCall = {
  id: string;
  cost: number;
  model: string;
  /** The API key whose limit its units count towards; null without one. */
  keyId: string | null;
  startedAt: Date;
  durationMs: number;
  /** Null before the first token of a stream. */
  outputTokens: number | null;
  tokensPerSecond: number | null;
  /** Whether the reader of the list may stop it. */
  isOwn: boolean;
};
/** The calls of an organization on this replica and on all replicas that responded, and the units that they hold. */
export type LiveSnapshot = {
  used: number;
  requests: LiveCall[];
  /** The calls of the other replicas that responded. */
  elsewhere: { requests: LiveCall[]; replicaIds: string[] };
};

/** The running calls of all replicas. */
export type LiveCalls = {
  /** Returns an organization's calls. A replica that does not respond within half a second is left out. */
  readSnapshot(organizationId: string, stopper?: Stopper): Promise<LiveSnapshot>;
  /** Stops a call. Throws `concurrency.not_found`, and `unavailable` if it may run on a replica that does not respond. */
  stop(id: string, stopper: Stopper): Promise<void>;
};

type Deps = { units: Pick<Units, "snapshot">; running: RunningCalls; clock: Clock; peers: PeerClient };

const TIMEOUT_MS = 500;
const RETRY_AFTER_SECONDS = 2;
/** The rate of an answer is not computed before it has run for this long. */
const MIN_RATE_MS = 200;

const stopper = z.object({ userId: z.string(), keyId: z.string().nullable() }).nullable();
const liveCall = z.object({
  id: z.string(),
  cost: z.number(),
  model: z.string(),
  keyId: z.string().nullable(),
  startedAt: z.iso.datetime(),
  durationMs: z.number(),
  outputTokens: z.number().nullable(),
  tokensPerSecond: z.number().nullable(),
  isOwn: z.boolean(),
});
type LiveCallJson = z.infer<typeof liveCall>;

const READ_CALLS: PeerCall<{ organizationId: string; stopper: Stopper }, { requests: LiveCallJson[] }> = {
  name: "calls",
  input: z.object({ organizationId: z.string(), stopper }),
  output: z.object({ requests: z.array(liveCall) }),
  timeoutMs: TIMEOUT_MS,
};
const STOP_CALL: PeerCall<{ id: string; stopper: Stopper }, { isStopped: boolean }> = {
  name: "stop-call",
  input: z.object({ id: z.string(), stopper }),
  output: z.object({ isStopped: z.boolean() }),
  timeoutMs: TIMEOUT_MS,
};

/**
 * Creates the lookup of the running calls of all replicas, and the handlers with which other replicas read those of this
 * one.
 */
export function createLiveCalls(deps: Deps) {
  const liveCalls: LiveCalls = bind(deps, { readSnapshot: readOfAll, stop: stopAnywhere });
  return {
    ...liveCalls,
    peerAnswers: [
      answerPeerCall(READ_CALLS, async ({ organizationId, stopper: asker }) => ({
        requests: (await readHere(deps, organizationId, asker)).requests.map(toJson),
      })),
      answerPeerCall(STOP_CALL, ({ id, stopper: asker }) => ({ isStopped: stopHere(deps, id, asker) })),
    ],
  };
}

async function readOfAll(deps: Deps, organizationId: string, asker: Stopper = null): Promise<LiveSnapshot> {
  const [own, others] = await Promise.all([
    readHere(deps, organizationId, asker),
    deps.peers.askOthers(READ_CALLS, { organizationId, stopper: asker }),
  ]);
  const elsewhere = others.answers.flatMap(({ requests }) => requests.map(fromJson));
  const used = elsewhere.reduce((sum, { cost }) => sum + cost, own.used);
  return {
    used,
    requests: [...own.requests, ...elsewhere],
    elsewhere: { requests: elsewhere, replicaIds: others.replicaIds },
  };
}

async function readHere(
  { units, running, clock }: Deps,
  organizationId: string,
  asker: Stopper,
): Promise<Pick<LiveSnapshot, "used" | "requests">> {
  const { used, requests } = await units.snapshot(organizationId);
  const now = clock.now().getTime();
  return {
    used,
    requests: requests.map(({ id, cost, model, keyId, startedAt }) => ({
      id,
      cost,
      model,
      keyId,
      startedAt,
      durationMs: now - startedAt.getTime(),
      ...toProgress(asker, running.find(id)),
    })),
  };
}

async function stopAnywhere(deps: Deps, id: string, asker: Stopper): Promise<void> {
  if (stopHere(deps, id, asker)) return;
  const { answers, missing } = await deps.peers.askOthers(STOP_CALL, { id, stopper: asker });
  if (answers.some(({ isStopped }) => isStopped)) return;
  if (missing === 0) throw errors.concurrency.notFound();
  throw errors.unavailable("Not all servers of this installation answered, and the request may run on one of those.", {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}

function stopHere({ running }: Deps, id: string, asker: Stopper): boolean {
  const call = running.find(id);
  if (call === undefined || !mayStop(asker, call)) return false;
  call.abort.abort(errors.requestStopped());
  return true;
}

function toProgress(asker: Stopper, call: RunningCall | undefined) {
  if (call === undefined) return { outputTokens: null, tokensPerSecond: null, isOwn: false };
  return { ...measureOutput(call.call), isOwn: mayStop(asker, call) };
}

/** Returns the number of tokens of an answer so far, and the tokens per second since the first one. */
function measureOutput({ progress: { state, firstByteMs }, elapsedMs }: RunningCall["call"]) {
  if (state === null || firstByteMs === null) return { outputTokens: null, tokensPerSecond: null };
  const tokens = state.usage?.completion || state.deltas;
  const milliseconds = elapsedMs() - firstByteMs;
  const rate = milliseconds < MIN_RATE_MS ? null : Math.round((tokens / milliseconds) * 10_000) / 10;
  return { outputTokens: tokens, tokensPerSecond: rate };
}

const toJson = (call: LiveCall): LiveCallJson => ({ ...call, startedAt: call.startedAt.toISOString() });
const fromJson = (call: LiveCallJson): LiveCall => ({ ...call, startedAt: new Date(call.startedAt) });
