import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import packageJson from "../../package.json" with { type: "json" };
import { publicUrlOf } from "../config/public-url.ts";
import { replicaHostOf } from "../config/replica-host.ts";
import type { ServerSettings } from "../config/server.settings.ts";
import type { SavedValues, Settings } from "../config/settings.ts";
import { readAllSettings } from "../config/settings-catalog.ts";
import type { EngineSandbox, GgufConverter, RuntimeStates } from "../hosting/runtimes/index.ts";
import { createLoadShedder, watchEventLoop } from "../http/load-shedding.ts";
import { loadTelemetry, toThresholdMs, watchQueries } from "../insight/operations/index.ts";
import { readSavedValues } from "../insight/settings/index.ts";
import { createModules, type Modules } from "../modules.ts";
import { loadPaymentService } from "../money/payment-services/index.ts";
import { connectDatabase, readPoolState } from "../platform/core/db/connect.ts";
import { startJobs } from "../platform/core/jobs.ts";
import { QueryStats } from "../platform/core/metrics/query-stats.ts";
import { isLoopbackHost } from "../platform/core/network/networks.ts";
import type { Membership } from "../platform/core/replicas/membership.ts";
import { createSealer, SEALING_PURPOSES } from "../platform/core/secrets/sealing.ts";
import { MINUTE_MS, SECOND_MS } from "../platform/core/time.ts";
import { openInstallationSecret } from "../platform/installation/index.ts";
import { createServer } from "../server.ts";
import { collectGarbageLater } from "./collect-garbage.ts";
import { type DatabaseTargets, openDatabaseTargets } from "./database.ts";
import { drain } from "./drain.ts";
import { followLeader, startHosting } from "./hosting.ts";
import { assertAddressAvailable, canSharePort, listen, listenTogether } from "./listen.ts";
import { startMetricsServer } from "./metrics-server.ts";
import { openReplicaPort, takePlace, type WorkerPlace } from "./place.ts";
import { serveReplicas } from "./serve-replicas.ts";
import type { Stop, Stops } from "./stops.ts";
import { startWorkers, type Workers } from "./workers.ts";

const DISCOVERY_INTERVAL_MS = 30_000;

/** The longest time that the start waits for the built-in models to load. */
const MODELS_TIMEOUT_MS = MINUTE_MS;
const POLL_MS = 20;
const MAX_CONNECTIONS = 20;
/** The connections to the embedded database that the processes share. The rest is for leases and commands. */
const EMBEDDED_CONNECTIONS = 70;

type StartOptions = {
  /** The settings before the database is open. */
  settings: Settings;
  /** The environment, which is read again with what admins saved. */
  env: Record<string, string | undefined>;
  engineSandbox: EngineSandbox;
  runtimeStates: RuntimeStates;
  converter: GgufConverter;
  log: Logger;
  root: string;
  stops: Stops;
  requested: AbortSignal;
  /** Called with the name of the next step of the start. */
  report(text: string): void;
  /** Called when the server is ready, with the token of a set-up link if there is no admin. */
  reportReady(platform: Modules, setupToken: string | null): void;
  /** Starts the server again; null where something else has to. */
  restart: (() => void) | null;
  /** Called when another server has taken the database. */
  onDatabaseLost(error: Error): void;
  /** The data of a worker; null for the main process. */
  worker: WorkerPlace | null;
};

/**
 * Starts database, server, engines and backends, in this order. Resolves when the first admin exists or can be created, and
 * the built-in models respond. Registers on `stops` how to stop each part. Throws between two steps if `requested` is
 * aborted.
 */
