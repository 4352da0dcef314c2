import { createExposureReport, describeExposure, refuseInsecureStart } from "./config/exposure-report.ts";
import { readSettings } from "./config/settings.ts";
import {
  createGpuQuestion,
  describeGpu,
  describeSandbox,
  describeVllm,
  detectGpu,
  detectSandbox,
  detectVllm,
  readGpus,
} from "./hosting/runtimes/index.ts";
import type { Modules } from "./modules.ts";
import { exitWithError, ROOT, runServer } from "./start/run-server.ts";

async function main(): Promise<never> {
  const settings = readSettings(process.env, ROOT);
  refuseInsecureStart(settings);
  const engineSandbox = detectSandbox(settings.engine.sandbox);
  const vllm = detectVllm(settings.engine.vllm, process.env.PATH, await readGpus());
  const engineGpu = await detectGpu(settings.engine.gpu, {
    isVllmOn: vllm.state === "on",
    ask: createGpuQuestion(engineSandbox),
  });
  return runServer({ settings, engineSandbox, engineGpu, vllm, worker: null, report, reportReady });
}

function reportReady(
  { settings, engineSandbox, engineGpu, vllm, publicUrl, productName }: Modules,
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

main().catch(exitWithError);
