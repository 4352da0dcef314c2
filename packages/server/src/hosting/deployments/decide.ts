import type { Observed } from "./provider.ts";

/** The state of a deployment as the contract names it. */
export type DeploymentState =
  | "pending"
  | "initializing"
  | "running"
  | "scaled_to_zero"
  | "updating"
  | "update_failed"
  | "paused"
  | "failed"
  | "deleting";

/** The desired state of a deployment, and its last observed one. */
export type DeploymentStatus = {
  generation: number;
  /** Incremented by every change of the desired state. */
  settings_version: number;
  /** The `settings_version` that the observed columns refer to. */
  observed_settings_version: number;
  paused: boolean;
  deleting: boolean;
  min_replicas: number;
  max_replicas: number;
  scale_to_zero_after_s: number | null;
  autoscale_target: number;
  state: DeploymentState;
  state_reason: string | null;
  ready_replicas: number;
  desired_replicas: number;
  scale_down_since: Date | null;
  last_request_at: Date | null;
  created_at: Date;
};

/** The load of a deployment: the number of running and waiting requests, and when the last request started or ended. */
export type DeploymentLoad = { pending: number; lastRequestAt: Date | null };

/** The observed columns, which the reconciler writes. */
export type ObservedStatus = Pick<
  DeploymentStatus,
  | "observed_settings_version"
  | "state"
  | "state_reason"
  | "ready_replicas"
  | "desired_replicas"
  | "scale_down_since"
  | "last_request_at"
>;

/** What the reconciler does next. */
export type Decision = {
  /** What to request from the provider; null if the same was requested before. */
  action: { kind: "apply"; replicas: number } | { kind: "remove" } | null;
  /** Whether a deleted deployment is gone from its provider. */
  isRemoved: boolean;
  observedStatus: ObservedStatus;
};

/** How long the load must be lower before replicas are removed, in milliseconds. */
export const SCALE_DOWN_DELAY_MS = 300_000;

/** Compares the desired state with the observed one. The function is pure, so an interrupted run can be repeated. */
export function decide(status: DeploymentStatus, observed: Observed | null, load: DeploymentLoad, now: Date): Decision {
  const lastRequest = latestDate(status.last_request_at, load.lastRequestAt);
  const target = scaleReplicas({ ...status, last_request_at: lastRequest }, load, now);
  const ready = observed?.replicas.filter(({ state }) => state === "ready").length ?? 0;
  const observedStatus: ObservedStatus = {
    observed_settings_version: status.settings_version,
    ...deriveState(status, observed, target.replicas),
    ready_replicas: ready,
    desired_replicas: target.replicas,
    scale_down_since: target.since,
    last_request_at: lastRequest,
  };
  if (status.deleting)
    return { action: observed ? { kind: "remove" } : null, isRemoved: observed === null, observedStatus };
  const isApplied = observed?.generation === status.generation && observed.targetReplicas === target.replicas;
  const isIdleAndStopped = observed === null && target.replicas === 0;
  return {
    action: isApplied || isIdleAndStopped ? null : { kind: "apply", replicas: target.replicas },
    isRemoved: false,
    observedStatus,
  };
}

function scaleReplicas(
  status: DeploymentStatus,
  { pending }: DeploymentLoad,
  now: Date,
): { replicas: number; since: Date | null } {
  const { min_replicas: min, max_replicas: max, desired_replicas: current } = status;
  if (status.deleting || status.paused || isIdle(status, pending, now)) return { replicas: 0, since: null };
  const replicasForLoad = Math.ceil(pending / status.autoscale_target);
  const replicas = Math.min(Math.max(replicasForLoad, min, 1), max);
  const currentReplicas = Math.min(current, max);
  if (replicas >= currentReplicas) return { replicas, since: null };
  const since = status.scale_down_since ?? now;
  return now.getTime() - since.getTime() >= SCALE_DOWN_DELAY_MS
    ? { replicas, since: null }
    : { replicas: currentReplicas, since };
}

function isIdle(status: DeploymentStatus, pending: number, now: Date): boolean {
  const { scale_to_zero_after_s: after, min_replicas: min, last_request_at: last, created_at: created } = status;
  if (after === null || min > 0 || pending > 0) return false;
  return now.getTime() - (last ?? created).getTime() >= after * 1000;
}

function deriveState(
  status: DeploymentStatus,
  observed: Observed | null,
  desired: number,
): Pick<ObservedStatus, "state" | "state_reason"> {
  const withState = (state: DeploymentState, reason: string | null = null) => ({ state, state_reason: reason });
  if (status.deleting) return withState("deleting");
  if (status.paused) return withState("paused");
  if (desired === 0) return withState("scaled_to_zero");
  if (!observed) return withState(status.state === "pending" ? "pending" : "initializing");
  const listReplicas = (matchesGeneration: (generation: number) => boolean) =>
    observed.replicas.filter(({ generation, state }) => matchesGeneration(generation) && state !== "stopping");
  const replicas = listReplicas((generation) => generation === status.generation);
  const isReady = ({ state }: { state: string }) => state === "ready";
  const ready = replicas.filter(isReady).length;
  const readyOldReplicas = listReplicas((generation) => generation !== status.generation).filter(isReady).length;
  const failure = replicas.find(({ state }) => state === "failed");
  const waitingReplica = replicas.find(({ state, reason }) => state === "starting" && reason !== null);
  const waitingReason = waitingReplica?.reason ?? observed.problem ?? null;
  if (readyOldReplicas > 0 && ready < desired)
    return failure ? withState("update_failed", failure.reason) : withState("updating", waitingReason);
  if (ready > 0) return withState("running", ready < desired ? (failure?.reason ?? waitingReason) : null);
  return failure ? withState("failed", failure.reason) : withState("initializing", waitingReason);
}

function latestDate(a: Date | null, b: Date | null): Date | null {
  if (a === null || b === null) return a ?? b;
  return a > b ? a : b;
}

/** Returns whether the observed columns have changed and must be written. */
export function hasChanged(status: DeploymentStatus, observedStatus: ObservedStatus): boolean {
  return (
    status.observed_settings_version !== observedStatus.observed_settings_version ||
    status.state !== observedStatus.state ||
    status.state_reason !== observedStatus.state_reason ||
    status.ready_replicas !== observedStatus.ready_replicas ||
    status.desired_replicas !== observedStatus.desired_replicas ||
    status.scale_down_since?.getTime() !== observedStatus.scale_down_since?.getTime() ||
    status.last_request_at?.getTime() !== observedStatus.last_request_at?.getTime()
  );
}
