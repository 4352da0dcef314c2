export { BUILT_IN_MODELS } from "./built-in-models.ts";
export {
  ConversionFailedError,
  createConverter,
  type GgufConverter,
  NO_CONVERTER,
} from "./converter/gguf-converter.ts";
export { createGpuReader, type Gpu, readGpus } from "./graphics-cards.ts";
export type { HostedModel } from "./hosted-model.ts";
export { createArchitectureCheck, type IsKnownArchitecture } from "./llama-cpp/architecture-check.ts";
export { createEngineStarter } from "./llama-cpp/engine-process.ts";
export { createGpuQuestion, describeGpu, detectGpu, type EngineGpu, gpuTypeOf } from "./llama-cpp/gpu.ts";
export { chooseEngineSize, type EngineSize, MIN_CONTEXT_TOKENS, smallestEngineBytes } from "./memory/engine-size.ts";
export {
  createMemoryBudget,
  type EstimatedModel,
  estimateEngineBytes,
  type MemoryBudget,
  type Release,
} from "./memory/memory-budget.ts";
export type { EngineProcess, StartEngine } from "./processes/model-process.ts";
export { listServerFiles } from "./processes/program-sandbox.ts";
export { describeSandbox, detectSandbox, type EngineSandbox } from "./processes/sandbox.ts";
export { programOf, RUNTIME_NAMES, type RuntimeName, runtimeNameOf } from "./runtime-list.ts";
export {
  explainMissingRuntime,
  findRuntime,
  listRuntimes,
  type Runtime,
  type RuntimeLimits,
  type Runtimes,
  type VllmPort,
} from "./runtimes.ts";
export { describeVllm, detectVllm, type VllmState } from "./vllm/detect-vllm.ts";
export { createVllmArchitectureCheck } from "./vllm/vllm-architectures.ts";
export { createVllmLog } from "./vllm/vllm-log.ts";
export { readVllmParsers } from "./vllm/vllm-parsers.ts";
export { createVllmStarter } from "./vllm/vllm-process.ts";
