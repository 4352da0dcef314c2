import { readGpus } from "./graphics-cards.ts";
import type { DetectOptions, RuntimeState } from "./runtime.ts";
import { RUNTIMES, type RuntimeName } from "./runtime-list.ts";
import { mapRuntimes } from "./runtimes.ts";

/** Whether and how each runtime runs on this machine. */
export type RuntimeStates = Readonly<Record<RuntimeName, RuntimeState>>;

/** The runtimes of a machine without a graphics card, on which nothing is installed besides the server. */
export const RUNTIMES_WITHOUT_GPU: RuntimeStates = mapRuntimes((runtime) => runtime.withoutGpu);

/**
 * Finds out which runtimes run on this machine, first those that take their memory from a graphics card alone, because the
 * others leave the card to them. Throws a SettingsError for an invalid setting.
 */
export async function detectRuntimes(
  options: Omit<DetectOptions, "gpus" | "gpuUser">,
  listGpus = readGpus,
): Promise<RuntimeStates> {
  const gpus = await listGpus();
  let states = RUNTIMES_WITHOUT_GPU;
  let gpuUser: string | null = null;
  for (const runtime of RUNTIMES.toSorted((a, b) => Number(b.memory === "gpu") - Number(a.memory === "gpu"))) {
    const state = await runtime.detect({ ...options, gpus, gpuUser });
    states = { ...states, [runtime.name]: state };
    if (runtime.memory === "gpu" && !("unavailable" in state)) gpuUser ??= runtime.title;
  }
  return states;
}

/** Returns the lines about runtimes that operators see at each start. */
export function describeRuntimes(states: RuntimeStates): string[] {
  return RUNTIMES.flatMap(({ name }) => states[name].notice ?? []);
}
