import type {
  DeploymentLoad,
  DeploymentProvider,
  ReconciledDeployment,
  ReconcilerStore,
} from "../../deployments/index.ts";
import type { ClusterContext, ClusterEntry } from "./entries.ts";
import { countInFlight, lastUsedAt } from "./pod-backends.ts";
import { generationOf, toSpec } from "./pod-specs.ts";

/** The id of the only provider that runs models of the installation. */
export const PROVIDER_ID = "kubernetes";

/** Calls that one pod answers at the same time before another pod is started. */
const CALLS_PER_POD = 4;

const LONG_AGO = new Date(0);

/** Creates the store of the reconciler: the deployments that the entries should have in the cluster. */
export function createStore(context: ClusterContext): ReconcilerStore {
  const { entries } = context;
  return {
    listIds: async () => [...entries.values()].flatMap((entry) => (entry.machine || entry.observed ? entry.id : [])),
    find: (id) => findDesired(context, id),
    async save(id, _version, observedStatus) {
      const entry = entries.get(id);
      if (entry) entry.status = observedStatus;
      return true;
    },
    delete: async (id) => void (entries.get(id)?.isUnregistered && entries.delete(id)),
  };
}

/**
 * Returns the deployment that a model should have in the cluster. Null if the model has no entry, or while it is unknown
 * which pods already run.
 */
async function findDesired(context: ClusterContext, id: string): Promise<ReconciledDeployment | null> {
  const entry = context.entries.get(id);
  if (!entry || !(await adopt(context, entry))) return null;
  const { model, machine, status, isUnloaded, isUnregistered } = entry;
  const spec = toSpec(model, machine);
  return {
    ...status,
    id,
    version: 0,
    provider_id: PROVIDER_ID,
    spec,
    generation: generationOf(spec),
    settings_version: 0,
    paused: isUnloaded || !machine,
    deleting: isUnregistered,
    min_replicas: model.pinned ? 1 : 0,
    max_replicas: context.maxPods,
    autoscale_target: CALLS_PER_POD,
    // A model without any call counts as idle since 1970.
    scale_to_zero_after_s: context.idleSeconds,
    created_at: LONG_AGO,
  };
}

/**
 * Finds out whether pods already run a newly registered model. If so, the model counts as used now. Returns false if the
 * cluster could not tell.
 */
async function adopt({ provider, clock }: ClusterContext, entry: ClusterEntry): Promise<boolean> {
  if (entry.isAdopted) return true;
  const observed = await provider.observe(entry.id);
  const isUnknown = observed !== null && observed.replicas.length === 0 && (observed.problem ?? null) !== null;
  if (isUnknown && observed.targetReplicas === 0) return false;
  entry.isAdopted = true;
  const { targetReplicas = 0 } = observed ?? {};
  if (targetReplicas === 0) return true;
  entry.usedAt ??= clock.now();
  entry.status = { ...entry.status, desired_replicas: targetReplicas };
  return true;
}

/**
 * Returns a provider that ignores removals of registered models. Otherwise their pods would be removed as orphans before
 * the cluster was read.
 */
export function protectRegistered({ entries }: ClusterContext, provider: DeploymentProvider): DeploymentProvider {
  return {
    ...provider,
    remove: async (id) => {
      const entry = entries.get(id);
      if (!entry || entry.isUnregistered) await provider.remove(id);
    },
  };
}

/**
 * Returns the load of a model. While pods start, one pending call is reported, so that a start that takes longer than the
 * idle time is not interrupted.
 */
export function readLoad(context: ClusterContext, id: string): DeploymentLoad {
  const entry = context.entries.get(id);
  if (!entry) return { pending: 0, lastRequestAt: null };
  const { model, status, isUnloaded } = entry;
  const inFlight = countInFlight(context, model.id);
  if (inFlight > 0) entry.usedAt = context.clock.now();
  const isStarting = status.state === "initializing" && status.state_reason === null && !isUnloaded;
  return {
    pending: Math.max(inFlight, isStarting ? 1 : 0),
    lastRequestAt: lastUsedAt(context, model.id, entry.usedAt),
  };
}