export async function startPlatform(start: StartOptions): Promise<void> {
  const { settings, log, stops, requested, report, reportReady, worker } = start;
  if (worker === null) await assertAddressAvailable(settings.server);
  report("Starting the database.");
  const { platform, telemetry, targets, membership, listener, saved } = await openPlatform(start);
  requested.throwIfAborted();
  const { api, lifecycle } = platform;
  const { adminEmail, adminPassword } = settings.identity;
  if (worker === null && adminEmail !== undefined && adminPassword !== undefined)
    await api.identity.auth.ensureAdmin(adminEmail, adminPassword);
  stops.add(api.backends.registry.close);
  stops.add(api.modelHost.stop);
  stops.add(api.deployments.stop);
  stops.add(api.webhooks.stop);
  stops.add(api.gateway.startLimits());
  if (listener !== null) stops.add((forced) => listener.close(endAfterDrain(settings.server, forced)));
  const loadShedder = createLoadShedder();
  const server = await createServer(platform, platform.handlers, loadShedder);
  if (listener !== null) serveReplicas(listener, platform, server);
  const stopWatching = watchEventLoop(loadShedder);
  stops.add(async () => stopWatching());
  lifecycle.starting = true;
  telemetry?.startMetrics(api.operations.readMetrics);
  if (worker === null) await openMetricsPort(platform, stops);
  stops.add(await api.operations.start());
  const workers = await listenWithWorkers(server, start, { targets, membership, saved });
  stops.add(async (forced) => void (await Promise.all([drain(server, platform, forced), workers.stop(forced)])));
  await hostOrFollow(platform, report);
  stops.add(startJobs(platform.jobs, { log, stats: platform.jobStats, isLeader: platform.replicas.isLeader }));
  if (membership !== null) stops.add(membership.resign);
  stops.add(await startDiscovery(platform));
  stops.add(async () => {
    lifecycle.draining = true;
  });
  await waitForPinnedModels(platform, requested);
  const setupToken = platform.replicas.isLeader() ? await api.identity.auth.issueSetupToken() : null;
  requested.throwIfAborted();
  lifecycle.starting = false;
  stops.add(collectGarbageLater());
  reportReady(platform, setupToken);
  if (platform.replicas.isLeader()) stops.add(startFirstModel(platform, report));
}

/** Downloads a first model in the background if the server has none. Returns how to stop that. */
function startFirstModel({ api, log }: Modules, report: StartOptions["report"]): Stop {
  const stopping = new AbortController();
  api.startFirstModel(report, stopping.signal).catch((error: unknown) => {
    log.error({ err: error }, "the first model could not be started");
  });
  return async () => stopping.abort();
}

/**
 * Returns a signal that aborts after the drain timeout, which is the time that callers' requests get, or when `forced`
 * aborts.
 */
function endAfterDrain({ drainTimeoutSeconds }: ServerSettings, forced: AbortSignal): AbortSignal {
  return AbortSignal.any([forced, AbortSignal.timeout(drainTimeoutSeconds * SECOND_MS)]);
}

const NO_WORKERS: Workers = { stop: async () => {} };

/** Starts listening, and starts the workers of the settings. */
async function listenWithWorkers(
  server: FastifyInstance,
  { settings, engineSandbox, runtimeStates, log, worker, restart }: StartOptions,
  { targets, membership, saved }: { targets: DatabaseTargets; membership: Membership | null; saved: SavedValues },
): Promise<Workers> {
  if (worker?.receiveListener) {
    await listenTogether(server, worker.receiveListener);
    return NO_WORKERS;
  }
  const { host, port, workers } = settings.server;
  const reusePort = workers > 1 && (await canSharePort(host));
  await listen(server, { host, port }, { reusePort });
  if (worker !== null || membership === null || workers === 1) return NO_WORKERS;
  const replicaHost = replicaHostOf(settings.server);
  const start = {
    targets,
    savedSettings: [...saved],
    replicaHost,
    engineSandbox,
    runtimeStates,
    canSharePort: reusePort,
  };
  const onRestart = () => restart?.();
  return startWorkers({
    count: workers - 1,
    start,
    listener: server.server,
    onGone: membership.remove,
    onRestart,
    log,
  });
}

/**
 * Starts what only the leader runs: now if this process leads, otherwise as soon as it does. Until then it follows the
 * leader.
 */
async function hostOrFollow(platform: Modules, report: StartOptions["report"]): Promise<void> {
  const { replicas, log } = platform;
  replicas.onLeading(() => {
    startHosting(platform).catch((error: unknown) => {
      log.error({ err: error }, "local models and deployments could not be started");
    });
  });
  if (!replicas.isLeader()) return followLeader(platform);
  report("Loading the built-in models.");
  await startHosting(platform);
}

