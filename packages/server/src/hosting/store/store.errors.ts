import { errors } from "../../platform/core/errors/index.ts";
import type { IncompleteFile } from "./model-files.ts";

/** The error of a download that no further attempt can complete. The message says why. */
export class PullFailedError extends Error {
  override readonly name: string = "PullFailed";
}

/** The number of missing parts that an error lists. */
const MAX_NAMED = 5;

/** Returns `store.pull_ended` (409): the download has ended, so it cannot be canceled, paused or resumed. */
export const pullEnded = (state: string) => errors.store.pullEnded({ state });

/** Returns `store.no_gguf` (422): the repository has no GGUF file that can be loaded. */
export const noGgufFile = (id: string) => errors.store.noGguf({ repository: id }, { param: "model_id" });

/** Returns `store.not_convertible` (422): the repository has only safetensors files, and they cannot be converted. */
export const notConvertible = (repository: string, problem: string) =>
  errors.store.notConvertible({ repository, problem }, { param: "model_id" });

/** Returns `store.unknown_architecture` (422): llama.cpp does not know the architecture of the weights. */
export const unknownArchitecture = (repository: string, architecture: string) =>
  errors.store.unknownArchitecture({ repository, architecture }, { param: "model_id" });

/** Returns `store.parts_missing` (422): the repository lacks parts of a split file. */
export const partsMissing = ({ path, count, missing }: IncompleteFile) =>
  errors.store.partsMissing(
    { file: path, count: String(count), missing: missing.slice(0, MAX_NAMED).join(", ") },
    { param: "model_id", details: { missing: missing.slice(0, MAX_NAMED) } },
  );

/** Returns `store.disk_full` (409). Both numbers are bytes. */
export const diskFull = (needed: number, free: number) =>
  errors.store.diskFull({ needed: toGigabytes(needed), free: toGigabytes(free) }, { details: { needed, free } });

/** Returns `store.quota_full` (409). Both numbers are bytes. */
export const quotaFull = (needed: number, max: number) =>
  errors.store.quotaFull({ needed: toGigabytes(needed), max: toGigabytes(max) }, { details: { needed, max } });

/** Returns `capacity_exhausted` (503): calls of the organization have started as many downloads as may be unfinished. */
export const tooManyAutomaticPulls = (id: string, max: number) =>
  errors.capacityExhausted(
    `${id} is not on this server. Calls of your organization started ${max} downloads already: it can be downloaded when one of them has ended.`,
    { param: "model", retryAfterSeconds: 30, details: { tier: "offline", max } },
  );

/** Returns a number of bytes in gigabytes, for people. */
export const toGigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(2)} GB`;
