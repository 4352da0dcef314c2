import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import packageJson from "../../package.json" with { type: "json" };
import type { Settings } from "../config/settings.ts";
import { systemClock } from "../core/clock.ts";
import { connectDatabase, readPoolState } from "../core/db/connect.ts";
import { acquireServerLock } from "../core/db/server-lock.ts";
import { startJobs } from "../core/jobs.ts";
import { QueryStats } from "../core/metrics/query-stats.ts";
import { isLoopbackHost } from "../core/networks.ts";
import { MINUTE_MS } from "../core/time.ts";
import type { EngineGpu, EngineSandbox, GgufConverter, VllmState } from "../engine/index.ts";
import { createLoadShedder, watchEventLoop } from "../http/load-shedding.ts";
import { openInstallationSecret } from "../modules/installation/index.ts";
import { loadTelemetry, toThresholdMs, watchQueries } from "../modules/operations/index.ts";
import { createPlatform, type Platform } from "../modules.ts";
import { createServer } from "../server.ts";
import { openDatabaseTargets, prepareDatabase } from "./database.ts";
import { drain } from "./drain.ts";
import { startHosting } from "./hosting.ts";
import { assertAddressAvailable, listen } from "./listen.ts";
import { startMetricsServer } from "./metrics-server.ts";
import type { Stop, Stops } from "./stops.ts";

const DISCOVERY_INTERVAL_MS = 30_000;

/** The start does not wait longer than this for the built-in models to load. */
const MODELS_TIMEOUT_MS = MINUTE_MS;
const POLL_MS = 20;

type StartOptions = {
  settings: Settings;
  engineSandbox: EngineSandbox;
  engineGpu: EngineGpu;
  converter: GgufConverter;
  vllm: VllmState;
  log: Logger;
  root: string;
  stops: Stops;
  requested: AbortSignal;
  /** Called with the next step of the start. */
  report(text: string): void;
  /** Called at the moment the server is ready; with the token of a set-up link while there is no admin. */
  reportReady(platform: Platform, setupToken: string | null): void;
  /** Called when another server has taken the database. */
  onDatabaseLost(error: Error): void;
};

/**
 * Starts database, server, engines and backends, in this order, and returns once the first admin exists or can be
 * created and the built-in models respond. Registers on `stops` how to stop each part. Throws between two steps once
 * `requested` is aborted.
 */
export async function startPlatform(start: StartOptions): Promise<void> {
  const { settings, log, stops, requested, report, reportReady } = start;
  await assertAddressAvailable(settings.server);
  report("Starting the database.");
  const { platform, telemetry } = await openPlatform(start);
  requested.throwIfAborted();
  const { api, lifecycle } = platform;
  const { adminEmail, adminPassword } = settings.identity;
  if (adminEmail !== undefined && adminPassword !== undefined)
    await api.identity.auth.ensureAdmin(adminEmail, adminPassword);
  stops.add(api.backends.registry.close);
  stops.add(api.modelHost.stop);
  stops.add(api.deployments.stop);
  stops.add(api.webhooks.stop);
  stops.add(platform.closePeers);
  const loadShedder = createLoadShedder();
  const server = await createServer(platform, platform.handlers, loadShedder);
  const stopWatching = watchEventLoop(loadShedder);
  stops.add(async () => stopWatching());
  lifecycle.starting = true;
  telemetry?.startMetrics(api.operations.readMetrics);
  await openMetricsPort(platform, stops);
  stops.add(await api.operations.start());
  await listen(server, settings.server);
  stops.add((forced) => drain(server, platform, forced));
  report("Loading the built-in models.");
  await startHosting(platform);
  stops.add(startJobs(platform.jobs, log, platform.jobStats));
  stops.add(await startDiscovery(platform));
  stops.add(async () => {
    lifecycle.draining = true;
  });
  await waitForPinnedModels(platform, requested);
  const setupToken = await api.identity.auth.issueSetupToken();
  requested.throwIfAborted();
  lifecycle.starting = false;
  reportReady(platform, setupToken);
}

/** Opens and locks the database, migrates it and checks that the secret belongs to it. */
async function openPlatform(options: StartOptions) {
  const { settings, engineSandbox, engineGpu, converter, vllm, log, root, stops, requested, onDatabaseLost } = options;
  const dataDir = resolve(root, settings.storage.dataDir);
  const targets = await openDatabaseTargets(settings.storage, { dataDir, log, stops });
  requested.throwIfAborted();
  const lock = await acquireServerLock(targets.owner, { log, onLost: onDatabaseLost });
  stops.add(lock.release);
  await prepareDatabase(targets);
  const onConnectionError = (error: Error) => log.warn({ err: error }, "a connection to the database broke");
  const queries = new QueryStats();
  const database = connectDatabase(targets.application, {
    maxConnections: 20,
    onConnectionError,
    onQuery: watchQueries(queries, log, toThresholdMs(settings.operations.slowQuerySeconds)),
  });
  stops.add(database.close);
  const secret = await openInstallationSecret({
    db: database.db,
    settings: settings.installation,
    dataDir,
    clock: systemClock,
    log,
  });
  const telemetry = await loadTelemetry(settings.telemetry, { version: packageJson.version, log });
  if (telemetry !== null) stops.add(telemetry.stop);
  const platform = createPlatform({
    ...{ db: database.db, settings, dataDir, engineSandbox, engineGpu, converter, vllm, log, secret, queries },
    readPool: () => readPoolState(database.pool),
    tracing: telemetry?.tracing ?? null,
  });
  return { platform, telemetry };
}

/** Serves metrics on their own port if the settings name one. */
async function openMetricsPort({ api, settings, log }: Platform, stops: Stops): Promise<void> {
  const { metricsPort: port, metricsHost: host, metricsToken } = settings.operations;
  if (port === undefined) return;
  stops.add((await startMetricsServer({ ...api.operations, port, host })).close);
  if (metricsToken === undefined && !isLoopbackHost(host))
    log.warn({ host, port }, "Other machines can read metrics without a token: see FEATHER_METRICS_TOKEN.");
}

async function waitForPinnedModels({ api, log }: Platform, requested: AbortSignal): Promise<void> {
  const deadline = performance.now() + MODELS_TIMEOUT_MS;
  while (api.modelHost.host.isLoadingPinned() && !requested.aborted) {
    if (performance.now() > deadline)
      return log.warn("Built-in and pinned models are still being loaded; the server is ready without them.");
    await sleep(POLL_MS);
  }
}

async function startDiscovery({ api, log }: Platform): Promise<Stop> {
  const refresh = () =>
    api.backends.discovery
      .refresh(api.modelHost.host.ids())
      .catch((error: unknown) => log.warn({ err: error }, "backends could not be looked for"));
  await refresh();
  const timer = setInterval(refresh, DISCOVERY_INTERVAL_MS);
  return async () => clearInterval(timer);
}
