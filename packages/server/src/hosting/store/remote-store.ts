import { NO_CONVERTER } from "../runtimes/index.ts";
import type { PullWork } from "./pulls/pull-runner.ts";
import { createModelStore, type ModelStore } from "./store.usecases.ts";
import type { StoredModels } from "./stored-models.ts";

/**
 * Returns the use cases of a model store whose public models a remote host downloads: for those this machine needs no disk
 * space and converts nothing.
 */
export function addRemoteModels(
  own: ModelStore,
  deps: Parameters<typeof createModelStore>[0],
  { maxFileBytes, runtimes }: Pick<Parameters<typeof createModelStore>[0], "maxFileBytes" | "runtimes">,
): ModelStore {
  const noSpace = async () => ({ needed: 0, free: 0, fits: true });
  const remote = createModelStore({
    ...deps,
    maxFileBytes,
    runtimes,
    converter: NO_CONVERTER,
    quota: { check: async () => {}, makeRoom: async () => {} },
    folder: { ...deps.folder, has: async () => true, checkSpace: noSpace, checkFree: noSpace },
  });
  return {
    ...own,
    pullPublic: remote.pullPublic,
    listSourceFiles: async (reference) => ({ maxBytes: maxFileBytes, ...(await remote.listSourceFiles(reference)) }),
  };
}

/** Returns a work that downloads public models with `shared` and private ones with `own`. */
export function splitWork(shared: PullWork, own: PullWork): PullWork {
  return (row, ...rest) => (row.organization_id === null ? shared : own)(row, ...rest);
}

/** Returns the stored models without the public ones, which a remote host keeps: they take no space on this machine. */
export function leaveOutRemote(storedModels: StoredModels): StoredModels {
  const list = async () => (await storedModels.list()).filter(({ organization_id }) => organization_id !== null);
  return { ...storedModels, list };
}
