import { totalmem } from "node:os";
import {
  createMemoryBudget,
  type EngineGpu,
  type Runtimes,
  type StartEngine,
  type VllmPort,
} from "../../runtimes/index.ts";
import type { ModelHostSettings } from "../model-host.settings.ts";

const DEFAULT_MEMORY_SHARE = 0.6;
/** Share of the GPU memory that models get. The rest is for other programs that use the card. */
const DEFAULT_GPU_SHARE = 0.9;
const BYTES_PER_MEGABYTE = 1024 * 1024;

type Deps = {
  settings: Pick<ModelHostSettings, "memoryMegabytes" | "gpuMegabytes">;
  startEngine: StartEngine;
  engineGpu: EngineGpu;
  vllm: VllmPort;
};

/**
 * Returns the programs that run models on this machine, each with the memory that its models share. llama.cpp splits a
 * model between graphics card and machine, so its budget is the sum of both, unless they share one memory (Metal) or vLLM
 * uses the card.
 */
export function createRuntimes({ settings, startEngine, engineGpu, vllm }: Deps): Runtimes {
  const { memoryMegabytes, gpuMegabytes } = settings;
  const machineBytes = memoryMegabytes === undefined ? defaultMemoryBytes() : memoryMegabytes * BYTES_PER_MEGABYTE;
  const toGpuBudget = (bytes: number) =>
    Math.floor(
      Math.min(gpuMegabytes === undefined ? bytes * DEFAULT_GPU_SHARE : gpuMegabytes * BYTES_PER_MEGABYTE, bytes),
    );
  const isVllmOn = !("unavailable" in vllm);
  const hasOwnMemory = engineGpu.state === "on" && engineGpu.type !== "metal" && !isVllmOn;
  const memory = createMemoryBudget(machineBytes + (hasOwnMemory ? toGpuBudget(engineGpu.totalBytes) : 0));
  const engine = {
    start: startEngine,
    memory,
    memorySetting: "FEATHER_MODEL_MEMORY" as const,
    memoryName: hasOwnMemory ? ("memory and GPU memory" as const) : ("memory" as const),
  };
  if (!isVllmOn) return { "llama.cpp": engine, vllm };
  const gpuMemory = createMemoryBudget(toGpuBudget(vllm.gpuBytes));
  const onGpu = { memorySetting: "FEATHER_GPU_MEMORY", memoryName: "GPU memory" } as const;
  return { "llama.cpp": engine, vllm: { start: vllm.start, memory: gpuMemory, ...onGpu } };
}

/** Returns a share of the memory of this machine, or of the container, in bytes. */
function defaultMemoryBytes(): number {
  const limit = process.constrainedMemory();
  return Math.floor(Math.min(totalmem(), limit > 0 ? limit : Number.POSITIVE_INFINITY) * DEFAULT_MEMORY_SHARE);
}
