import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { FastifyInstance } from "fastify";
import pino, { type Logger } from "pino";
import { describeExposure, exposureReport, refuseInsecureStart } from "./config/exposure-report.ts";
import { installationSecret } from "./config/secret.ts";
import { readSettings, type Settings, SettingsError } from "./config/settings.ts";
import { connectDatabase } from "./db/connect.ts";
import { startEmbeddedPostgres } from "./db/embedded.ts";
import { migrate } from "./db/migrate.ts";
import { seed } from "./db/seed/seed.ts";
import { createDependencies, type Dependencies } from "./dependencies.ts";
import { BUILT_IN_MODELS } from "./engine/built-in-models.ts";
import { startJobs } from "./jobs/jobs.ts";
import { createServer } from "./server.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const REDISCOVER = 30_000;
const IDLE_CHECK = 100;
/** What is told to callers at the very end takes this long to arrive. */
const LAST_WORDS = 1_000;
const REST_OF_STOP = 5_000;

type Stop = () => Promise<void>;

/** Starts everything in order, says where it is, and stops it in the opposite order: on SIGTERM, on Ctrl-C, and when a later part fails to start. */
async function main(): Promise<void> {
  const settings = readSettings(process.env, ROOT);
  refuseInsecureStart(settings);
  const log = pino({ level: settings.FEATHER_LOG_LEVEL }, pino.destination(2));
  const stops: Stop[] = [];
  const stopAll = async () => {
    for (const stop of stops.reverse()) await stop();
  };
  try {
    const deps = await openPlatform(settings, log, stops);
    await sayReady(deps);
  } catch (error) {
    await stopAll();
    throw error;
  }
  let stopping = false;
  const onSignal = () => {
    if (stopping) process.exit(1); // asked twice: at once
    stopping = true;
    setTimeout(() => process.exit(1), settings.FEATHER_DRAIN_TIMEOUT * 1000 + REST_OF_STOP).unref();
    stopAll().then(
      () => process.exit(0),
      (error: unknown) => fail(error),
    );
  };
  process.on("SIGTERM", onSignal);
  process.on("SIGINT", onSignal);
}

/** Database, then server, then engine and backends; what stops each of them goes on `stops`. */
async function openPlatform(settings: Settings, log: Logger, stops: Stop[]): Promise<Dependencies> {
  const database = await openDatabase(settings, log, stops);
  await migrate(database.pool);
  await seed(database.db, BUILT_IN_MODELS);
  const dataDir = resolve(ROOT, settings.FEATHER_DATA_DIR);
  const secret = installationSecret(settings.FEATHER_SECRET, dataDir);
  const deps = createDependencies({ db: database.db, settings, log, secret });
  stops.push(deps.registry.close);
  stops.push(deps.hosting.stop);
  stops.push(deps.privateCloud.stop);
  const server = await createServer(deps);
  await listen(server, settings);
  stops.push(() => drain(server, deps));
  await deps.hosting.start();
  await deps.privateCloud.start();
  stops.push(startJobs(deps.jobs, log));
  stops.push(await keepDiscovering(deps));
  return deps;
}

async function openDatabase(settings: Settings, log: Logger, stops: Stop[]) {
  const onConnectionError = (error: Error) => log.warn({ err: error }, "a connection to the database broke");
  const options = { maxConnections: 20, onConnectionError };
  if (settings.DATABASE_URL !== undefined) {
    const database = connectDatabase({ connectionString: settings.DATABASE_URL }, options);
    stops.push(database.close);
    return database;
  }
  const postgres = await startEmbeddedPostgres({ dataDir: resolve(ROOT, settings.FEATHER_DATA_DIR), log });
  stops.push(postgres.stop);
  const database = connectDatabase(postgres.connection, options);
  stops.push(database.close);
  return database;
}

async function listen(server: FastifyInstance, { FEATHER_PORT, FEATHER_HOST }: Settings): Promise<void> {
  await server.listen({ port: FEATHER_PORT, host: FEATHER_HOST }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EADDRINUSE") throw error;
    throw new Error(`Port ${FEATHER_PORT} is in use. Stop what uses it, or set FEATHER_PORT to another.`);
  });
}

/** No new work; what runs may finish for a while, and is told when it may not; then everything is written down. */
async function drain(server: FastifyInstance, deps: Dependencies): Promise<void> {
  const { lifecycle, running, settings, usage, refusals } = deps;
  lifecycle.draining = true;
  const closed = server.close();
  // Connections whose last answer ended after the close would stay open for a next one.
  const idle = setInterval(() => server.server.closeIdleConnections(), IDLE_CHECK);
  const limit = setTimeout(() => {
    running.interrupt();
    setTimeout(() => server.server.closeAllConnections(), LAST_WORDS).unref();
  }, settings.FEATHER_DRAIN_TIMEOUT * 1000);
  await closed;
  clearInterval(idle);
  clearTimeout(limit);
  await Promise.all([usage.flush(), refusals.flush()]);
}

async function keepDiscovering({ discovery, log }: Dependencies): Promise<Stop> {
  const look = () =>
    discovery.refresh().catch((error: unknown) => log.warn({ err: error }, "backends could not be looked for"));
  await look();
  const timer = setInterval(look, REDISCOVER);
  return async () => clearInterval(timer);
}

async function sayReady({ settings, identity, publicUrl }: Dependencies): Promise<void> {
  const { FEATHER_ADMIN_EMAIL: email, FEATHER_ADMIN_PASSWORD: password } = settings;
  if (email !== undefined && password !== undefined) await identity.ensureAdmin(email, password);
  const token = await identity.openSetup();
  say(`${settings.FEATHER_PRODUCT_NAME} is ready: ${publicUrl}`);
  for (const line of describeExposure(exposureReport(settings))) say(line);
  if (token) say(`Make the first admin (this link works once, for an hour): ${publicUrl}/register?setup=${token}`);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Says why in a sentence; the stack only of errors that are not meant for the operator. */
function fail(error: unknown): void {
  const unforeseen = error instanceof TypeError || error instanceof ReferenceError || !(error instanceof Error);
  process.stderr.write(
    `${unforeseen && error instanceof Error ? error.stack : error instanceof Error ? error.message : String(error)}\n`,
  );
  process.exit(error instanceof SettingsError ? 2 : 1);
}

main().catch(fail);
