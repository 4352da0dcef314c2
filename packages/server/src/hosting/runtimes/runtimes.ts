import type { HostedModel } from "./hosted-model.ts";
import type { MemoryBudget } from "./memory/memory-budget.ts";
import type { StartEngine } from "./processes/model-process.ts";
import type { EngineGpu, IsKnownArchitecture, ModelFiles } from "./runtime.ts";
import { RUNTIME_NAMES, RUNTIMES, type RuntimeName, runtimeNameOf } from "./runtime-list.ts";

/** A program that runs models on this machine. */
export type Runtime = {
  /** Starts a process for a model. */
  start: StartEngine;
  /** Returns whether it knows an architecture. */
  canRun: IsKnownArchitecture;
  gpu: EngineGpu;
  /** The memory that its models share with those of other runtimes which use the same memory. */
  memory: MemoryBudget;
  /** The name of that memory for sentences, such as `GPU memory`. */
  memoryName: string;
  /** The setting that increases that memory. */
  memorySetting: string;
};

/** The programs that run models on a machine; for each that is not available, a sentence that says why. */
export type RuntimesOf<R> = Readonly<Record<RuntimeName, R | { unavailable: string }>>;
/** The programs that run models on this machine. */
export type Runtimes = RuntimesOf<Runtime>;
/** The memory of each program that runs models, on this machine or on a remote host. */
export type RuntimeLimits = RuntimesOf<Pick<Runtime, "memoryName"> & { memory: { budget: number } }>;

/** Returns one value for each runtime. */
export function mapRuntimes<Value>(toValue: (runtime: (typeof RUNTIMES)[number]) => Value): Record<RuntimeName, Value> {
  return Object.fromEntries(RUNTIMES.map((runtime) => [runtime.name, toValue(runtime)])) as Record<RuntimeName, Value>;
}

/** Returns the program that runs a model; null if it is not available. */
export function findRuntime<R extends object>(runtimes: RuntimesOf<R>, model: Pick<HostedModel, "runtime">): R | null {
  const found = runtimes[runtimeNameOf(model)];
  return "unavailable" in found ? null : found;
}

/** Returns why the program that a model needs is not available; null if it is. */
export function explainMissingRuntime(runtimes: RuntimesOf<object>, model: Pick<HostedModel, "runtime">) {
  const found = runtimes[runtimeNameOf(model)];
  return "unavailable" in found ? found.unavailable : null;
}

/** Returns the programs that are available. */
export function listRuntimes<R extends object>(runtimes: RuntimesOf<R>): { name: RuntimeName; runtime: R }[] {
  return RUNTIME_NAMES.flatMap((name) => {
    const runtime = findRuntime(runtimes, { runtime: name });
    return runtime === null ? [] : [{ name, runtime }];
  });
}

/** Returns the memories of the programs that are available, each once. */
export function listMemories(runtimes: Runtimes): MemoryBudget[] {
  return [...new Set(listRuntimes(runtimes).map(({ runtime }) => runtime.memory))];
}

/**
 * Returns the name of the program that runs models from such files: the first one that is available, or else the first one,
 * which says why it is not.
 */
export function runtimeForFiles(runtimes: RuntimesOf<object>, files: ModelFiles): RuntimeName {
  const names = RUNTIMES.filter((runtime) => runtime.files === files).map(({ name }) => name);
  const name = names.find((candidate) => findRuntime(runtimes, { runtime: candidate })) ?? names[0];
  if (name === undefined) throw new Error(`No runtime reads ${files} files.`);
  return name;
}
