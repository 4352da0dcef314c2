import type { IsKnownArchitecture, RuntimeName, StartEngine } from "../../engine/index.ts";
import type { MemoryBudget } from "./memory-budget.ts";
import type { HostedModel } from "./slot.ts";

/** A program that runs models on this machine, each in a process of its own. */
export type Runtime = {
  start: StartEngine;
  /** The memory that its models share: that of this machine, or of the graphics card. */
  memory: MemoryBudget;
  /** What that memory is, for sentences. */
  memoryName: "memory" | "GPU memory" | "memory and GPU memory";
  /** The setting that gives its models more memory. */
  memorySetting: "FEATHER_MODEL_MEMORY" | "FEATHER_GPU_MEMORY";
};

/** How vLLM is started, and the bytes of memory that the graphics card has; or in a sentence why it is not there. */
export type VllmPort =
  | { start: StartEngine; isKnownArchitecture: IsKnownArchitecture; gpuName: string; gpuBytes: number }
  | { unavailable: string };

/** The programs that run models on a machine. One that is not there says in a sentence why. */
type RuntimesOf<R> = { "llama.cpp": R; vllm: R | { unavailable: string } };
/** The programs that run models here. */
export type Runtimes = RuntimesOf<Runtime>;
/** The memory of the programs that run models on a machine, which may be another. */
export type RuntimeLimits = RuntimesOf<Pick<Runtime, "memoryName"> & { memory: { budget: number } }>;

/** Returns what runs a model; null if that is not there. */
export function findRuntime<R extends object>(
  runtimes: RuntimesOf<R>,
  { runtime = "llama.cpp" }: Pick<HostedModel, "runtime">,
): R | null {
  const found = runtimes[runtime];
  return "unavailable" in found ? null : found;
}

/** Returns why a model cannot run here, if its program is not there; null otherwise. */
export function explainMissingRuntime(
  runtimes: RuntimeLimits,
  { runtime = "llama.cpp" }: Pick<HostedModel, "runtime">,
) {
  const found = runtimes[runtime];
  return "unavailable" in found ? found.unavailable : null;
}

/** Returns the programs that are there. */
export function listRuntimes(runtimes: Runtimes): { name: RuntimeName; runtime: Runtime }[] {
  const { vllm } = runtimes;
  const engine = { name: "llama.cpp" as const, runtime: runtimes["llama.cpp"] };
  return "unavailable" in vllm ? [engine] : [engine, { name: "vllm", runtime: vllm }];
}
