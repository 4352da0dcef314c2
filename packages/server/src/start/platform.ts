import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { Settings } from "../config/settings.ts";
import { systemClock } from "../core/clock.ts";
import { grantApplicationRole } from "../core/db/application-role.ts";
import { connectDatabase, type DatabaseTarget } from "../core/db/connect.ts";
import { startEmbeddedPostgres } from "../core/db/embedded.ts";
import { migrate } from "../core/db/migrate.ts";
import { seed } from "../core/db/seed/seed.ts";
import { acquireServerLock } from "../core/db/server-lock.ts";
import { startJobs } from "../core/jobs.ts";
import { createDependencies, type Dependencies } from "../dependencies.ts";
import { BUILT_IN_MODELS } from "../engine/built-in-models.ts";
import type { EngineSandbox } from "../engine/sandbox.ts";
import { openInstallationSecret } from "../modules/installation/installation-secret.ts";
import { createServer } from "../server.ts";
import { drain } from "./drain.ts";
import { assertAddressAvailable, listen } from "./listen.ts";
import type { Stop, Stops } from "./stops.ts";

const DISCOVERY_INTERVAL_MS = 30_000;

/** The start does not wait longer than this for the built-in models to load. */
const MODELS_TIMEOUT_MS = 60_000;
const POLL_MS = 20;

type StartOptions = {
  settings: Settings;
  engineSandbox: EngineSandbox;
  log: Logger;
  root: string;
  stops: Stops;
  requested: AbortSignal;
  /** Called with the next step of the start. */
  report(text: string): void;
  /** Called when another server has taken the database. */
  onDatabaseLost(error: Error): void;
};

/**
 * Starts database, server, engines and backends, in this order, and returns once the first admin exists or can be
 * created and the built-in models respond. Registers on `stops` how to stop each part. Throws between two steps once
 * `requested` is aborted.
 */
export async function startPlatform(start: StartOptions): Promise<Dependencies> {
  const { settings, log, stops, requested, report } = start;
  await assertAddressAvailable(settings.server);
  report("Starting the database.");
  const deps = await openDependencies(start);
  requested.throwIfAborted();
  const { adminEmail: email, adminPassword: password } = settings.identity;
  if (email !== undefined && password !== undefined) await deps.auth.ensureAdmin(email, password);
  stops.add(deps.registry.close);
  stops.add(deps.hosting.stop);
  stops.add(deps.deploymentsModule.stop);
  const server = await createServer(deps);
  deps.lifecycle.starting = true;
  await listen(server, settings.server);
  stops.add((forced) => drain(server, deps, forced));
  report("Loading the built-in models.");
  await deps.hosting.start();
  await deps.deploymentsModule.start();
  stops.add(startJobs(deps.jobs, log));
  stops.add(await startDiscovery(deps));
  stops.add(async () => {
    deps.lifecycle.draining = true;
  });
  await waitForBuiltInModels(deps, requested);
  requested.throwIfAborted();
  deps.lifecycle.starting = false;
  return deps;
}

/** Opens and locks the database, migrates it and checks that the secret belongs to it. */
async function openDependencies({
  settings,
  engineSandbox,
  log,
  root,
  stops,
  requested,
  onDatabaseLost,
}: StartOptions) {
  const dataDir = resolve(root, settings.storage.dataDir);
  const { owner, application } = await databaseTargets(settings.storage.databaseUrl, dataDir, log, stops);
  requested.throwIfAborted();
  const lock = await acquireServerLock(owner, { log, onLost: onDatabaseLost });
  stops.add(lock.release);
  await prepareDatabase(owner, settings.storage.databaseUrl === undefined);
  const onConnectionError = (error: Error) => log.warn({ err: error }, "a connection to the database broke");
  const database = connectDatabase(application, { maxConnections: 20, onConnectionError });
  stops.add(database.close);
  const secret = await openInstallationSecret({
    db: database.db,
    settings: settings.storage,
    dataDir,
    clock: systemClock,
    log,
  });
  return createDependencies({ db: database.db, settings, engineSandbox, log, secret });
}

type Targets = { owner: DatabaseTarget; application: DatabaseTarget };

async function databaseTargets(
  databaseUrl: string | undefined,
  dataDir: string,
  log: Logger,
  stops: Stops,
): Promise<Targets> {
  if (databaseUrl !== undefined) {
    const target = { connectionString: databaseUrl };
    return { owner: target, application: target };
  }
  const postgres = await startEmbeddedPostgres({ dataDir, log });
  stops.add(postgres.stop);
  return { owner: postgres.connection, application: postgres.application };
}

/** Migrates and seeds the database, and creates the server's role in the embedded one. */
async function prepareDatabase(owner: DatabaseTarget, isEmbedded: boolean): Promise<void> {
  const { db, pool, close } = connectDatabase(owner);
  try {
    await migrate(pool);
    await seed(db, BUILT_IN_MODELS);
    if (isEmbedded) await grantApplicationRole(pool);
  } finally {
    await close();
  }
}

async function waitForBuiltInModels({ hosting, log }: Dependencies, requested: AbortSignal): Promise<void> {
  const deadline = performance.now() + MODELS_TIMEOUT_MS;
  while (hosting.host.isLoadingPinned() && !requested.aborted) {
    if (performance.now() > deadline)
      return log.warn("The built-in models are still being loaded; the server is ready without them.");
    await sleep(POLL_MS);
  }
}

async function startDiscovery({ discovery, log }: Dependencies): Promise<Stop> {
  const refresh = () =>
    discovery.refresh().catch((error: unknown) => log.warn({ err: error }, "backends could not be looked for"));
  await refresh();
  const timer = setInterval(refresh, DISCOVERY_INTERVAL_MS);
  return async () => clearInterval(timer);
}
