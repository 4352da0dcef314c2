import type { SignedInActor } from "../platform/core/auth/actor.ts";
import type { Clock } from "../platform/core/clock.ts";
import { AppError } from "../platform/core/errors/index.ts";
import type { BackendRegistry } from "./backends/registry.ts";
import { refuseLargeFields } from "./body-limits.ts";
import type { Call, CallRequest, Outcome, ResolvedCall } from "./call.ts";
import { CallTrace } from "./call-trace.ts";
import { toNextModelAfterFailure, toNextModelBeforeAnswer } from "./fallbacks.ts";
import type { RemoteMedia } from "./formats/media-address.ts";
import { toFailedOutcome } from "./outcomes.ts";
import type { CallableModel, CallerPlan } from "./ports.ts";
import type { RunningCalls } from "./running-calls/running-calls.ts";
import { admitKey, admitModalities, refuseOversizedPrompt } from "./stages/admit.ts";
import { answerCall } from "./stages/answer.ts";
import { type ReadFile, readFiles } from "./stages/read-files.ts";
import { resolveCall } from "./stages/resolve.ts";
import { toUsageRow } from "./stages/settle.ts";
import type { Timeouts } from "./upstream/dispatch.ts";
import { isRecord } from "./usage/reported-usage.ts";
import type { UsageRow, UsageWriter } from "./usage/usage-writer.ts";

/** The dependencies of all calls. */
export type PipelineDeps = {
  running: RunningCalls;
  usage: UsageWriter;
  timeouts: Timeouts;
  /** Which media addresses are passed on to backends. */
  remoteMedia: RemoteMedia;
  /** Reads files for models that take none. */
  readFile: ReadFile;
  clock: Clock;
};

/** The differences between calls to shared models and calls to a deployment. */
export type CallPolicy = {
  /** The backends that may answer. */
  registry: BackendRegistry;
  /** The caller whose end aborts the call; null for callers without an account. */
  caller: SignedInActor | null;
  /** Returns the model of the call and the plan whose limits apply to it. Throws if the caller may not call the model. */
  resolve(call: Call): Promise<{ model: CallableModel; plan: CallerPlan }>;
  /** Throws refusals in addition to those of every call. */
  admit(call: ResolvedCall): void;
  /** Returns the backends that run the model, and reserves what the call holds until it ends. */
  reserve(call: ResolvedCall): Promise<Reservation>;
};

/** What a call holds until it ends. Disposing of it returns everything. */
export type Reservation = Disposable & {
  /** The call with its backends and its waiting time. */
  call: ResolvedCall;
  /** Takes back what the call counts for in the limits, so that it can be counted for another model. */
  undo(): Promise<void>;
  /** Completes the call's usage row. */
  complete(row: UsageRow): UsageRow;
};

/** Runs a call under a policy: sends the answer and writes one usage row. */
export type RunCall = (request: CallRequest, policy: CallPolicy) => Promise<void>;

const CALLER_GONE = new Error("The caller has gone.");

/**
 * Creates the function that runs every call to a model, stage by stage:
 *
 *  1. resolve   model and plan; key limits; texts of files, the body as the model accepts it   adds `model`, `plan`, `cost`
 *  2. admit     the policy's refusals, modalities, context length   refuses
 *  3. route     the backends that run the model; loads a cold one               adds `backends`, or refuses
 *     reserve   on shared models: the daily limit, units, at once or after a wait
 *     meter     on shared models: model switches per minute; credits on metered plans
 *  4. answer    from the best backend; before the first byte, from the next     returns an outcome
 *  5. settle    gives back what was reserved and writes one usage row           always, exactly once
 */
export function createRunCall(deps: PipelineDeps): RunCall {
  const { running, usage } = deps;
  return async (request, policy) => {
    usage.refuseWhenFull(running.count());
    if (isRecord(request.exchange.body)) refuseLargeFields(request.exchange.body);
    const abort = new AbortController();
    const call = startCall(deps, request, abort.signal);
    const end = running.start({ call, caller: policy.caller, abort });
    const stopFollowing = followCaller(request, abort);
    try {
      if (call.trace === null) await runCall(deps, call, policy);
      else await call.trace.follow(runCall(deps, call, policy));
    } finally {
      stopFollowing();
      end();
    }
  };
}

/** Aborts a call when its caller disconnects, or if it is resumable when it is stopped. Returns the function that ends that. */
function followCaller({ exchange: { response }, resumable }: CallRequest, abort: AbortController): () => void {
  if (resumable !== undefined) return resumable.onStop((reason) => abort.abort(reason));
  const abortCall = () => abort.abort(CALLER_GONE);
  response.on("close", abortCall);
  return () => response.off("close", abortCall);
}

function startCall({ clock }: PipelineDeps, request: CallRequest, signal: AbortSignal): Call {
  const startMark = request.attempt?.startMark ?? performance.now(); // wall-clock time may be adjusted meanwhile
  return {
    ...request,
    id: request.exchange.id,
    startedAt: request.attempt?.startedAt ?? clock.now(),
    elapsedMs: () => performance.now() - startMark,
    signal,
    trace: request.exchange.span && new CallTrace(request.exchange.span, request, request.exchange.id),
    progress: { backend: null, firstByteMs: null, state: null },
  };
}

async function runCall(deps: PipelineDeps, call: Call, policy: CallPolicy): Promise<void> {
  try {
    const reservation = await reserveCall(deps, call, policy);
    try {
      await answerAndSettle(deps, reservation, policy.registry);
    } finally {
      reservation[Symbol.dispose]();
    }
  } catch (error) {
    if (!call.signal.aborted) throw error;
    if (call.signal.reason instanceof AppError) throw call.signal.reason;
    // Otherwise the caller has disconnected, so that no response is sent.
  }
}

/** Checks a call and reserves what it holds. Throws the refusal, or a `NextModelError` if the next model is tried. */
async function reserveCall(deps: PipelineDeps, call: Call, policy: CallPolicy): Promise<Reservation> {
  try {
    const found = await policy.resolve(call);
    admitKey(call.actor, found.model);
    const readable = await readFiles(call, found.model, deps.readFile);
    const resolved = resolveCall(readable, { ...found, remoteMedia: deps.remoteMedia });
    const { body, model, plan } = resolved;
    policy.admit(resolved);
    admitModalities(body, model);
    refuseOversizedPrompt(resolved, model, plan);
    return await policy.reserve(resolved);
  } catch (error) {
    if (call.signal.aborted) throw error;
    throw toNextModelBeforeAnswer(call.attempt, error) ?? error;
  }
}

async function answerAndSettle(
  { usage, timeouts }: PipelineDeps,
  { call, undo, complete }: Reservation,
  registry: BackendRegistry,
): Promise<void> {
  const settle = (outcome: Outcome) => {
    const row = complete(toUsageRow(call, outcome));
    call.trace?.settle(row);
    usage.add(row);
  };
  try {
    settle(await answerCall(call, registry, timeouts));
  } catch (error) {
    const settleFailure = () => settle(toFailedOutcome(error, call));
    const next = call.signal.aborted ? null : toNextModelAfterFailure(call.attempt, error, settleFailure);
    if (next === null) settleFailure();
    else await undo();
    throw next ?? error;
  }
}
