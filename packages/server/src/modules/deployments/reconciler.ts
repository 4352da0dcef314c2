import type { Logger } from "pino";
import type { Clock } from "../../shared/clock.ts";
import { type Demand, decide, differs, type Found, type Status } from "./decide.ts";
import type { DeploymentProvider, DeploymentSpec, Observed } from "./provider.ts";

/** A deployment as the reconciler reads it. */
export type Reconciled = Status & { id: string; version: number; provider_id: string; spec: DeploymentSpec };

/** Where the reconciler reads the desired state and writes the observed one. */
export type ReconcilerStore = {
  ids(): Promise<readonly string[]>;
  find(id: string): Promise<Reconciled | null>;
  /** Returns false and writes nothing if the version has changed meanwhile. */
  save(id: string, version: number, found: Found, event: { message: string } | null): Promise<boolean>;
  /** Deletes the row of a deployment that is gone. */
  forget(id: string): Promise<void>;
};

type Deps = {
  store: ReconcilerStore;
  providers: ReadonlyMap<string, DeploymentProvider>;
  demandOf(id: string): Demand;
  /** Updates which replicas receive calls. */
  route(id: string, modelKey: string, observed: Observed | null): void;
  /** Called when nothing is left of a deployment. */
  gone?(id: string): void;
  clock: Clock;
  log: Pick<Logger, "error">;
};

/**
 * Brings deployments to their desired state. Each run reads the desired and the observed state, sends the provider its
 * target, and writes the observed state. Runs are idempotent, so they may be interrupted anywhere or run concurrently.
 */
export function createReconciler({ store, providers, demandOf, route, gone, clock, log }: Deps) {
  const running = new Map<string, Promise<void>>();
  const again = new Set<string>();
  let stopped = false;

  function forget(id: string): void {
    route(id, "", null);
    gone?.(id);
  }

  async function once(id: string): Promise<void> {
    const deployment = await store.find(id);
    if (!deployment) {
      forget(id);
      return;
    }
    const provider = providers.get(deployment.provider_id);
    const observed = (await provider?.observe(id)) ?? null;
    const { ask, isGone, found } = decide(deployment, observed, demandOf(id), clock.now());
    route(id, deployment.spec.modelKey, deployment.deleting || deployment.paused ? null : observed);
    if (ask?.kind === "remove") await provider?.remove(id);
    if (ask?.kind === "apply") {
      const { generation, spec } = deployment;
      await provider?.apply({ id, generation, replicas: ask.replicas, spec });
    }
    if (isGone) {
      await store.forget(id);
      forget(id);
      return;
    }
    if (!differs(deployment, found)) return;
    const changed = deployment.state !== found.state || deployment.state_reason !== found.state_reason;
    const saved = await store.save(id, deployment.version, found, changed ? { message: describe(found) } : null);
    if (!saved) again.add(id);
  }

  /** One run at a time for each deployment; requests during a run cause one more run afterwards. */
  function reconcile(id: string): Promise<void> {
    const current = running.get(id);
    if (current) {
      again.add(id);
      return current;
    }
    const run = (async () => {
      do {
        again.delete(id);
        await once(id);
      } while (again.has(id) && !stopped);
    })().finally(() => running.delete(id));
    running.set(id, run);
    return run;
  }

  /** Removes deployments from providers that no longer exist in the store. */
  async function sweep(): Promise<void> {
    for (const provider of providers.values())
      for (const id of await provider.list()) {
        if (await store.find(id)) continue;
        await provider.remove(id);
        forget(id);
      }
  }

  const guarded = (what: Promise<void>, id: string | null) =>
    what.catch((error: unknown) => log.error({ err: error, deployment: id }, "a deployment could not be reconciled"));

  return {
    reconcile,
    /** Reconciles a deployment in the background. */
    kick(id: string): void {
      if (!stopped) void guarded(reconcile(id), id);
    },
    async run(): Promise<void> {
      for (const id of await store.ids()) await guarded(reconcile(id), id);
      await guarded(sweep(), null);
    },
    /** Starts no further runs. */
    stop(): void {
      stopped = true;
    },
    async settled(): Promise<void> {
      await Promise.allSettled([...running.values()]);
    },
  };
}

function describe({ state_reason, ready_replicas, desired_replicas }: Found): string {
  return state_reason ?? `${ready_replicas} of ${desired_replicas} replicas`;
}
