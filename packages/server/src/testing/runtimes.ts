import type { MemoryBudget, Runtime, Runtimes, StartEngine } from "../hosting/runtimes/index.ts";

type Options = {
  /** The memory for models in GGUF files. */
  memory: MemoryBudget;
  /** The memory for models in safetensors files; null without vLLM. */
  gpuMemory?: MemoryBudget | null;
  /** Replaces the processes that run models. */
  start?: StartEngine;
  /** Why there is no vLLM. */
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
  const engine: Runtime = { ...shared, memory, memorySetting: "FEATHER_MODEL_MEMORY", memoryName: "memory" };
  if (gpuMemory === null) return { "llama.cpp": engine, vllm: { unavailable: missing } };
  const onGpu = { memory: gpuMemory, memorySetting: "FEATHER_GPU_MEMORY", memoryName: "GPU memory" };
  return { "llama.cpp": engine, vllm: { ...shared, ...onGpu } };
}
