import { bind } from "../../../platform/core/bind.ts";
import { createReconciler } from "../../deployments/index.ts";
import type { HostedModel } from "../../runtimes/index.ts";
import type { Availability, ModelHost } from "../host.ts";
import { chooseMachine } from "./choose-machine.ts";
import { hostedModelId } from "./deployment-ids.ts";
import { type ClusterContext, type ClusterHostDeps, createEntry, findEntry, isRegistered } from "./entries.ts";
import {
  findFailure,
  findLoadingProblem,
  isLoaded,
  listLoadedModels,
  readAvailability,
  toAvailability,
} from "./model-states.ts";
import { refreshPods, updatePods } from "./observed-pods.ts";
import { isWarm } from "./pod-backends.ts";
import { findSpecProblem } from "./pod-specs.ts";
import { createStore, PROVIDER_ID, protectRegistered, readLoad } from "./wanted-deployments.ts";

/**
 * Runs models as pods of a cluster: shared models, and private ones if pods can download files from this server. Each model
 * is a deployment that no organization has created. It is reconciled like other deployments: it has no pods until it is
 * called, and loses them when it was idle for `idleSeconds`. Pods keep running when the server stops; the next server
 * adopts them.
 */
export function createClusterHost(deps: ClusterHostDeps): ModelHost {
  const { provider, clock, log } = deps;
  const context: ClusterContext = {
    ...deps,
    entries: new Map(),
    startDurations: new Map(),
    isComplete: false,
    enqueue: (id) => reconciler.enqueue(id),
  };
  const { entries } = context;
  const reconciler = createReconciler({
    store: createStore(context),
    providers: new Map([[PROVIDER_ID, protectRegistered(context, provider)]]),
    loadOf: (id) => readLoad(context, id),
    updateRoutes: (id, _key, observed) => updatePods(context, id, observed),
    clock,
    log,
  });
  provider.onChange((id) => {
    if (!context.isComplete) return;
    if (deps.isLeader()) reconciler.enqueue(id);
    else void refreshPods(context, id);
  });
  return {
    ...bind(context, {
      register: registerModel,
      unregister: unregisterModel,
      unload: unloadModel,
      reload: reloadModel,
      availability: readAvailability,
      failure: findFailure,
      loadingProblem: findLoadingProblem,
      listLoaded: listLoadedModels,
      find: findModel,
      isLoaded,
      isWarm,
    }),
    wake: async (key) => wakeModel(context, key),
    state: async (key) => readAvailability(context, key),
    completeRegistration() {
      context.isComplete = true;
      for (const id of entries.keys()) reconciler.enqueue(id);
    },
    /** Always false, because the start of the server does not wait for pods. */
    isLoadingPinned: () => false,
    ids: () => [...entries.values()].filter(isRegistered).map(({ model }) => model.id),
    job: {
      name: "reconcile shared models",
      everySeconds: 2,
      run: async () => void (context.isComplete && (await reconciler.run())),
    },
    /** Stops reconciling. The pods keep running for the next server. */
    async stop() {
      reconciler.stop();
      await reconciler.waitUntilIdle();
    },
  };
}

function findModel(context: ClusterContext, key: string): HostedModel | null {
  return findEntry(context, key)?.model ?? null;
}

/** Registers a model, so that it can be called. Pods that already run it are kept. A pinned model gets pods immediately. */
function registerModel(context: ClusterContext, model: HostedModel): void {
  const id = hostedModelId(model.id);
  const machine = chooseMachine(context.hardware, model);
  const existing = context.entries.get(id);
  if (existing) Object.assign(existing, { model, machine, isUnregistered: false });
  else context.entries.set(id, createEntry(id, model, machine));
  if (context.isComplete) context.enqueue(id);
}

/** Unregisters a model, so that it can no longer be called, and has its pods and other objects removed from the cluster. */
async function unregisterModel(context: ClusterContext, key: string): Promise<void> {
  const entry = findEntry(context, key);
  if (!entry) return;
  entry.isUnregistered = true;
  updatePods(context, entry.id, null);
  context.enqueue(entry.id);
}

/** Stops the pods of a model. The next call starts new ones. */
async function unloadModel(context: ClusterContext, key: string): Promise<void> {
  const entry = findEntry(context, key);
  if (!entry) return;
  Object.assign(entry, { isUnloaded: true, reloadsAfterUnload: false });
  context.enqueue(entry.id);
}

/** Stops the pods of a model and starts new ones. Returns false if the model is not registered. */
function reloadModel(context: ClusterContext, key: string): boolean {
  const entry = findEntry(context, key);
  if (!entry) return false;
  Object.assign(entry, { isUnloaded: true, reloadsAfterUnload: true });
  context.enqueue(entry.id);
  return true;
}

/** Starts pods for a model if it has none. Returns its availability, or null if it cannot run. */
function wakeModel(context: ClusterContext, key: string): Availability | null {
  const entry = findEntry(context, key);
  if (!entry?.machine || findSpecProblem(context, entry) !== null) return null;
  const now = context.clock.now();
  entry.usedAt = now;
  if (entry.isUnloaded) entry.reloadsAfterUnload = true;
  if (entry.startedAt === null && entry.status.ready_replicas === 0) entry.startedAt = now;
  context.enqueue(entry.id);
  return entry.status.state === "failed" ? null : toAvailability(context, entry);
}
