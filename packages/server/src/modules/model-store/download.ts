import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import type { Hub, HubFile } from "../hub/index.ts";
import { deleteJournal, deletePartialFile, readPartialFile, sumRanges } from "./partial-file.ts";
import { fetchMissing, type TransferSettings, WrongFileError } from "./transfer.ts";

/** Files of a repository at one commit. */
export type DownloadSource = {
  id: string;
  revision: string;
  token?: string | undefined;
  files: readonly DownloadFile[];
};

/** A file, and the path of the partial one; bytes that it holds already are not downloaded again. */
export type DownloadFile = HubFile & { partPath: string };

/** How a download fetches, and how it reports progress. */
export type DownloadOptions = {
  settings: TransferSettings;
  /** Called with the number of bytes that are here, of all files. */
  onProgress(bytes: number): void;
  onVerifying(): void;
  signal: AbortSignal;
};

/**
 * Downloads what is missing of the files, verifies them and returns their SHA-256, in their order. Partial files are kept
 * after a failure, so that the next attempt continues them. Throws `WrongFileError` if size or checksum differ, and
 * `hub.*` errors.
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

/** Returns the SHA-256 of a complete file. Throws `WrongFileError` and deletes it if it is not what the hub says. */
async function verify({ path, partPath, sha256: expected }: DownloadFile, signal: AbortSignal): Promise<string> {
  const sha256 = await checksumOf(partPath, signal);
  if (expected === null || sha256 === expected) {
    await deleteJournal(partPath);
    return sha256;
  }
  await deletePartialFile(partPath);
  throw new WrongFileError(`The checksum of ${path} is wrong; it was thrown away.`);
}

/** Returns the SHA-256 of a file. */
export async function checksumOf(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash("sha256");
  for await (const bytes of createReadStream(path, { highWaterMark: 4 * 1024 * 1024, signal })) hash.update(bytes);
  return hash.digest("hex");
}
