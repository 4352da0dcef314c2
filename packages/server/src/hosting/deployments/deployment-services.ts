import type { Logger } from "pino";
import { type BackendRegistry, createBackendRegistry, type Gateway } from "../../gateway/index.ts";
import type { CurrentPlan, PlansRepository } from "../../money/plans/index.ts";
import type { Audit } from "../../platform/core/audit.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { Events } from "../../platform/core/events.ts";
import type { Ids } from "../../platform/core/ids.ts";
import { HOUR_S } from "../../platform/core/time.ts";
import { createColdStart } from "./calls/cold-start.ts";
import { createDeploymentCalls } from "./calls/deployment-calls.ts";
import { createLoadTracker } from "./calls/load-tracker.ts";
import { createReplicaBackends } from "./calls/replica-backends.ts";
import type { DeployableModels } from "./deployable-models.ts";
import { createDeploymentMetrics } from "./deployment-metrics.ts";
import { recordStateEvent } from "./deployment-state-events.ts";
import { createDeploymentTokens } from "./deployment-tokens.ts";
import { createDeploymentsRepository } from "./deployments.repository.ts";
import { createDeployments } from "./deployments.usecases.ts";
import type { DeploymentProvider, Observed } from "./provider.ts";
import { createProviders } from "./providers.ts";
import { createReconciler } from "./reconciler.ts";

type Deps = {
  db: Database;
  /** The providers that deployments can run on. */
  deploymentProviders: readonly DeploymentProvider[];
  models: DeployableModels;
  plansRepository: PlansRepository;
  currentPlan(organizationId: string): Promise<CurrentPlan>;
  gateway: Pick<Gateway, "runCall" | "createRoute">;
  audit: Audit;
  events: Events;
  clock: Clock;
  ids: Ids;
  log: Logger;
  publicUrl: string;
};

/** Creates the use cases of deployments, their reconciler and providers, and the calls to them. */
export function createDeploymentServices(deps: Deps) {
  const { db, deploymentProviders, models, currentPlan, gateway, audit, clock, log } = deps;
  const deploymentsRepository = createDeploymentsRepository({
    db,
    clock,
    tellState: (row, trx) => recordStateEvent(deps, row, trx),
  });
  const tokens = createDeploymentTokens({ db, audit, clock });
  const providers = createProviders(deploymentProviders);
  const registry: BackendRegistry = createBackendRegistry(clock);
  const load = createLoadTracker(clock);
  const updateBackends = createReplicaBackends(registry);
  const coldStart = createColdStart(clock, (id) => reconciler.enqueue(id));

  const reconciler = createReconciler({
    store: deploymentsRepository.reconcilerStore,
    providers: providers.byId,
    loadOf: load.get,
    updateRoutes(id: string, modelKey: string, observed: Observed | null) {
      updateBackends(id, modelKey, observed);
      coldStart.noteObserved(id, observed);
      if (registry.candidates(id).length > 0) coldStart.markReady(id);
    },
    onRemoved(id: string) {
      load.remove(id);
      coldStart.remove(id);
    },
    clock,
    log,
  });
  for (const provider of deploymentProviders) provider.onChange(reconciler.enqueue);

  async function run(): Promise<void> {
    await Promise.all(deploymentProviders.map((provider) => provider.tick()));
    await reconciler.run();
  }

  const deployments = createDeployments({
    ...deps,
    deploymentsRepository,
    tokens,
    providers,
    enqueue: reconciler.enqueue,
  });

  const prune = async () => void (await Promise.all([tokens.deleteExpired(), deploymentsRepository.deleteOldEvents()]));

  return {
    deploymentsRepository,
    tokens,
    providers,
    registry,
    reconciler,
    metrics: createDeploymentMetrics(db, clock),
    deployments,
    calls: createDeploymentCalls({
      models,
      currentPlan,
      registry,
      route: gateway.createRoute(registry, coldStart.port),
      findFailure: coldStart.port.loadingProblem,
      load,
      runCall: gateway.runCall,
    }),
    jobs: [
      { name: "reconcile deployments", everySeconds: 2, run },
      { name: "pause deployments without a plan", everySeconds: 60, run: deployments.pauseWithoutPlan },
      { name: "delete old links and events of deployments", everySeconds: HOUR_S, run: prune },
    ],
    /** Starts the deployments that should run, after the server has started. */
    start: reconciler.run,
    async stop(): Promise<void> {
      reconciler.stop();
      await Promise.all(deploymentProviders.map((provider) => provider.stop()));
      await reconciler.waitUntilIdle();
      await registry.close();
    },
  };
}

/** The part of the services that the routes of deployments use. */
export type DeploymentServices = Omit<ReturnType<typeof createDeploymentServices>, "jobs">;
