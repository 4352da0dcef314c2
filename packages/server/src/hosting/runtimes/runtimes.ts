import type { HostedModel } from "./hosted-model.ts";
import type { IsKnownArchitecture } from "./llama-cpp/architecture-check.ts";
import type { MemoryBudget } from "./memory/memory-budget.ts";
import type { StartEngine } from "./processes/model-process.ts";
import { RUNTIME_NAMES, type RuntimeName, runtimeNameOf } from "./runtime-list.ts";

/** A program that runs each model on this machine in a separate process. */
export type Runtime = {
  start: StartEngine;
  /** The memory that its models share: that of this machine, that of the graphics card, or the sum of both. */
  memory: MemoryBudget;
  /** The name of that memory for sentences. */
  memoryName: "memory" | "GPU memory" | "memory and GPU memory";
  /** The setting that increases that memory. */
  memorySetting: "FEATHER_MODEL_MEMORY" | "FEATHER_GPU_MEMORY";
};

/** How vLLM is started, and the memory of the graphics card in bytes; or a sentence that says why vLLM is not available. */
export type VllmPort =
  | { start: StartEngine; isKnownArchitecture: IsKnownArchitecture; gpuName: string; gpuBytes: number }
  | { unavailable: string };

/** The programs that run models on a machine. For vLLM, a sentence may say why it is not available. */
type RuntimesOf<R> = { "llama.cpp": R; vllm: R | { unavailable: string } };
/** The programs that run models on this machine. */
export type Runtimes = RuntimesOf<Runtime>;
/** The memory of each program that runs models, on this machine or on a remote host. */
export type RuntimeLimits = RuntimesOf<Pick<Runtime, "memoryName"> & { memory: { budget: number } }>;

/** Returns the program that runs a model; null if it is not available. */
export function findRuntime<R extends object>(runtimes: RuntimesOf<R>, model: Pick<HostedModel, "runtime">): R | null {
  const found = runtimes[runtimeNameOf(model)];
  return "unavailable" in found ? null : found;
}

/** Returns why the program that a model needs is not available; null if it is. */
export function explainMissingRuntime(runtimes: RuntimeLimits, model: Pick<HostedModel, "runtime">) {
  const found = runtimes[runtimeNameOf(model)];
  return "unavailable" in found ? found.unavailable : null;
}

/** Returns the programs that are available. */
export function listRuntimes(runtimes: Runtimes): { name: RuntimeName; runtime: Runtime }[] {
  return RUNTIME_NAMES.flatMap((name) => {
    const runtime = findRuntime(runtimes, { runtime: name });
    return runtime === null ? [] : { name, runtime };
  });
}
