import type { Logger } from "pino";
import type { Clock } from "../../shared/clock.ts";
import { type Demand, decide, differs, type Found, type Status } from "./decide.ts";
import type { DeploymentProvider, DeploymentSpec, Observed } from "./provider.ts";

export type Reconciled = Status & { id: string; version: number; provider_id: string; spec: DeploymentSpec };

/** Where the reconciler reads what is wanted and writes what it found. */
export type ReconcilerStore = {
  ids(): Promise<readonly string[]>;
  find(id: string): Promise<Reconciled | null>;
  /** False, and nothing written, when somebody changed it meanwhile. */
  save(id: string, version: number, found: Found, event: { message: string } | null): Promise<boolean>;
  /** Forgets a deployment for good. */
  forget(id: string): Promise<void>;
};

type Deps = {
  store: ReconcilerStore;
  providers: ReadonlyMap<string, DeploymentProvider>;
  demandOf(id: string): Demand;
  /** Tells where calls may go from now on. */
  route(id: string, modelKey: string, observed: Observed | null): void;
  /** Told that nothing is left of one. */
  gone?(id: string): void;
  clock: Clock;
  log: Pick<Logger, "error">;
};

/**
 * Makes what runs equal to what is wanted. Each run looks at both anew, asks the provider for what is missing, and
 * writes down what it found; so it may be cut off anywhere, and two at once do no harm.
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

  /** One at a time for each deployment; what comes meanwhile is done once more afterwards. */
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

  /** Stops what runs for nobody: a deployment that is gone, whose provider heard of it late. */
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
    /** Looks at one soon, in the background. */
    kick(id: string): void {
      if (!stopped) void guarded(reconcile(id), id);
    },
    async run(): Promise<void> {
      for (const id of await store.ids()) await guarded(reconcile(id), id);
      await guarded(sweep(), null);
    },
    /** Begins nothing more. */
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
