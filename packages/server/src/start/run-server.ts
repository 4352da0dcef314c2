import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Logger } from "pino";
import type { ServerSettings } from "../config/server.settings.ts";
import { readStartSettings } from "../config/settings.ts";
import {
  createConverter,
  type EngineSandbox,
  type GgufConverter,
  listServerFiles,
  type RuntimeStates,
} from "../hosting/runtimes/index.ts";
import type { Modules } from "../modules.ts";
import { messageOf } from "../platform/core/errors/message-of.ts";
import { SettingsError } from "../platform/core/settings.ts";
import { createLog, openStandardError } from "./log.ts";
import type { WorkerPlace } from "./place.ts";
import { startPlatform } from "./platform.ts";
import { listenForStop } from "./stop-signals.ts";
import { createStops } from "./stops.ts";

/** The folder of the settings file and of relative paths in settings. */
export const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));
/** Time limit for stopping everything besides running requests. */
const STOP_OVERHEAD_MS = 10_000;

/** The values that are known before a server starts. */
type Process = {
  engineSandbox: EngineSandbox;
  runtimeStates: RuntimeStates;
  /** The data of a worker; null for the main process. */
  worker: WorkerPlace | null;
  /** Called with the name of the next step of the start. */
  report(text: string): void;
  /** Called when the server is ready, with the token of a set-up link if there is no admin. */
  reportReady(platform: Modules, setupToken: string | null): void;
};

/** What is needed for each start, and stays. */
type Kept = { log: Logger; converter: GgufConverter };

/**
 * Starts all parts in order, and stops them in reverse order on SIGTERM, on Ctrl-C, and if a later part fails to start. A
 * worker also stops at once when the main process has ended. When an admin starts the server again, the main process stops all
 * parts and reads the settings anew. Exits the process; rejects if the start failed.
 */
export async function runServer(known: Process): Promise<never> {
  const settings = readStartSettings(process.env, ROOT);
  const log = await createLog(settings.server, openStandardError(process));
  const converter = createConverter(settings.engine.ggufConverter, {
    path: process.env.PATH,
    sandbox: known.engineSandbox,
    log,
    hidden: listServerFiles(resolve(settings.storage.dataDir)),
  });
  for (;;) {
    const exitCode = await runOnce(known, { log, converter });
    if (exitCode !== "restart") process.exit(exitCode);
    log.info("the server starts again");
  }
}

/** Starts the server, and waits until it has stopped. Returns the exit code, or that it has to start again. */
async function runOnce({ worker, ...known }: Process, { log, converter }: Kept): Promise<number | "restart"> {
  const settings = readStartSettings(process.env, ROOT);
  const signals = listenForStop(process, () => performance.now());
  const stops = createStops();
  const exit: { how: number | "restart" } = { how: 0 };
  const end = (how: number | "restart") => {
    if (exit.how === 0) exit.how = how;
    signals.request();
  };
  const onDatabaseLost = (error: Error) => {
    log.error({ err: error }, "another server has the database; this one stops");
    end(1);
  };
  const restart = settings.server.replicaAddress === undefined ? (worker?.onRestart ?? (() => end("restart"))) : null;
  const onDisconnect = () => {
    signals.request();
    signals.force();
  };
  if (worker !== null) process.once("disconnect", onDisconnect);
  const { requested } = signals;
  const options = { settings, env: process.env, root: ROOT, log, converter, stops, requested, onDatabaseLost, restart };
  try {
    await Promise.race([startPlatform({ ...known, ...options, worker }), waitForAbort(signals.forced)]);
    await waitForAbort(requested);
  } catch (error) {
    if (!requested.aborted) {
      await stops.stopAll(signals.forced);
      throw error;
    }
  }
  const limit = setTimeout(signals.force, stopLimitMs(settings.server)).unref();
  await stops.stopAll(signals.forced);
  clearTimeout(limit);
  signals.close();
  if (signals.forced.aborted) return 1;
  // Whoever stops a server that starts again wants it to end.
  return exit.how === "restart" && signals.hasSignal() ? 0 : exit.how;
}

/** Returns the milliseconds after which stopping is forced. */
function stopLimitMs({ shutdownDelaySeconds, drainTimeoutSeconds }: ServerSettings): number {
  return (shutdownDelaySeconds + drainTimeoutSeconds) * 1000 + STOP_OVERHEAD_MS;
}

function waitForAbort(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/**
 * Prints the message of an error, or its stack if it is a programming error, and exits with status 2 for invalid settings,
 * otherwise 1.
 */
export function exitWithError(error: unknown): never {
  const isUnexpected = error instanceof TypeError || error instanceof ReferenceError || !(error instanceof Error);
  process.stderr.write(`${isUnexpected && error instanceof Error ? error.stack : messageOf(error)}\n`);
  process.exit(error instanceof SettingsError ? 2 : 1);
}
