import { basename, dirname, join } from "node:path";
import { bind } from "../../core/bind.ts";
import { listPartPaths } from "../../core/split-files.ts";
import type { FileChecksums } from "./file-checksums.ts";
import type { HostedModel } from "./slot.ts";

/** The files of a model on this machine, as they are given to what runs it elsewhere. */
export type ServedFiles = {
  /** Another one after each change of the files; it may stand in a path. */
  version: string;
  folder: string;
  /** The names of the files, those of parts in their order. */
  names: readonly string[];
};

/** A file to send. */
export type ServedFile = {
  folder: string;
  name: string;
  /** Null while it is being computed. */
  sha256: string | null;
};

type Context = { checksums: FileChecksums };

/** Returns the files of a model; null if they are not on this machine. */
export function toServedFiles(model: HostedModel): ServedFiles | null {
  const { file, isElsewhere = false, folderFiles, revision } = model;
  if (isElsewhere) return null;
  if (folderFiles !== undefined) return { version: revision ?? basename(file), folder: file, names: folderFiles };
  const names = listPartPaths(basename(file));
  // The store names a whole file, or the folder with the parts of a split one, by the checksum of the content.
  const version = names.length === 1 ? basename(file, ".gguf") : basename(dirname(file));
  return { version, folder: dirname(file), names };
}

/**
 * Creates the lookup of files to send. Checksums that the store does not know are computed when `prepare` is called, or at the
 * first request.
 */
export function createServedFiles(checksums: FileChecksums) {
  return bind({ checksums }, { find: findServedFile, prepare: prepareServedFiles });
}

/** Finds the files that are sent to what runs models elsewhere. */
export type ServedFileLookup = ReturnType<typeof createServedFiles>;

/** Returns a file of a version of the model; null if the model has other files. */
async function findServedFile(
  { checksums }: Context,
  model: HostedModel,
  { version, name }: { version: string; name: string },
): Promise<ServedFile | null> {
  const served = toServedFiles(model);
  if (served?.version !== version || !served.names.includes(name)) return null;
  const { folder } = served;
  const { isHere, sha256 } = await checksums.find(join(folder, name));
  return isHere ? { folder, name, sha256 } : null;
}

/** Begins to compute the checksums of the files of a model, which are asked for later. */
function prepareServedFiles({ checksums }: Context, model: HostedModel): void {
  const served = toServedFiles(model);
  if (served !== null) checksums.prepare(served.names.map((name) => join(served.folder, name)));
}
