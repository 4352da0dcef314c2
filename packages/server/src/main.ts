import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import pino from "pino";
import { createExposureReport, describeExposure, refuseInsecureStart } from "./config/exposure-report.ts";
import type { ServerSettings } from "./config/server.settings.ts";
import { readSettings } from "./config/settings.ts";
import { SettingsError } from "./core/settings.ts";
import {
  createConverter,
  createGpuQuestion,
  describeGpu,
  describeSandbox,
  describeVllm,
  detectGpu,
  detectSandbox,
  detectVllm,
  readGpus,
} from "./engine/index.ts";
import type { Platform } from "./modules.ts";
import { startPlatform } from "./start/platform.ts";
import { listenForStop } from "./start/stop-signals.ts";
import { createStops } from "./start/stops.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
/** Time limit for stopping everything besides running requests. */
const STOP_OVERHEAD_MS = 10_000;

/**
 * Starts everything in order, and stops it in reverse order on SIGTERM, on Ctrl-C, and when a later part fails to
 * start.
 */
async function main(): Promise<void> {
  const settings = readSettings(process.env, ROOT);
  refuseInsecureStart(settings);
  const engineSandbox = detectSandbox(settings.engine.sandbox);
  const vllm = detectVllm(settings.engine.vllm, process.env.PATH, await readGpus());
  const engineGpu = await detectGpu(settings.engine.gpu, {
    isVllmOn: vllm.state === "on",
    ask: createGpuQuestion(engineSandbox),
  });
  const log = pino({ level: settings.server.logLevel }, pino.destination(2));
  const converter = createConverter(settings.engine.ggufConverter, {
    ...{ path: process.env.PATH, sandbox: engineSandbox, log },
    hidden: [resolve(settings.storage.dataDir), join(ROOT, "feather.config.yaml"), join(ROOT, ".env")],
  });
  const signals = listenForStop(process, () => performance.now());
  const stops = createStops();
  let exitCode = 0;
  const onDatabaseLost = (error: Error) => {
    log.error({ err: error }, "another server has the database; this one stops");
    exitCode = 1;
    signals.request();
  };
  try {
    const starting = startPlatform({
      settings,
      engineSandbox,
      engineGpu,
      converter,
      vllm,
      log,
      root: ROOT,
      stops,
      requested: signals.requested,
      report,
      reportReady,
      onDatabaseLost,
    });
    await Promise.race([starting, waitForAbort(signals.forced)]);
    await waitForAbort(signals.requested);
  } catch (error) {
    if (!signals.requested.aborted) {
      await stops.stopAll(signals.forced);
      throw error;
    }
  }
  setTimeout(signals.force, stopLimitMs(settings.server)).unref();
  await stops.stopAll(signals.forced);
  process.exit(signals.forced.aborted ? 1 : exitCode);
}

/** Milliseconds after which stopping is forced. */
function stopLimitMs({ shutdownDelaySeconds, drainTimeoutSeconds }: ServerSettings): number {
  return (shutdownDelaySeconds + drainTimeoutSeconds) * 1000 + STOP_OVERHEAD_MS;
}

function waitForAbort(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

function reportReady(
  { settings, engineSandbox, engineGpu, vllm, publicUrl, productName }: Platform,
  setupToken: string | null,
): void {
  report(`${productName} is ready: ${publicUrl}`);
  for (const line of describeExposure(createExposureReport(settings))) report(line);
  report(describeSandbox(engineSandbox));
  for (const line of [describeGpu(settings.engine.gpu, engineGpu), describeVllm(vllm)]) if (line !== null) report(line);
  if (setupToken !== null)
    report(`Make the first admin (this link works once, for an hour): ${publicUrl}/register?setup=${setupToken}`);
}

function report(text: string): void {
  process.stdout.write(`${text}\n`);
}

/**
 * Prints the message of an error, or its stack if it is a programming error, and exits: 2 for invalid settings,
 * otherwise 1.
 */
function exitWithError(error: unknown): void {
  const isUnexpected = error instanceof TypeError || error instanceof ReferenceError || !(error instanceof Error);
  process.stderr.write(
    `${isUnexpected && error instanceof Error ? error.stack : error instanceof Error ? error.message : String(error)}\n`,
  );
  process.exit(error instanceof SettingsError ? 2 : 1);
}

main().catch(exitWithError);
