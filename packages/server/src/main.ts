import { createExposureReport, describeExposure } from "./config/exposure-report.ts";
import { readStartSettings } from "./config/settings.ts";
import { describeRuntimes, describeSandbox, detectRuntimes, detectSandbox } from "./hosting/runtimes/index.ts";
import type { Modules } from "./modules.ts";
import { exitWithError, ROOT, runServer } from "./start/run-server.ts";

async function main(): Promise<never> {
  const { engine } = readStartSettings(process.env, ROOT);
  const engineSandbox = detectSandbox(engine.sandbox);
  const runtimeStates = await detectRuntimes({ settings: engine, sandbox: engineSandbox, path: process.env.PATH });
  return runServer({ engineSandbox, runtimeStates, worker: null, report, reportReady });
}

function reportReady(
  { settings, engineSandbox, runtimeStates, publicUrl, productName }: Modules,
  setupToken: string | null,
): void {
  report(`${productName} is ready: ${publicUrl}`);
  for (const line of describeExposure(createExposureReport(settings))) report(line);
  report(describeSandbox(engineSandbox));
  for (const line of describeRuntimes(runtimeStates)) report(line);
  if (setupToken !== null)
    report(`Make the first admin (this link works once, for an hour): ${publicUrl}/register?setup=${setupToken}`);
}

function report(text: string): void {
  process.stdout.write(`${text}\n`);
}

main().catch(exitWithError);
