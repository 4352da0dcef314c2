/** Selects the tests that a change reaches. */
import { execFileSync } from "node:child_process";
import { dirname } from "node:path";
import { ROOT } from "./run.ts";

const SERVER = "packages/server/src/";

/** Returns the files that differ from a commit, with those that are not in git yet. Paths are relative to the root. */
export function listChangedFiles(since: string): string[] {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: ROOT, encoding: "utf8" }).split("\n");
  const untracked = git("ls-files", "--others", "--exclude-standard");
  return [...git("diff", "--name-only", since), ...untracked].filter((path) => path !== "");
}

/**
 * Returns the folders of the server whose tests a change reaches. Imports cannot tell: every test server is made of all
 * modules, so they would lead to every test. A module's own tests are in its folder.
 */
export function serverFoldersOf(changed: readonly string[]): string[] {
  const folders = changed.filter((path) => path.startsWith(SERVER)).map(folderOf);
  const unique = [...new Set(folders)];
  return unique.filter((folder) => !unique.some((other) => other !== folder && folder.startsWith(`${other}/`)));
}

/** The module that a file belongs to; outside the modules the folder that it is in. */
function folderOf(path: string): string {
  const layers = "platform|money|accounts|chats|hosting|catalogue|insight";
  const [module] = new RegExp(`^${SERVER}(${layers})/(?!core/)[^/]+(?=/)`).exec(path) ?? [];
  return module ?? dirname(path);
}
