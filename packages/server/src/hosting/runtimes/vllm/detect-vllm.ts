import { SettingsError } from "../../../platform/core/settings.ts";
import type { EngineSettings } from "../engine.settings.ts";
import type { Gpu } from "../graphics-cards.ts";
import { findCommand } from "../processes/find-command.ts";
import type { RuntimeState } from "../runtime.ts";

const COMMAND = "vllm";

/** Whether vLLM can run models in safetensors files here; if not, why. */
export type VllmState =
  | { state: "on"; command: string; gpu: Gpu }
  | { state: "off" | "not_installed" | "no_gpu"; reason: string };

/** Looks for vLLM and a graphics card. Throws a SettingsError if the setting names a missing command. */
export function detectVllm(
  setting: EngineSettings["vllm"],
  path: string | undefined,
  [gpu]: readonly Gpu[],
): VllmState {
  if (setting === "off") return { state: "off", reason: "FEATHER_VLLM is off." };
  const command = findCommand(setting ?? COMMAND, path ?? "");
  if (command === null) {
    if (setting !== undefined) throw new SettingsError(`FEATHER_VLLM names ${setting}, which is no command.`);
    return {
      state: "not_installed",
      reason: "vLLM is not installed: there is no command vllm, and FEATHER_VLLM names none.",
    };
  }
  if (!gpu) return { state: "no_gpu", reason: "vLLM is installed, but nvidia-smi lists no graphics card." };
  return { state: "on", command, gpu };
}

/** Returns the line about vLLM that operators see at each start; null where it is not installed. */
export function describeVllm(vllm: VllmState): string | null {
  if (vllm.state === "on") return `Models in safetensors files run with vLLM (${vllm.command}) on ${vllm.gpu.name}.`;
  return vllm.state === "no_gpu" ? vllm.reason : null;
}

/** Returns a state in the form of all runtimes. */
export function toRuntimeState(vllm: VllmState): RuntimeState {
  const notice = describeVllm(vllm);
  if (vllm.state !== "on") return { unavailable: vllm.reason, notice };
  const { command, gpu } = vllm;
  return { command, gpu: { state: "on", type: "cuda", devices: [gpu.name], totalBytes: gpu.totalBytes }, notice };
}
