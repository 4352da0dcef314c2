export { createArchitectureCheck, type IsKnownArchitecture } from "./architecture-check.ts";
export { BUILT_IN_MODELS } from "./built-in-models.ts";
export { listServerFiles } from "./converter/converter-sandbox.ts";
export {
  ConversionFailedError,
  createConverter,
  type GgufConverter,
  NO_CONVERTER,
} from "./converter/gguf-converter.ts";
export { createEngineStarter, type EngineProcess, type StartEngine } from "./engine-process.ts";
export { createGpuQuestion, describeGpu, detectGpu, type EngineGpu, gpuTypeOf } from "./gpu.ts";
export { createGpuReader, type Gpu, readGpus } from "./graphics-cards.ts";
export type { HostedModel } from "./hosted-model.ts";
export { chooseEngineSize, type EngineSize, MIN_CONTEXT_TOKENS, smallestEngineBytes } from "./memory/engine-size.ts";
export {
  createMemoryBudget,
  type EstimatedModel,
  estimateEngineBytes,
  type MemoryBudget,
  type Release,
} from "./memory/memory-budget.ts";
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
export { describeSandbox, detectSandbox, type EngineSandbox } from "./sandbox.ts";
export { describeVllm, detectVllm, type VllmState } from "./vllm/detect-vllm.ts";
export { createVllmArchitectureCheck } from "./vllm/vllm-architectures.ts";
export { createVllmLog } from "./vllm/vllm-log.ts";
export { readVllmParsers } from "./vllm/vllm-parsers.ts";
export { createVllmStarter } from "./vllm/vllm-process.ts";
