import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import pino, { type Logger } from "pino";
import { readSettings, type Settings, SettingsError } from "./config/settings.ts";
import { connectDatabase } from "./db/connect.ts";
import { startEmbeddedPostgres } from "./db/embedded.ts";
import { migrate } from "./db/migrate.ts";
import { seed } from "./db/seed/seed.ts";
import { createDependencies } from "./dependencies.ts";
import { DEMO_MODEL, DEMO_MODEL_FILE } from "./engine/demo-model.ts";
import { runEngine } from "./engine/engine-process.ts";
import { createServer } from "./server.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const REDISCOVER = 30_000;
const DRAIN_LIMIT = 30_000;

/** Starts everything in order, says where it is, and stops it in the opposite order on SIGTERM or Ctrl-C. */
async function main(): Promise<void> {
  const settings = readSettings(process.env, ROOT);
  const log = pino({ level: settings.FEATHER_LOG_LEVEL }, pino.destination(2));
  const { database, stopDatabase } = await openDatabase(settings, log);
  await migrate(database.pool);
  await seed(database.db, DEMO_MODEL);

  const deps = createDependencies({ db: database.db, settings, log });
  const server = await createServer(deps);
  await server
    .listen({ port: settings.FEATHER_PORT, host: settings.FEATHER_HOST })
    .catch((error: NodeJS.ErrnoException) => {
      throw error.code === "EADDRINUSE"
        ? new Error(`Port ${settings.FEATHER_PORT} is in use. Stop what uses it, or set FEATHER_PORT to another.`)
        : error;
    });

  const engine = existsSync(DEMO_MODEL_FILE)
    ? runEngine(
        { ...DEMO_MODEL, file: DEMO_MODEL_FILE },
        {
          ready: (socketPath) =>
            deps.registry.set({
              name: "engine",
              source: "engine",
              baseUrl: "http://engine/v1",
              socketPath,
              weight: 1,
              models: new Map([[DEMO_MODEL.id, DEMO_MODEL.id]]),
            }),
          gone: () => deps.registry.remove("engine"),
        },
        log,
      )
    : null;
  const rediscover = () =>
    deps.discovery.refresh().catch((error: unknown) => log.warn({ err: error }, "backends could not be looked for"));
  await rediscover();
  const timer = setInterval(rediscover, REDISCOVER);
  await sayReady(deps);

  let stopping = false;
  const stop = async () => {
    if (stopping) process.exit(1); // asked twice: at once
    stopping = true;
    deps.lifecycle.draining = true;
    clearInterval(timer);
    const deadline = setTimeout(() => process.exit(1), DRAIN_LIMIT + 5_000);
    const limit = setTimeout(() => server.server.closeAllConnections(), DRAIN_LIMIT);
    await server.close();
    clearTimeout(limit);
    await deps.usage.flush();
    await engine?.stop();
    await deps.registry.close();
    await database.close();
    await stopDatabase();
    clearTimeout(deadline);
    process.exit(0);
  };
  process.on("SIGTERM", () => void stop());
  process.on("SIGINT", () => void stop());
}

async function openDatabase(settings: Settings, log: Logger) {
  const options = {
    maxConnections: 20,
    onConnectionError: (error: Error) => log.warn({ err: error }, "a connection to the database broke"),
  };
  if (settings.DATABASE_URL !== undefined)
    return {
      database: connectDatabase({ connectionString: settings.DATABASE_URL }, options),
      stopDatabase: async () => {},
    };
  const postgres = await startEmbeddedPostgres({ dataDir: resolve(ROOT, settings.FEATHER_DATA_DIR), log });
  return { database: connectDatabase(postgres.connection, options), stopDatabase: postgres.stop };
}

async function sayReady({ settings, identity, publicUrl }: ReturnType<typeof createDependencies>): Promise<void> {
  const { FEATHER_ADMIN_EMAIL: email, FEATHER_ADMIN_PASSWORD: password } = settings;
  if (email !== undefined && password !== undefined) await identity.ensureAdmin(email, password);
  const token = await identity.openSetup();
  say(`${settings.FEATHER_PRODUCT_NAME} is ready: ${publicUrl}`);
  if (token) say(`Make the first admin (this link works once): ${publicUrl}/register?setup=${token}`);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

main().catch((error: unknown) => {
  const known =
    error instanceof SettingsError || (error instanceof Error && !("code" in error && error.name === "TypeError"));
  process.stderr.write(`${known ? (error as Error).message : String(error)}\n`);
  process.exit(error instanceof SettingsError ? 2 : 1);
});
