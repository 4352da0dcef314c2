import { readdir, stat } from "node:fs/promises";
import { join, relative } from "node:path";

/** Folders of files that are being downloaded or converted. */
const UNFINISHED = /^(parts|conversions)(\/|$)/;

/**
 * Returns the complete model files in a folder, with their path relative to it and their size. Empty if the folder does not
 * exist.
 */
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