/** Opens and locks the database, migrates it, and checks that the secret belongs to it. */
async function openPlatform(options: StartOptions) {
  const { settings, env, engineSandbox, runtimeStates, converter, log, root, stops, requested, worker, restart } =
    options;
  const dataDir = resolve(root, settings.storage.dataDir);
  const targets = worker?.targets ?? (await openDatabaseTargets(settings.storage, { dataDir, log, stops }));
  requested.throwIfAborted();
  const port = await openReplicaPort(settings.server, worker);
  const { replicas, clock, membership } = await takePlace({
    ...options,
    targets,
    address: port?.address ?? null,
    isOnlyMachine: settings.server.replicaAddress === undefined,
    role: settings.server.role,
  });
  const onConnectionError = (error: Error) => log.warn({ err: error }, "a connection to the database broke");
  const queries = new QueryStats();
  const database = connectDatabase(targets.application, {
    maxConnections: countConnections(settings.server, targets),
    onConnectionError,
    onQuery: watchQueries(queries, log, toThresholdMs(settings.operations.slowQuerySeconds)),
  });
  stops.add(database.close);
  const secret = await openInstallationSecret({
    db: database.db,
    settings: settings.installation,
    dataDir,
    clock,
    log,
  });
  const savedSettingsSealer = createSealer(secret, SEALING_PURPOSES.savedSettings);
  const saved = worker?.savedSettings ?? (await readSavedValues({ db: database.db, savedSettingsSealer }));
  const settingsPlace = { env, folder: root, saved };
  const allSettings = readAllSettings(settingsPlace);
  const telemetry = await loadTelemetry(settings.telemetry, { version: packageJson.version, log });
  if (telemetry !== null) stops.add(telemetry.stop);
  const platform = createModules({
    db: database.db,
    settings: allSettings,
    settingsPlace,
    restart,
    dataDir,
    engineSandbox,
    runtimeStates,
    converter,
    log,
    secret,
    queries,
    replicas,
    clock,
    moduleService: await loadPaymentService(allSettings.billing, { publicUrl: publicUrlOf(allSettings.server), log }),
    readPool: () => readPoolState(database.pool),
    tracing: telemetry?.tracing ?? null,
  });
  stops.add(platform.closePeers);
  stops.add(platform.closeParsers);
  return { platform, telemetry, targets, membership, saved, listener: port?.listener ?? null };
}

/**
 * Returns the number of connections of a process to the database. Workers share those of the embedded one, which accepts
 * 100 in all.
 */
function countConnections({ workers }: ServerSettings, { isEmbedded }: DatabaseTargets): number {
  return isEmbedded ? Math.min(MAX_CONNECTIONS, Math.floor(EMBEDDED_CONNECTIONS / workers)) : MAX_CONNECTIONS;
}

/** Serves metrics on their own port if the settings name one. */
async function openMetricsPort({ api, settings, log }: Modules, stops: Stops): Promise<void> {
  const { metricsPort: port, metricsHost: host, metricsToken } = settings.operations;
  if (port === undefined) return;
  stops.add((await startMetricsServer({ ...api.operations, port, host })).close);
  if (metricsToken === undefined && !isLoopbackHost(host))
    log.warn({ host, port }, "Other machines can read metrics without a token: see FEATHER_METRICS_TOKEN.");
}

async function waitForPinnedModels({ api, log }: Modules, requested: AbortSignal): Promise<void> {
  const deadline = performance.now() + MODELS_TIMEOUT_MS;
  while (api.modelHost.host.isLoadingPinned() && !requested.aborted) {
    if (performance.now() > deadline)
      return log.warn("Built-in and pinned models are still being loaded; the server is ready without them.");
    await sleep(POLL_MS);
  }
}

async function startDiscovery({ api, log }: Modules): Promise<Stop> {
  const refresh = () =>
    api.backends.discovery
      .refresh(api.modelHost.host.ids())
      .catch((error: unknown) => log.warn({ err: error }, "backends could not be looked for"));
  await refresh();
  const timer = setInterval(refresh, DISCOVERY_INTERVAL_MS);
  return async () => clearInterval(timer);
}
