export { type AutoPull, createAutoPull } from "./auto-pull.ts";
export type { ConversionPlan } from "./conversions/conversion-plan.ts";
export { createConversionWork } from "./conversions/conversion-work.ts";
export { estimateBytesPerToken } from "./files/bytes-per-token.ts";
export { chooseBest, findSmallest, listLoadableFiles } from "./files/choose-file.ts";
export { createReadGgufHeader, type ReadGgufHeader } from "./files/gguf-facts.ts";
export { listModelFiles } from "./files/list-model-files.ts";
export { isPrecise, parseModelReference, quantizationOf } from "./files/quantizations.ts";
export { isReadFile, readSafetensorsFacts, type SafetensorsFacts } from "./files/safetensors-facts.ts";
export { createStoreFolder, type GetFreeBytes, type StoreFolder } from "./files/store-folder.ts";
export { addOllamaModels, createOllamaWork } from "./ollama/ollama-pulls.ts";
export { createOpenPulls, type OpenPulls } from "./open-pulls.ts";
export { createPullEstimate, type PullEstimate } from "./pull-estimate.ts";
export { checksumOf } from "./pulls/download.ts";
export { createGgufWork } from "./pulls/gguf-pulls.ts";
export { createPullRunner, type PullProgress, type PullRunner, type PullWork } from "./pulls/pull-runner.ts";
export { type SaveHubFacts, withModelCard } from "./pulls/pulled-card.ts";
export { createRemoteGgufWork } from "./pulls/remote-gguf-work.ts";
export { downloadRepository } from "./pulls/repository-files.ts";
export { createStoreQuota, type StoreQuota } from "./quota/store-quota.ts";
export { createSafetensorsDownloads, type SafetensorsDownloads } from "./safetensors/safetensors-downloads.ts";
export {
  createSafetensorsModelsRepository,
  type SafetensorsModelRow,
  type SafetensorsModelsRepository,
} from "./safetensors/safetensors-models.repository.ts";
export { contextLengthOf, planSafetensors } from "./safetensors/safetensors-plan.ts";
export { addSafetensorsModels } from "./safetensors/safetensors-store.ts";
export { addStoredSafetensorsModels } from "./safetensors/stored-safetensors-models.ts";
export { createFileChecksums } from "./served/file-checksums.ts";
export { createServedFiles, type ServedFile, type ServedFileLookup, toServedFiles } from "./served/served-files.ts";
export { createHubTokens, type HubTokens } from "./sources/hub-tokens.ts";
export { createSourcesRepository, type SourcesRepository } from "./sources/sources.repository.ts";
export { createRefreshJob, createSources, type Sources } from "./sources/sources.ts";
export { diskFull, PullFailedError, toGigabytes } from "./store.errors.ts";
export {
  createStoreRepository,
  OLLAMA_PREFIX,
  type PullKind,
  type PullRow,
  type StoredFile,
  type StoreRepository,
} from "./store.repository.ts";
export { storeRoutes } from "./store.routes.ts";
export { createModelStore, type ModelStore, type PullInput, type SourceFiles } from "./store.usecases.ts";
export { createStoredModels, type StoredModel, type StoredModels } from "./stored-models.ts";
