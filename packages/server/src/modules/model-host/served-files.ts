import { stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { bind } from "../../core/bind.ts";
import { listPartPaths } from "../../core/split-files.ts";
import { checksumOf } from "../model-store/index.ts";
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
export type ServedFile = { folder: string; name: string; sha256: string };

type Context = {
  /** Checksums that were computed, by path, for the file as it was then. */
  checksums: Map<string, { state: string; sha256: Promise<string> }>;
};

/** Checksums kept in memory. */
const MAX_CHECKSUMS = 10_000;
const SHA256 = /^[0-9a-f]{64}$/;

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

/** Creates the lookup of files to send, which computes the checksums that the store does not know, once for each file. */
export function createServedFiles() {
  const context: Context = { checksums: new Map() };
  return bind(context, { find: findServedFile });
}

/** Finds the files that are sent to what runs models elsewhere. */
export type ServedFileLookup = ReturnType<typeof createServedFiles>;

/** Returns a file of a version of the model; null if the model has other files. */
async function findServedFile(
  context: Context,
  model: HostedModel,
  { version, name }: { version: string; name: string },
): Promise<ServedFile | null> {
  const served = toServedFiles(model);
  if (served?.version !== version || !served.names.includes(name)) return null;
  const { folder } = served;
  const sha256 = await findChecksum(context, join(folder, name));
  return sha256 === null ? null : { folder, name, sha256 };
}

/** Returns the SHA-256 of a file; null if it is not there. */
async function findChecksum({ checksums }: Context, path: string): Promise<string | null> {
  const found = await stat(path).catch(() => null);
  if (found === null) return null;
  const stored = basename(path, ".gguf");
  if (SHA256.test(stored)) return stored;
  const state = `${found.size} ${found.mtimeMs}`;
  const known = checksums.get(path);
  if (known?.state === state) return known.sha256;
  const sha256 = checksumOf(path, new AbortController().signal);
  const [oldest] = checksums.keys();
  if (oldest !== undefined && checksums.size >= MAX_CHECKSUMS) checksums.delete(oldest);
  checksums.set(path, { state, sha256 });
  // The next request computes it again.
  sha256.catch(() => checksums.delete(path));
  return sha256;
}
