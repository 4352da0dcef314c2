import { basename, dirname, join } from "node:path";
import { bind } from "../../../platform/core/bind.ts";
import { listPartPaths } from "../../../platform/core/models/split-files.ts";
import type { HostedModel } from "../../runtimes/index.ts";
import type { FileChecksums } from "./file-checksums.ts";

/** The files of a model on this machine that are sent to the pods or machines that run it. */
export type ServedFiles = {
  /** Identifies the content of the files: it changes with them. It is safe in a path. */
  version: string;
  folder: string;
  /** The names of the files; the parts of a split file are in their order. */
  names: readonly string[];
};

/** A file to send. */
export type ServedFile = {
  folder: string;
  name: string;
  /** Null while the checksum is being computed. */
  sha256: string | null;
};

type Context = { checksums: FileChecksums };

/** Returns the files of a model; null if they are not on this machine. */
export function toServedFiles(model: HostedModel): ServedFiles | null {
  const { file, isElsewhere = false, folderFiles, revision } = model;
  if (isElsewhere) return null;
  if (folderFiles !== undefined) return { version: revision ?? basename(file), folder: file, names: folderFiles };
  const names = listPartPaths(basename(file));
  // The store names a file, or the folder with the parts of a split file, by the checksum of the content.
  const version = names.length === 1 ? basename(file, ".gguf") : basename(dirname(file));
  return { version, folder: dirname(file), names };
}

/**
 * Creates the lookup of files to send. Checksums that are not in the file's name are computed when `prepare` is called, or
 * at the first request.
 */
export function createServedFiles(checksums: FileChecksums) {
  return bind({ checksums }, { find: findServedFile, prepare: prepareServedFiles });
}

/** The lookup of the files that are sent to the pods or machines that run models. */
export type ServedFileLookup = ReturnType<typeof createServedFiles>;

/** Returns a file of the given version of a model. Null if the model has another version or the file does not exist. */
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

/** Starts computing the checksums of a model's files before they are requested. */
function prepareServedFiles({ checksums }: Context, model: HostedModel): void {
  const served = toServedFiles(model);
  if (served !== null) checksums.prepare(served.names.map((name) => join(served.folder, name)));
}
