export { type AutoPull, createAutoPull } from "./auto-pull.ts";
export { estimateBytesPerToken } from "./bytes-per-token.ts";
export { chooseBest, findSmallest, listLoadableFiles } from "./choose-file.ts";
export type { ConversionPlan } from "./conversion-plan.ts";
export { createConversionWork } from "./conversion-work.ts";
export { checksumOf } from "./download.ts";
export { createReadGgufHeader, type ReadGgufHeader } from "./gguf-facts.ts";
export { createGgufWork } from "./gguf-pulls.ts";
export { createHubTokens, type HubTokens } from "./hub-tokens.ts";
export { listModelFiles } from "./list-model-files.ts";
export { createOpenPulls, type OpenPulls } from "./open-pulls.ts";
export { createPullEstimate, type PullEstimate } from "./pull-estimate.ts";
export { createPullRunner, type PullProgress, type PullRunner, type PullWork } from "./pull-runner.ts";
export { type SaveHubFacts, withModelCard } from "./pulled-card.ts";
export { isPrecise, parseModelReference, quantizationOf } from "./quantizations.ts";
export { createRemoteGgufWork } from "./remote-gguf-work.ts";
export { downloadRepository } from "./repository-files.ts";
export { isReadFile, readSafetensorsFacts, type SafetensorsFacts } from "./safetensors-facts.ts";
export { createSourcesRepository, type SourcesRepository } from "./sources.repository.ts";
export { createRefreshJob, createSources, type Sources } from "./sources.ts";
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
export { createStoreFolder, type GetFreeBytes, type StoreFolder } from "./store-folder.ts";
export { createStoreQuota, type StoreQuota } from "./store-quota.ts";
export { createStoredModels, type StoredModel, type StoredModels } from "./stored-models.ts";
