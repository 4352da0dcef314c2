import type { Logger } from "pino";
import type { Database } from "../../db/connect.ts";
import { type BackendRegistry, createBackendRegistry } from "../../gateway/backends/registry.ts";
import type { RemoteMedia } from "../../gateway/formats/media-address.ts";
import type { RunningCalls } from "../../gateway/running-calls.ts";
import type { Timeouts } from "../../gateway/stages/dispatch.ts";
import { createServing } from "../../gateway/stages/serving.ts";
import type { UsageWriter } from "../../gateway/usage-writer.ts";
import type { WaitingLine } from "../../gateway/waiting-line.ts";
import type { Clock } from "../../shared/clock.ts";
import type { Ids } from "../../shared/ids.ts";
import type { Audit } from "../audit/audit.ts";
import type { CallableModels } from "../catalogue/callable-models.ts";
import type { CurrentPlan, PlansRepository } from "../plans/plans.repository.ts";
import { createDemand } from "./demand.ts";
import { createDeploymentCalls } from "./deployment-calls.ts";
import { createDeploymentMetrics } from "./deployment-metrics.ts";
import { createDeploymentRouter } from "./deployment-router.ts";
import { createDeploymentTokens } from "./deployment-tokens.ts";
import { createDeploymentsRepository } from "./deployments.repository.ts";
import { createDeployments } from "./deployments.usecases.ts";
import type { DeploymentProvider, Observed } from "./provider.ts";
import { createProviders } from "./providers.ts";
import { createReconciler } from "./reconciler.ts";
import { createWaking } from "./waking.ts";

type Deps = {
  db: Database;
  /** The providers that deployments can run on. */
  places: readonly DeploymentProvider[];
  models: CallableModels;
  plans: PlansRepository;
  currentPlan(organizationId: string): Promise<CurrentPlan>;
  audit: Audit;
  running: RunningCalls;
  usage: UsageWriter;
  timeouts: Timeouts;
  remoteMedia: RemoteMedia;
  line: WaitingLine;
  coldStatus: 400 | 503;
  clock: Clock;
  ids: Ids;
  log: Logger;
};

/** Builds the deployments: use cases, reconciler, providers, and the calls to them. */
export function createPrivateCloud({ db, places, models, plans, audit, coldStatus, clock, ids, log, ...deps }: Deps) {
  const rows = createDeploymentsRepository(db, clock);
  const tokens = createDeploymentTokens({ db, audit, clock });
  const providers = createProviders(places);
  const registry: BackendRegistry = createBackendRegistry(clock);
  const demand = createDemand(clock);
  const send = createDeploymentRouter(registry);
  const waking = createWaking(clock, (id) => reconciler.kick(id));

  const reconciler = createReconciler({
    store: rows.reconciling,
    providers: providers.byId,
    demandOf: demand.of,
    route(id: string, modelKey: string, observed: Observed | null) {
      send(id, modelKey, observed);
      if (registry.candidates(id).length > 0) waking.ready(id);
    },
    gone(id: string) {
      demand.forget(id);
      waking.forget(id);
    },
    clock,
    log,
  });
  for (const place of places) place.onChange(reconciler.kick);

  const serving = createServing({ registry, modelHost: waking.port, line: deps.line, clock, coldStatus });

  async function run(): Promise<void> {
    await Promise.all(places.map((place) => place.tick()));
    await reconciler.run();
  }

  const deployments = createDeployments({
    db,
    deployments: rows,
    tokens,
    providers,
    models,
    plans,
    audit,
    clock,
    ids,
    kick: reconciler.kick,
  });

  const prune = async () => void (await Promise.all([tokens.prune(), rows.pruneEvents()]));

  return {
    rows,
    tokens,
    providers,
    registry,
    reconciler,
    metrics: createDeploymentMetrics(db, clock),
    deployments,
    calls: createDeploymentCalls({ ...deps, models, registry, serving, demand, clock }),
    jobs: [
      { name: "reconcile deployments", everySeconds: 2, run },
      { name: "pause deployments without a plan", everySeconds: 60, run: deployments.pauseWithoutPlan },
      { name: "forget old links and events of deployments", everySeconds: 3_600, run: prune },
    ],
    /** Starts the deployments that should run, after a restart of the server. */
    start: reconciler.run,
    async stop(): Promise<void> {
      reconciler.stop();
      await Promise.all(places.map((place) => place.stop()));
      await reconciler.settled();
      await registry.close();
    },
  };
}

export type PrivateCloud = ReturnType<typeof createPrivateCloud>;
