import { mkdir, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Hub, HubFile } from "../../hub/index.ts";
import { fileSize } from "../files/partial-file.ts";
import { download } from "./download.ts";
import { DEFAULT_TRANSFER } from "./transfer.ts";

/** Files of a repository at a commit, and the folder that they are downloaded to. */
export type RepositoryFiles = {
  id: string;
  revision: string;
  token: string | undefined;
  files: readonly HubFile[];
  folder: string;
};

/**
 * Downloads files of a repository, one after the other, to the same paths below a folder. Files that exist are not
 * downloaded again. `onProgress` is called with the number of bytes that all files have. Rejects as `download` does.
 */
export async function downloadRepository(
  hub: Pick<Hub, "download">,
  { files, folder, ...repository }: RepositoryFiles,
  onProgress: (bytes: number) => void,
  signal: AbortSignal,
): Promise<void> {
  let doneBytes = 0;
  for (const file of files) {
    const before = doneBytes;
    const options = {
      settings: DEFAULT_TRANSFER,
      onVerifying() {},
      signal,
      onProgress: (bytes: number) => onProgress(before + bytes),
    };
    const target = join(folder, file.path);
    const partPath = `${target}.part`;
    await mkdir(dirname(target), { recursive: true });
    if (file.size === 0) await writeFile(target, "");
    else if ((await fileSize(target)) !== file.size) {
      await download(hub, { ...repository, files: [{ ...file, partPath }] }, options);
      await rename(partPath, target);
    }
    doneBytes += file.size;
    onProgress(doneBytes);
  }
}
