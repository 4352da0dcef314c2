import { readdir, stat } from "node:fs/promises";
import { join, relative } from "node:path";

/** Folders of what is being downloaded and converted. */
const UNFINISHED = /^(parts|conversions)(\/|$)/;

/** Returns the complete files of models in a folder, by their path in it and their size; none when it is missing. */
export async function listModelFiles(folder: string): Promise<{ path: string; bytes: number }[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: { code?: string }) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const files: { path: string; bytes: number }[] = [];
  for (const absolute of paths.sort()) {
    const path = relative(folder, absolute);
    if (UNFINISHED.test(path)) continue;
    files.push({ path, bytes: (await stat(absolute)).size });
  }
  return files;
}
