export { type AutoPull, createAutoPull } from "./auto-pull.ts";
export { chooseBest, findSmallest, listLoadableFiles } from "./choose-file.ts";
export { download } from "./download.ts";
export { createHubTokens, type HubTokens } from "./hub-tokens.ts";
export { createOpenPulls, type OpenPulls } from "./open-pulls.ts";
export { fileSize } from "./partial-file.ts";
export { createPullEstimate, type PullEstimate } from "./pull-estimate.ts";
export { createPullRunner } from "./pull-runner.ts";
export { isPrecise, parseModelReference, quantizationOf } from "./quantizations.ts";
export { createSourcesRepository, type SourcesRepository } from "./sources.repository.ts";
export { createRefreshJob, createSources, type Sources } from "./sources.ts";
export { diskFull, toGigabytes } from "./store.errors.ts";
export {
  createStoreRepository,
  OLLAMA_PREFIX,
  type PullKind,
  type PullRow,
  type StoredFile,
  type StoreRepository,
} from "./store.repository.ts";
export { storeRoutes } from "./store.routes.ts";
export { createModelStore, type ModelStore, type SourceFiles } from "./store.usecases.ts";
export { createStoreFolder, type GetFreeBytes, type StoreFolder } from "./store-folder.ts";
export { createStoreQuota } from "./store-quota.ts";
export { createStoredModels, type StoredModel, type StoredModels } from "./stored-models.ts";
export { DEFAULT_TRANSFER } from "./transfer.ts";
