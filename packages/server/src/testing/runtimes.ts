import { type MemoryBudget, mapRuntimes, type Runtimes, type StartEngine } from "../hosting/runtimes/index.ts";

type Options = {
  /** The memory for models in GGUF files. */
  memory: MemoryBudget;
  /** The memory for models in safetensors files; null without a program that reads them. */
  gpuMemory?: MemoryBudget | null;
  /** Replaces the processes that run models. */
  start?: StartEngine;
  /** Why there is no such program. */
  missing?: string;
};

/** Returns runtimes with these memories, which know every architecture. */
export function createTestRuntimes({
  memory,
  gpuMemory = null,
  start = () => ({ stop: async () => {} }),
  missing = "vLLM is not installed.",
}: Options): Runtimes {
  const shared = { start, canRun: async () => true, gpu: { state: "off", reason: "It is off." } } as const;
  const onMachine = { ...shared, memory, memorySetting: "FEATHER_MODEL_MEMORY", memoryName: "memory" };
  const onGpu = gpuMemory && {
    ...shared,
    memory: gpuMemory,
    memorySetting: "FEATHER_GPU_MEMORY",
    memoryName: "GPU memory",
  };
  return mapRuntimes((definition) =>
    definition.memory === "machine" ? onMachine : (onGpu ?? { unavailable: missing }),
  );
}
