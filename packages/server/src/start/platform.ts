import { resolve } from "node:path";
import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import { installationSecret } from "../config/secret.ts";
import type { Settings } from "../config/settings.ts";
import { connectDatabase } from "../db/connect.ts";
import { startEmbeddedPostgres } from "../db/embedded.ts";
import { migrate } from "../db/migrate.ts";
import { seed } from "../db/seed/seed.ts";
import { createDependencies, type Dependencies } from "../dependencies.ts";
import { BUILT_IN_MODELS } from "../engine/built-in-models.ts";
import { startJobs } from "../jobs/jobs.ts";
import { createServer } from "../server.ts";
import { drain } from "./drain.ts";
import type { Stop, Stops } from "./stops.ts";

const REDISCOVER_MS = 30_000;

type Start = { settings: Settings; log: Logger; root: string; stops: Stops; requested: AbortSignal };

/**
 * Starts database, server, engines and backends, in this order; what stops each of them goes on `stops`. Throws between
 * two of them once `requested` is aborted.
 */
export async function openPlatform({ settings, log, root, stops, requested }: Start): Promise<Dependencies> {
  const dataDir = resolve(root, settings.FEATHER_DATA_DIR);
  const database = await openDatabase(settings, dataDir, log, stops);
  requested.throwIfAborted();
  await migrate(database.pool);
  await seed(database.db, BUILT_IN_MODELS);
  requested.throwIfAborted();
  const secret = installationSecret(settings.FEATHER_SECRET, dataDir);
  const deps = createDependencies({ db: database.db, settings, log, secret });
  stops.add(deps.registry.close);
  stops.add(deps.hosting.stop);
  stops.add(deps.privateCloud.stop);
  const server = await createServer(deps);
  await listen(server, settings);
  stops.add((forced) => drain(server, deps, forced));
  await deps.hosting.start();
  await deps.privateCloud.start();
  stops.add(startJobs(deps.jobs, log));
  stops.add(await keepDiscovering(deps));
  stops.add(async () => {
    deps.lifecycle.draining = true;
  });
  requested.throwIfAborted();
  return deps;
}

async function openDatabase(settings: Settings, dataDir: string, log: Logger, stops: Stops) {
  const onConnectionError = (error: Error) => log.warn({ err: error }, "a connection to the database broke");
  const options = { maxConnections: 20, onConnectionError };
  if (settings.DATABASE_URL !== undefined) {
    const database = connectDatabase({ connectionString: settings.DATABASE_URL }, options);
    stops.add(database.close);
    return database;
  }
  const postgres = await startEmbeddedPostgres({ dataDir, log });
  stops.add(postgres.stop);
  const database = connectDatabase(postgres.connection, options);
  stops.add(database.close);
  return database;
}

async function listen(server: FastifyInstance, { FEATHER_PORT, FEATHER_HOST }: Settings): Promise<void> {
  await server.listen({ port: FEATHER_PORT, host: FEATHER_HOST }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EADDRINUSE") throw error;
    throw new Error(`Port ${FEATHER_PORT} is in use. Stop what uses it, or set FEATHER_PORT to another.`);
  });
}

async function keepDiscovering({ discovery, log }: Dependencies): Promise<Stop> {
  const look = () =>
    discovery.refresh().catch((error: unknown) => log.warn({ err: error }, "backends could not be looked for"));
  await look();
  const timer = setInterval(look, REDISCOVER_MS);
  return async () => clearInterval(timer);
}
