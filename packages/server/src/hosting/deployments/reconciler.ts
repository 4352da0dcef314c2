import type { Logger } from "pino";
import { bind } from "../../platform/core/bind.ts";
import type { Clock } from "../../platform/core/clock.ts";
import { type DeploymentLoad, type DeploymentStatus, decide, hasChanged, type ObservedStatus } from "./decide.ts";
import type { DeploymentProvider, DeploymentSpec, Observed } from "./provider.ts";

/** A deployment as the reconciler reads it. */
export type ReconciledDeployment = DeploymentStatus & {
  id: string;
  version: number;
  provider_id: string;
  spec: DeploymentSpec;
};

/** Reads the desired state and writes the observed one. */
export type ReconcilerStore = {
  listIds(): Promise<readonly string[]>;
  find(id: string): Promise<ReconciledDeployment | null>;
  /** Returns false and writes nothing if the version has changed meanwhile. */
  save(
    id: string,
    version: number,
    observedStatus: ObservedStatus,
    event: { message: string } | null,
  ): Promise<boolean>;
  /** Deletes the row of a deployment that its provider has removed. */
  delete(id: string): Promise<void>;
};

type Deps = {
  store: ReconcilerStore;
  providers: ReadonlyMap<string, DeploymentProvider>;
  loadOf(id: string): DeploymentLoad;
  /** Updates which replicas receive the calls to a deployment. */
  updateRoutes(id: string, modelKey: string, observed: Observed | null): void;
  /** Called when nothing of a deployment is left. */
  onRemoved?(id: string): void;
  clock: Clock;
  log: Pick<Logger, "error">;
};

type Context = Deps & {
  /** The run in progress of each deployment. */
  running: Map<string, Promise<void>>;
  /** Deployments that need one more run after the one in progress. */
  rerunIds: Set<string>;
  stopped: boolean;
};

/**
 * Creates the reconciler, which brings deployments to their desired state. Each run reads the desired and the observed
 * state, sends the provider its target, and writes the observed state. Runs are idempotent, so they may be interrupted at
 * any point or run concurrently.
 */
export function createReconciler(deps: Deps) {
  const context: Context = { ...deps, running: new Map(), rerunIds: new Set(), stopped: false };
  return bind(context, {
    reconcile,
    enqueue: enqueueReconciliation,
    run: reconcileAll,
    stop: stopRuns,
    waitUntilIdle,
  });
}

/** Runs the reconciliation of a deployment. There is one run at a time; requests during a run cause one more run after it. */
function reconcile(context: Context, id: string): Promise<void> {
  const { running, rerunIds } = context;
  const current = running.get(id);
  if (current) {
    rerunIds.add(id);
    return current;
  }
  const run = (async () => {
    do {
      rerunIds.delete(id);
      await reconcileOnce(context, id);
    } while (rerunIds.has(id) && !context.stopped);
  })().finally(() => running.delete(id));
  running.set(id, run);
  return run;
}

/** Reconciles a deployment in the background. */
function enqueueReconciliation(context: Context, id: string): void {
  if (!context.stopped) void logFailure(context, reconcile(context, id), id);
}

async function reconcileAll(context: Context): Promise<void> {
  for (const id of await context.store.listIds()) await logFailure(context, reconcile(context, id), id);
  await logFailure(context, removeOrphans(context), null);
}

/** Prevents further runs. */
function stopRuns(context: Context): void {
  context.stopped = true;
}

async function waitUntilIdle({ running }: Context): Promise<void> {
  await Promise.allSettled([...running.values()]);
}

async function reconcileOnce(context: Context, id: string): Promise<void> {
  const { store, providers, loadOf, updateRoutes, rerunIds, clock } = context;
  const deployment = await store.find(id);
  if (!deployment) {
    handleRemoved(context, id);
    return;
  }
  const provider = providers.get(deployment.provider_id);
  const observed = (await provider?.observe(id)) ?? null;
  const { action, isRemoved, observedStatus } = decide(deployment, observed, loadOf(id), clock.now());
  updateRoutes(id, deployment.spec.modelKey, deployment.deleting || deployment.paused ? null : observed);
  if (action?.kind === "remove") await provider?.remove(id);
  if (action?.kind === "apply") {
    const { generation, spec } = deployment;
    await provider?.apply({ id, generation, replicas: action.replicas, spec });
  }
  if (isRemoved) {
    await store.delete(id);
    handleRemoved(context, id);
    return;
  }
  if (!hasChanged(deployment, observedStatus)) return;
  const hasStateChanged =
    deployment.state !== observedStatus.state || deployment.state_reason !== observedStatus.state_reason;
  const saved = await store.save(
    id,
    deployment.version,
    observedStatus,
    hasStateChanged ? { message: describeStatus(observedStatus) } : null,
  );
  if (!saved) rerunIds.add(id);
}

/** Removes deployments that have no row in the store from their providers. */
async function removeOrphans(context: Context): Promise<void> {
  for (const provider of context.providers.values())
    for (const id of await provider.list()) {
      if (await context.store.find(id)) continue;
      await provider.remove(id);
      handleRemoved(context, id);
    }
}

function handleRemoved({ updateRoutes, onRemoved }: Context, id: string): void {
  updateRoutes(id, "", null);
  onRemoved?.(id);
}

function logFailure({ log }: Context, work: Promise<void>, id: string | null): Promise<void> {
  return work.catch((error: unknown) =>
    log.error({ err: error, deployment: id }, "a deployment could not be reconciled"),
  );
}

function describeStatus({ state_reason, ready_replicas, desired_replicas }: ObservedStatus): string {
  return state_reason ?? `${ready_replicas} of ${desired_replicas} replicas`;
}
