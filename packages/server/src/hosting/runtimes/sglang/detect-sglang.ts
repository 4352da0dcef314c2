import { SettingsError } from "../../../platform/core/settings.ts";
import { findCommand } from "../processes/find-command.ts";
import type { DetectOptions, RuntimeState } from "../runtime.ts";

const COMMAND = "sglang";

/**
 * Looks for SGLang and a graphics card that no other runtime takes for itself. Throws a SettingsError if the setting names a
 * missing command.
 */
export function detectSglang({
  settings: { sglang: setting },
  path,
  gpus: [gpu],
  gpuUser,
}: Pick<DetectOptions, "settings" | "path" | "gpus" | "gpuUser">): RuntimeState {
  if (setting === "off") return { unavailable: "FEATHER_SGLANG is off.", notice: null };
  const command = findCommand(setting ?? COMMAND, path ?? "");
  if (command === null) {
    if (setting !== undefined) throw new SettingsError(`FEATHER_SGLANG names ${setting}, which is no command.`);
    const unavailable = "SGLang is not installed: there is no command sglang, and FEATHER_SGLANG names none.";
    return { unavailable, notice: null };
  }
  if (!gpu) return unused("SGLang is installed, but nvidia-smi lists no graphics card.");
  if (gpuUser !== null) return unused(`SGLang is installed, but ${gpuUser} uses the graphics card.`);
  return {
    command,
    gpu: { state: "on", type: "cuda", devices: [gpu.name], totalBytes: gpu.totalBytes },
    notice: `Models in safetensors files run with SGLang (${command}) on ${gpu.name}.`,
  };
}

const unused = (reason: string): RuntimeState => ({ unavailable: reason, notice: reason });
