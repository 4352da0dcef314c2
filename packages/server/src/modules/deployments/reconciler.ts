import type { Logger } from "pino";
import type { Clock } from "../../core/clock.ts";
import { type DeploymentLoad, type DeploymentStatus, decide, hasChanged, type ObservedStatus } from "./decide.ts";
import type { DeploymentProvider, DeploymentSpec, Observed } from "./provider.ts";

/** A deployment as the reconciler reads it. */
export type ReconciledDeployment = DeploymentStatus & {
  id: string;
  version: number;
  provider_id: string;
  spec: DeploymentSpec;
};

/** Where the reconciler reads the desired state and writes the observed one. */
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
  /** Deletes the row of a deployment that is gone. */
  delete(id: string): Promise<void>;
};

type Deps = {
  store: ReconcilerStore;
  providers: ReadonlyMap<string, DeploymentProvider>;
  loadOf(id: string): DeploymentLoad;
  /** Updates which replicas receive calls. */
  updateRoutes(id: string, modelKey: string, observed: Observed | null): void;
  /** Called when nothing is left of a deployment. */
  onRemoved?(id: string): void;
  clock: Clock;
  log: Pick<Logger, "error">;
};

/**
 * Brings deployments to their desired state. Each run reads the desired and the observed state, sends the provider its
 * target, and writes the observed state. Runs are idempotent, so they may be interrupted anywhere or run concurrently.
 */
export function createReconciler({ store, providers, loadOf, updateRoutes, onRemoved, clock, log }: Deps) {
  const running = new Map<string, Promise<void>>();
  const rerunIds = new Set<string>();
  let stopped = false;

  function handleRemoved(id: string): void {
    updateRoutes(id, "", null);
    onRemoved?.(id);
  }

  async function reconcileOnce(id: string): Promise<void> {
    const deployment = await store.find(id);
    if (!deployment) {
      handleRemoved(id);
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
      handleRemoved(id);
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

  /** One run at a time for each deployment; requests during a run cause one more run afterwards. */
  function reconcile(id: string): Promise<void> {
    const current = running.get(id);
    if (current) {
      rerunIds.add(id);
      return current;
    }
    const run = (async () => {
      do {
        rerunIds.delete(id);
        await reconcileOnce(id);
      } while (rerunIds.has(id) && !stopped);
    })().finally(() => running.delete(id));
    running.set(id, run);
    return run;
  }

  /** Removes deployments from providers that no longer exist in the store. */
  async function removeOrphans(): Promise<void> {
    for (const provider of providers.values())
      for (const id of await provider.list()) {
        if (await store.find(id)) continue;
        await provider.remove(id);
        handleRemoved(id);
      }
  }

  const logFailure = (work: Promise<void>, id: string | null) =>
    work.catch((error: unknown) => log.error({ err: error, deployment: id }, "a deployment could not be reconciled"));

  return {
    reconcile,
    /** Reconciles a deployment in the background. */
    enqueue(id: string): void {
      if (!stopped) void logFailure(reconcile(id), id);
    },
    async run(): Promise<void> {
      for (const id of await store.listIds()) await logFailure(reconcile(id), id);
      await logFailure(removeOrphans(), null);
    },
    /** Starts no further runs. */
    stop(): void {
      stopped = true;
    },
    async waitUntilIdle(): Promise<void> {
      await Promise.allSettled([...running.values()]);
    },
  };
}

function describeStatus({ state_reason, ready_replicas, desired_replicas }: ObservedStatus): string {
  return state_reason ?? `${ready_replicas} of ${desired_replicas} replicas`;
}
