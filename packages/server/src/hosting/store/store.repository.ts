import { bind } from "../../platform/core/bind.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import {
  deleteModel,
  deleteOtherFiles,
  findModel,
  findModelId,
  isFileUsed,
  listDeployedModels,
  listModels,
  listModelsById,
  listNeededFolders,
  pinModel,
  recordUse,
  saveModel,
} from "./rows/model-rows.ts";
import {
  cancelPull,
  cancelPullsOfModel,
  claimPull,
  countAutomaticLocked,
  countAutomaticPulls,
  findLatestPublicPull,
  findPublicPull,
  findPull,
  listOpenPulls,
  listPausedPulls,
  listPulls,
  listUnfinishedConversions,
  markAutomatic,
  pausePull,
  releasePull,
  resumePull,
  startPull,
  sumRunningBytes,
  updateRunningPull,
} from "./rows/pull-rows.ts";

/** Stores downloads of model files, and the models whose files are complete. */
export function createStoreRepository(db: Database) {
  return {
    ...bind(db, {
      listPulls,
      listOpen: listOpenPulls,
      findPull,
      findPublicPull,
      findLatestPublicPull,
      countAutomatic: countAutomaticPulls,
      claim: claimPull,
      updateRunningPull,
      release: releasePull,
      listPaused: listPausedPulls,
      listUnfinishedConversions,
      isFileUsed,
      listModels,
      listModelsById,
      listNeededFolders,
      listDeployedModels,
      sumRunningBytes,
      recordUse,
      findModel,
      findModelId,
    }),
    start: startPull,
    countAutomaticLocked,
    markAutomatic,
    cancel: cancelPull,
    pause: pausePull,
    resume: resumePull,
    cancelForModel: cancelPullsOfModel,
    deleteModel,
    deleteOtherFiles,
    pinModel,
    saveModel,
  };
}

/** The stored downloads of model files, and the models whose files are complete. */
export type StoreRepository = ReturnType<typeof createStoreRepository>;
