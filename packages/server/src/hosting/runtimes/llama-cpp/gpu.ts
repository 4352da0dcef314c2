import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { DEMO_MODEL_FILE } from "../built-in-models.ts";
import type { EngineSettings } from "../engine.settings.ts";
import { ENGINE_BINARY } from "../engine-files.ts";
import { chooseEngineAccount, createEngineEnvironment, withLimits } from "../processes/confinement.ts";
import { type GpuType, listGpuFiles, withDeviceGroup } from "../processes/gpu-files.ts";
import { type EngineSandbox, PACKAGES_FOLDER, withSandbox } from "../processes/sandbox.ts";
import type { EngineGpu } from "../runtime.ts";
import { createEngineLog } from "./engine-log.ts";

type Machine = { platform: NodeJS.Platform; arch: string; packagesFolder: string };
type Detection = {
  /** The runtime that takes the graphics card for itself, as sentences name it; null if none does. */
  gpuUser: string | null;
  machine?: Machine;
  /** Asks the engine which cards it can use with an API. */
  ask: (type: GpuType) => Promise<GpuAnswer>;
};
/** The cards that the engine can use, and their total memory in bytes. */
export type GpuAnswer = { devices: readonly string[]; totalBytes: number };

const THIS_MACHINE: Machine = { platform: process.platform, arch: process.arch, packagesFolder: PACKAGES_FOLDER };
const TIME_LIMIT_MS = 60_000;

/** Determines how llama.cpp uses a graphics card here. Starts no process if no bindings for one are installed. */
export async function detectGpu(
  setting: EngineSettings["gpu"],
  { gpuUser, machine = THIS_MACHINE, ask }: Detection,
): Promise<EngineGpu> {
  if (setting === "off") return { state: "off", reason: "FEATHER_GPU is off." };
  if (setting === "auto" && gpuUser !== null) return { state: "off", reason: `${gpuUser} uses the graphics card.` };
  const installed = listInstalled(machine).filter((type) => setting === "auto" || type === setting);
  if (installed.length === 0) {
    const reason = "No bindings of llama.cpp for a graphics card of this machine are installed.";
    return { state: "off", reason };
  }
  const problems: string[] = [];
  for (const type of installed) {
    try {
      const answer = await ask(type);
      if (answer.devices.length > 0) return { state: "on", type, ...answer };
      problems.push(`llama.cpp finds no graphics card for ${type}.`);
    } catch (error) {
      problems.push(`llama.cpp could not be asked for ${type}: ${error instanceof Error ? error.message : error}`);
    }
  }
  return { state: "off", reason: problems.join(" ") };
}

/** Returns the API by which a graphics card is used; undefined for the processor alone. */
export function gpuTypeOf(gpu: EngineGpu): GpuType | undefined {
  return gpu.state === "on" ? gpu.type : undefined;
}

/** Returns the line about the graphics card that operators see at each start; null where nothing is installed for one. */
export function describeGpu(setting: EngineSettings["gpu"], gpu: EngineGpu): string | null {
  if (gpu.state === "on") return `Models in GGUF files run on ${gpu.devices.join(", ")} by ${gpu.type}.`;
  const isExpected = setting === "auto" && listInstalled(THIS_MACHINE).length === 0;
  return isExpected || setting === "off" ? null : `Models in GGUF files run on the processor. ${gpu.reason}`;
}

/** Returns the APIs for which bindings are installed, the fastest first. */
function listInstalled({ platform, arch, packagesFolder }: Machine): GpuType[] {
  if (platform === "darwin" && arch === "arm64") return ["metal"];
  if (platform !== "linux" || arch !== "x64") return [];
  const types: readonly GpuType[] = ["cuda", "vulkan"];
  return types.filter((type) => existsSync(join(packagesFolder, "@node-llama-cpp", `linux-x64-${type}`)));
}

/**
 * Returns a function that asks the engine, in the sandbox if there is one, which cards it can use. The engine computes a
 * token of the demonstration model on them, since a card may be listed although its driver cannot run llama.cpp's code.
 */
export function createGpuQuestion(sandbox: EngineSandbox): (type: GpuType) => Promise<GpuAnswer> {
  const trial = existsSync(DEMO_MODEL_FILE) ? [DEMO_MODEL_FILE] : [];
  return async (type) => {
    const engine = [ENGINE_BINARY, "gpu", type, ...trial];
    const gpu = listGpuFiles(type);
    const files = { readable: trial, writable: [], gpu };
    const [command, args] = withLimits(
      ...(sandbox.state === "on"
        ? withSandbox(process.execPath, engine, files)
        : ([process.execPath, engine] as const)),
    );
    const account = withDeviceGroup(chooseEngineAccount([process.execPath, ENGINE_BINARY]), gpu.devices);
    const options = {
      ...account,
      cwd: "/",
      env: createEngineEnvironment("/tmp", { gpu: true }),
      timeout: TIME_LIMIT_MS,
    };
    return parseAnswer(await readOutput(command, args, options));
  };
}

function readOutput(command: string, args: readonly string[], options: object): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(command, args, { ...options, encoding: "utf8" }, (error, stdout, stderr) =>
      error ? reject(new Error(findReason(stderr) || error.message)) : resolve(stdout),
    );
  });
}

function findReason(stderr: string): string {
  const log = createEngineLog();
  for (const line of stderr.split("\n")) if (line.trim() !== "") log.add(line);
  return log.lastWords();
}

function parseAnswer(text: string): GpuAnswer {
  const { devices, total_bytes: totalBytes } = JSON.parse(text) as { devices?: unknown; total_bytes?: unknown };
  if (!Array.isArray(devices) || typeof totalBytes !== "number") throw new Error(`it answered ${text.slice(0, 200)}`);
  return { devices: devices.map(String), totalBytes };
}
