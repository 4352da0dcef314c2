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
export type Status = {
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

/** The load of a deployment: requests that run or wait, and when the last one started or ended. */
export type Demand = { pending: number; lastRequestAt: Date | null };

/** The observed columns, which the reconciler writes. */
export type Found = Pick<
  Status,
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
  ask: { kind: "apply"; replicas: number } | { kind: "remove" } | null;
  /** Whether a deleted deployment is gone from its provider. */
  isGone: boolean;
  found: Found;
};

/** How long the load must be lower before replicas are removed, in milliseconds. */
export const SCALE_DOWN_HOLD = 300_000;

/** Compares the desired state with the observed one. A pure function, so an interrupted run can simply be repeated. */
export function decide(status: Status, observed: Observed | null, demand: Demand, now: Date): Decision {
  const lastRequest = latest(status.last_request_at, demand.lastRequestAt);
  const scale = wantedReplicas({ ...status, last_request_at: lastRequest }, demand, now);
  const ready = observed?.replicas.filter(({ state }) => state === "ready").length ?? 0;
  const found: Found = {
    observed_settings_version: status.settings_version,
    ...stateOf(status, observed, scale.replicas),
    ready_replicas: ready,
    desired_replicas: scale.replicas,
    scale_down_since: scale.since,
    last_request_at: lastRequest,
  };
  if (status.deleting) return { ask: observed ? { kind: "remove" } : null, isGone: observed === null, found };
  const asked = observed?.generation === status.generation && observed.wanted === scale.replicas;
  const nothing = observed === null && scale.replicas === 0;
  return { ask: asked || nothing ? null : { kind: "apply", replicas: scale.replicas }, isGone: false, found };
}

function wantedReplicas(status: Status, { pending }: Demand, now: Date): { replicas: number; since: Date | null } {
  const { min_replicas: min, max_replicas: max, desired_replicas: current } = status;
  if (status.deleting || status.paused || isIdle(status, pending, now)) return { replicas: 0, since: null };
  const byLoad = Math.ceil(pending / status.autoscale_target);
  const replicas = Math.min(Math.max(byLoad, min, 1), max);
  const held = Math.min(current, max);
  if (replicas >= held) return { replicas, since: null };
  const since = status.scale_down_since ?? now;
  return now.getTime() - since.getTime() >= SCALE_DOWN_HOLD ? { replicas, since: null } : { replicas: held, since };
}

function isIdle(status: Status, pending: number, now: Date): boolean {
  const { scale_to_zero_after_s: after, min_replicas: min, last_request_at: last, created_at: created } = status;
  if (after === null || min > 0 || pending > 0) return false;
  return now.getTime() - (last ?? created).getTime() >= after * 1000;
}

function stateOf(status: Status, observed: Observed | null, desired: number): Pick<Found, "state" | "state_reason"> {
  const is = (state: DeploymentState, reason: string | null = null) => ({ state, state_reason: reason });
  if (status.deleting) return is("deleting");
  if (status.paused) return is("paused");
  if (desired === 0) return is("scaled_to_zero");
  if (!observed) return is(status.state === "pending" ? "pending" : "initializing");
  const of = (wanted: (generation: number) => boolean) =>
    observed.replicas.filter(({ generation, state }) => wanted(generation) && state !== "stopping");
  const replicas = of((generation) => generation === status.generation);
  const isReady = ({ state }: { state: string }) => state === "ready";
  const ready = replicas.filter(isReady).length;
  const readyBefore = of((generation) => generation !== status.generation).filter(isReady).length;
  const failure = replicas.find(({ state }) => state === "failed");
  const waiting = replicas.find(({ state, reason }) => state === "starting" && reason !== null);
  if (readyBefore > 0 && ready < desired)
    return failure ? is("update_failed", failure.reason) : is("updating", waiting?.reason ?? null);
  if (ready > 0) return is("running", ready < desired ? ((failure ?? waiting)?.reason ?? null) : null);
  return failure ? is("failed", failure.reason) : is("initializing", waiting?.reason ?? null);
}

function latest(a: Date | null, b: Date | null): Date | null {
  if (a === null || b === null) return a ?? b;
  return a > b ? a : b;
}

/** Whether the observed columns have changed and must be written. */
export function differs(status: Status, found: Found): boolean {
  return (
    status.observed_settings_version !== found.observed_settings_version ||
    status.state !== found.state ||
    status.state_reason !== found.state_reason ||
    status.ready_replicas !== found.ready_replicas ||
    status.desired_replicas !== found.desired_replicas ||
    status.scale_down_since?.getTime() !== found.scale_down_since?.getTime() ||
    status.last_request_at?.getTime() !== found.last_request_at?.getTime()
  );
}
