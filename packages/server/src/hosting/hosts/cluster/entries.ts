import type { Logger } from "pino";
import type { Clock } from "../../../platform/core/clock.ts";
import type { DeploymentProvider, Hardware, Observed, ObservedStatus } from "../../deployments/index.ts";
import type { HostedModel } from "../../runtimes/index.ts";
import type { HostRegistry } from "../host.ts";
import type { Machine } from "./choose-machine.ts";
import { hostedModelId } from "./deployment-ids.ts";

/** What the host of the cluster works with. */
export type ClusterHostDeps = {
  /** The connection to the cluster. It lists only the deployments of this host. */
  provider: DeploymentProvider;
  hardware: readonly Hardware[];
  registry: HostRegistry;
  /** Seconds without a call after which the pods of a model are stopped. */
  idleSeconds: number;
  /** The maximum number of pods per model. */
  maxPods: number;
  /** Returns whether this process leads the replicas: only the leader changes the cluster. */
  isLeader(): boolean;
  clock: Clock;
  log: Pick<Logger, "error">;
};

/** A registered model, or an unregistered one whose pods are still being removed. */
export type ClusterEntry = {
  id: string;
  model: HostedModel;
  /** Null if no kind of machine has enough memory for the model. */
  machine: Machine | null;
  status: ObservedStatus;
  /** Whether the cluster was asked which pods already run the model. Until then nothing is changed in the cluster. */
  isAdopted: boolean;
  /**
   * When the model was last called while no pod was ready, or was last seen answering a call. The registry knows the time
   * of the last answer. Null if neither has happened.
   */
  usedAt: Date | null;
  startedAt: Date | null;
  isUnloaded: boolean;
  reloadsAfterUnload: boolean;
  isUnregistered: boolean;
  observed: Observed | null;
};

/** The state of the host of the cluster. The entries are by the ids of their deployments. */
export type ClusterContext = ClusterHostDeps & {
  entries: Map<string, ClusterEntry>;
  /** How long the last start of each model took, in milliseconds, by the model's key. */
  startDurations: Map<string, number>;
  isComplete: boolean;
  enqueue(id: string): void;
};

const ASLEEP: ObservedStatus = {
  observed_settings_version: 0,
  state: "scaled_to_zero",
  state_reason: null,
  ready_replicas: 0,
  desired_replicas: 0,
  scale_down_since: null,
  last_request_at: null,
};

/** Returns whether the model of an entry can be called. */
export const isRegistered = ({ isUnregistered }: ClusterEntry): boolean => !isUnregistered;

/** Returns the entry of a registered model; null if there is none. */
export function findEntry({ entries }: ClusterContext, key: string): ClusterEntry | null {
  const entry = entries.get(hostedModelId(key));
  return entry && isRegistered(entry) ? entry : null;
}

/** Returns the entry of a model whose pods are not known yet. */
export function createEntry(id: string, model: HostedModel, machine: Machine | null): ClusterEntry {
  return {
    id,
    model,
    machine,
    status: ASLEEP,
    isAdopted: false,
    usedAt: null,
    startedAt: null,
    observed: null,
    isUnloaded: false,
    reloadsAfterUnload: false,
    isUnregistered: false,
  };
}
