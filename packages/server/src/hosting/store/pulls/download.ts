import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import type { Hub, HubFile } from "../../hub/index.ts";
import { deleteJournal, deletePartialFile, readPartialFile, sumRanges } from "../files/partial-file.ts";
import { fetchMissing, type TransferSettings, WrongFileError } from "./transfer.ts";

/** Files of a repository at one commit. */
export type DownloadSource = {
  id: string;
  revision: string;
  token?: string | undefined;
  files: readonly DownloadFile[];
};

/** A file, and the path of its partial file. Bytes that the partial file has already are not downloaded again. */
export type DownloadFile = HubFile & { partPath: string };

/** The transfer settings of a download, and the callbacks that report its progress. */
export type DownloadOptions = {
  settings: TransferSettings;
  /** Called with the number of bytes of all files that have been downloaded. */
  onProgress(bytes: number): void;
  onVerifying(): void;
  signal: AbortSignal;
};

/**
 * Downloads the missing bytes of the files, verifies the files and returns their SHA-256 in the same order. Partial files
 * are kept after a failure, so that the next attempt continues them. Throws `WrongFileError` if a size or checksum differs,
 * and `hub.*` errors.
 */
export async function download(
  hub: Pick<Hub, "download">,
  { files, ...repository }: DownloadSource,
  options: DownloadOptions,
): Promise<string[]> {
  const { settings, onProgress, onVerifying, signal } = options;
  const partials = await Promise.all(files.map(({ partPath, size }) => readPartialFile(partPath, size)));
  const bytes = files.map(({ size }, index) => size - sumRanges(partials[index]?.missing ?? []));
  const report = (index: number, count: number) => {
    bytes[index] = count;
    onProgress(bytes.reduce((sum, size) => sum + size, 0));
  };
  for (const [index, file] of files.entries()) {
    const partial = partials[index];
    if (partial === undefined) continue;
    const onBytes = (count: number) => report(index, count);
    onBytes(bytes[index] ?? 0);
    await fetchMissing({ hub, repository, file, settings, onBytes, signal }, partial);
  }
  onVerifying();
  const checksums: string[] = [];
  for (const file of files) checksums.push(await verify(file, signal));
  return checksums;
}

/**
 * Returns the SHA-256 of a complete file. If it is not the one that the hub states, deletes the file and throws
 * `WrongFileError`.
 */
async function verify({ path, partPath, sha256: expected }: DownloadFile, signal: AbortSignal): Promise<string> {
  const sha256 = await checksumOf(partPath, signal);
  if (expected === null || sha256 === expected) {
    await deleteJournal(partPath);
    return sha256;
  }
  await deletePartialFile(partPath);
  throw new WrongFileError(`The checksum of ${path} is wrong; it was thrown away.`);
}

/** Returns the SHA-256 of a file, in hexadecimal. */
export async function checksumOf(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash("sha256");
  for await (const bytes of createReadStream(path, { highWaterMark: 4 * 1024 * 1024, signal })) hash.update(bytes);
  return hash.digest("hex");
}
