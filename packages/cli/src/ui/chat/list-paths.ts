import { readdir } from "node:fs/promises";

/**
 * Returns the paths of files and folders that begin with a text, sorted; folders end with a slash. Hidden ones are left out
 * unless the text names them. None where the folder cannot be read.
 */
export async function listPaths(start: string): Promise<readonly string[]> {
  const folder = start.slice(0, start.lastIndexOf("/") + 1);
  const name = start.slice(folder.length);
  const entries = await readdir(folder === "" ? "." : folder, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.name.startsWith(name) && (name.startsWith(".") || !entry.name.startsWith(".")))
    .map((entry) => `${folder}${entry.name}${entry.isDirectory() ? "/" : ""}`)
    .filter((path) => !/\p{Cc}/u.test(path))
    .sort();
}
