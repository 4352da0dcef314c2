import { bind } from "../../platform/core/bind.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import {
  deleteFile,
  findFile,
  findModelId,
  isFileUsed,
  listDeployedModels,
  listFiles,
  pinFile,
  recordUse,
  saveFile,
} from "./rows/file-rows.ts";
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

/** Stores downloads of model files, and the complete files. */
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
      listFiles,
      listDeployedModels,
      sumRunningBytes,
      recordUse,
      findFile,
      findModelId,
    }),
    start: startPull,
    countAutomaticLocked,
    markAutomatic,
    cancel: cancelPull,
    pause: pausePull,
    resume: resumePull,
    cancelForModel: cancelPullsOfModel,
    deleteFile,
    pinFile,
    saveFile,
  };
}

/** The stored downloads of model files, and the complete files. */
export type StoreRepository = ReturnType<typeof createStoreRepository>;
