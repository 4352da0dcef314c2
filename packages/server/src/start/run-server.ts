import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { ServerSettings } from "../config/server.settings.ts";
import type { Settings } from "../config/settings.ts";
import { createConverter, type EngineSandbox, listServerFiles, type RuntimeStates } from "../hosting/runtimes/index.ts";
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
  settings: Settings;
  engineSandbox: EngineSandbox;
  runtimeStates: RuntimeStates;
  /** The data of a worker; null for the main process. */
  worker: WorkerPlace | null;
  /** Called with the name of the next step of the start. */
  report(text: string): void;
  /** Called when the server is ready, with the token of a set-up link if there is no admin. */
  reportReady(platform: Modules, setupToken: string | null): void;
};

/**
 * Starts all parts in order, and stops them in reverse order on SIGTERM, on Ctrl-C, and if a later part fails to start. A
 * worker also stops at once when the main process has ended. Exits the process; rejects if the start failed.
 */
export async function runServer({ worker, ...known }: Process): Promise<never> {
  const { settings, engineSandbox } = known;
  const log = await createLog(settings.server, openStandardError(process));
  const converter = createConverter(settings.engine.ggufConverter, {
    path: process.env.PATH,
    sandbox: engineSandbox,
    log,
    hidden: listServerFiles(resolve(settings.storage.dataDir)),
  });
  const signals = listenForStop(process, () => performance.now());
  const stops = createStops();
  let exitCode = 0;
  const onDatabaseLost = (error: Error) => {
    log.error({ err: error }, "another server has the database; this one stops");
    exitCode = 1;
    signals.request();
  };
  if (worker !== null)
    process.once("disconnect", () => {
      signals.request();
      signals.force();
    });
  const { requested } = signals;
  try {
    const starting = startPlatform({ ...known, worker, converter, log, root: ROOT, stops, requested, onDatabaseLost });
    await Promise.race([starting, waitForAbort(signals.forced)]);
    await waitForAbort(requested);
  } catch (error) {
    if (!requested.aborted) {
      await stops.stopAll(signals.forced);
      throw error;
    }
  }
  setTimeout(signals.force, stopLimitMs(settings.server)).unref();
  await stops.stopAll(signals.forced);
  process.exit(signals.forced.aborted ? 1 : exitCode);
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
