import { execFile } from "node:child_process";
import { SettingsError } from "../../../platform/core/settings.ts";
import type { EngineSettings } from "../engine.settings.ts";
import { findCommand } from "../processes/find-command.ts";
import type { GpuType } from "../processes/gpu-files.ts";
import type { DetectOptions, EngineGpu, RuntimeState } from "../runtime.ts";
import { createLlamaServerEnvironment } from "./llama-server-environment.ts";

const COMMAND = "llama-server";
const TIME_LIMIT_MS = 60_000;
const BYTES_PER_MEBIBYTE = 1024 * 1024;
/** Matches a graphics card in the list, such as `  CUDA0: NVIDIA L4 (22695 MiB, 22503 MiB free)`. */
const DEVICE = /^\s*(CUDA|Vulkan|MTL|Metal)\d*: (.+?) \((\d+) MiB, \d+ MiB free\)\s*$/i;
const TYPES: Readonly<Record<string, GpuType>> = { cuda: "cuda", vulkan: "vulkan", mtl: "metal", metal: "metal" };

type Options = Pick<DetectOptions, "settings" | "path" | "gpuUser">;

/** Looks for llama-server, and asks it for graphics cards. Throws a SettingsError if the setting names a missing command. */
export async function detectLlamaServer({
  settings: { llamaServer: setting, gpu },
  path,
  gpuUser,
}: Options): Promise<RuntimeState> {
  if (setting === "off") return { unavailable: "FEATHER_LLAMA_SERVER is off.", notice: null };
  const command = findCommand(setting ?? COMMAND, path ?? "");
  if (command === null) {
    if (setting !== undefined) throw new SettingsError(`FEATHER_LLAMA_SERVER names ${setting}, which is no command.`);
    const unavailable =
      "llama-server is not installed: there is no command llama-server, and FEATHER_LLAMA_SERVER names none.";
    return { unavailable, notice: null };
  }
  return { command, gpu: await detectCards(command, gpu, gpuUser), notice: describe(command) };
}

function describe(command: string): string {
  return `Models in GGUF files that read images, rank texts, or are new to the engine run with llama-server (${command}).`;
}

async function detectCards(
  command: string,
  setting: EngineSettings["gpu"],
  gpuUser: string | null,
): Promise<EngineGpu> {
  if (setting === "off") return { state: "off", reason: "FEATHER_GPU is off." };
  if (setting === "auto" && gpuUser !== null) return { state: "off", reason: `${gpuUser} uses the graphics card.` };
  const cards = parseCards(await listDevices(command)).filter(({ type }) => setting === "auto" || type === setting);
  const [first] = cards;
  if (!first) return { state: "off", reason: "llama-server lists no graphics card." };
  const used = cards.filter(({ type }) => type === first.type);
  const totalBytes = used.reduce((sum, card) => sum + card.bytes, 0);
  return { state: "on", type: first.type, devices: used.map(({ name }) => name), totalBytes };
}

/** Returns what llama-server prints about its devices; empty if it cannot be asked. Never rejects. */
function listDevices(command: string): Promise<string> {
  const options = { env: createLlamaServerEnvironment("/tmp", { gpu: true }), timeout: TIME_LIMIT_MS } as const;
  return new Promise((resolve) => {
    execFile(command, ["--list-devices"], options, (_error, stdout) => resolve(stdout));
  });
}

/** Parses the list of devices of llama-server, with memory in bytes. Other lines are left out. */
export function parseCards(text: string): { type: GpuType; name: string; bytes: number }[] {
  return text.split("\n").flatMap((line) => {
    const [, api = "", name = "", mebibytes] = DEVICE.exec(line) ?? [];
    const type = TYPES[api.toLowerCase()];
    return type === undefined ? [] : [{ type, name, bytes: Number(mebibytes) * BYTES_PER_MEBIBYTE }];
  });
}
