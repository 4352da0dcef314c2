import { fileURLToPath } from "node:url";
import pino from "pino";
import { describeExposure, exposureReport, refuseInsecureStart } from "./config/exposure-report.ts";
import { readSettings, type Settings, SettingsError } from "./config/settings.ts";
import type { Dependencies } from "./dependencies.ts";
import { describeSandbox, findSandbox } from "./engine/sandbox.ts";
import { openPlatform } from "./start/platform.ts";
import { listenForStop } from "./start/stop-signals.ts";
import { createStops } from "./start/stops.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
/** Time limit for stopping everything besides running requests. */
const REST_OF_STOP_MS = 10_000;

/**
 * Starts everything in order, and stops it in reverse order on SIGTERM, on Ctrl-C, and when a later part fails to
 * start.
 */
async function main(): Promise<void> {
  const settings = readSettings(process.env, ROOT);
  refuseInsecureStart(settings);
  const engineSandbox = findSandbox(settings.FEATHER_ENGINE_SANDBOX);
  const log = pino({ level: settings.FEATHER_LOG_LEVEL }, pino.destination(2));
  const signals = listenForStop(process, () => performance.now());
  const stops = createStops();
  let exitCode = 0;
  const onDatabaseLost = (error: Error) => {
    log.error({ err: error }, "another server has the database; this one stops");
    exitCode = 1;
    signals.request();
  };
  try {
    const opening = openPlatform({
      settings,
      engineSandbox,
      log,
      root: ROOT,
      stops,
      requested: signals.requested,
      say,
      onDatabaseLost,
    });
    const deps = await Promise.race([opening, aborted(signals.forced)]);
    if (deps) await sayReady(deps);
    await aborted(signals.requested);
  } catch (error) {
    if (!signals.requested.aborted) {
      await stops.run(signals.forced);
      throw error;
    }
  }
  setTimeout(signals.force, stopLimitMs(settings)).unref();
  await stops.run(signals.forced);
  process.exit(signals.forced.aborted ? 1 : exitCode);
}

/** Milliseconds after which stopping is forced. */
function stopLimitMs({ FEATHER_SHUTDOWN_DELAY, FEATHER_DRAIN_TIMEOUT }: Settings): number {
  return (FEATHER_SHUTDOWN_DELAY + FEATHER_DRAIN_TIMEOUT) * 1000 + REST_OF_STOP_MS;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

async function sayReady({ settings, engineSandbox, identity, publicUrl }: Dependencies): Promise<void> {
  const token = await identity.openSetup();
  say(`${settings.FEATHER_PRODUCT_NAME} is ready: ${publicUrl}`);
  for (const line of describeExposure(exposureReport(settings))) say(line);
  say(describeSandbox(engineSandbox));
  if (token) say(`Make the first admin (this link works once, for an hour): ${publicUrl}/register?setup=${token}`);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

/**
 * Prints the message of an error, or its stack if it is a programming error, and exits: 2 for invalid settings,
 * otherwise 1.
 */
function fail(error: unknown): void {
  const unforeseen = error instanceof TypeError || error instanceof ReferenceError || !(error instanceof Error);
  process.stderr.write(
    `${unforeseen && error instanceof Error ? error.stack : error instanceof Error ? error.message : String(error)}\n`,
  );
  process.exit(error instanceof SettingsError ? 2 : 1);
}

main().catch(fail);
