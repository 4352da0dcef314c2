export { BUILT_IN_MODELS } from "./built-in-models.ts";
export { chooseRuntime, type KnowsArchitecture, type ModelNeeds, usesProjectors } from "./choose-runtime.ts";
export {
  ConversionFailedError,
  createConverter,
  type GgufConverter,
  NO_CONVERTER,
} from "./converter/gguf-converter.ts";
export { createRuntimes, type MachineRuntimes, type RuntimeProcesses } from "./create-runtimes.ts";
export { describeRuntimes, detectRuntimes, RUNTIMES_WITHOUT_GPU, type RuntimeStates } from "./detect-runtimes.ts";
export { createGpuReader, type Gpu } from "./graphics-cards.ts";
export type { HostedModel } from "./hosted-model.ts";
export { chooseEngineSize, type EngineSize, MIN_CONTEXT_TOKENS, smallestEngineBytes } from "./memory/engine-size.ts";
export {
  type EstimatedModel,
  estimateEngineBytes,
  type MemoryBudget,
  type Release,
} from "./memory/memory-budget.ts";
export type { EngineEvents, EngineProcess, StartEngine } from "./processes/model-process.ts";
export { listServerFiles } from "./processes/program-sandbox.ts";
export { describeSandbox, detectSandbox, type EngineSandbox } from "./processes/sandbox.ts";
export type { EngineGpu, IsKnownArchitecture, ModelFiles } from "./runtime.ts";
export {
  filesOf,
  isRuntimeName,
  programOf,
  RUNTIME_NAMES,
  RUNTIMES,
  type RuntimeName,
  readsTextOnly,
  runtimeNameOf,
  runtimeOf,
} from "./runtime-list.ts";
export {
  explainMissingRuntime,
  findRuntime,
  listMemories,
  listRuntimes,
  mapRuntimes,
  type Runtime,
  type RuntimeLimits,
  type Runtimes,
  runtimeForFiles,
} from "./runtimes.ts";
export { toRuntimeState, type VllmState } from "./vllm/detect-vllm.ts";
export { createVllmLog } from "./vllm/vllm-log.ts";
