import { AppError, notFound } from "../../shared/errors.ts";

/** `store.pull_not_found` (404). */
export const pullNotFound = () => notFound("There is no download with this id.", "store.pull_not_found");

/** `store.pull_ended` (409): the download has ended and cannot be canceled. */
export const pullEnded = (state: string) =>
  new AppError(409, "store.pull_ended", `This download has ended already: ${state}.`);

/** `store.no_gguf` (422): the repository has no GGUF file that can be loaded. */
export const noGgufFile = (id: string) =>
  new AppError(
    422,
    "store.no_gguf",
    `${id} has no GGUF file that can be loaded, which is what this machine runs. Look for a repository of the same model with GGUF in its name.`,
    { param: "model_id" },
  );

/** `store.disk_full` (409). Both numbers are bytes. */
export const diskFull = (needed: number, free: number) =>
  new AppError(
    409,
    "store.disk_full",
    `There is not enough room on the disk: ${toGigabytes(needed)} are needed and ${toGigabytes(free)} free. Delete something, or set FEATHER_DATA_DIR to a larger disk.`,
    { details: { needed, free } },
  );

const toGigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(2)} GB`;
