export { chooseBest, findSmallest, listLoadableFiles } from "./choose-file.ts";
export { createPullRunner } from "./pull-runner.ts";
export { quantizationOf } from "./quantizations.ts";
export { toGigabytes } from "./store.errors.ts";
export { createStoreRepository, type StoredFile, type StoreRepository } from "./store.repository.ts";
export { storeRoutes } from "./store.routes.ts";
export { createModelStore } from "./store.usecases.ts";
export { createStoreFolder, type GetFreeBytes, type StoreFolder } from "./store-folder.ts";
