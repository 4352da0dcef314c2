// Fingerprints of a step's input files. Runs on the host's Node, before anything is installed.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

const SKIPPED_FOLDERS = new Set(["node_modules", "dist", "dist-types", "generated", ".git", ".feather", ".artifacts"]);
/** Files that no build uses, and files made from others. */
const IGNORED_FILES =
  /\.test\.[cm]?tsx?$|\.tsbuildinfo$|\.generated\.ts$|\.1$|^api\.md$|^(cli-reference|error-codes)\.md$/;

/**
 * Returns a SHA-256 over names and contents, not times: rewriting a file with the same content does not change it.
 * @param {string} root @param {readonly string[]} paths files, relative to the root @returns {string}
 */
export function computeFingerprint(root, paths) {
  const hash = createHash("sha256");
  for (const path of paths)
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update("\0");
  return hash.digest("hex");
}

/**
 * Returns the files below a path that a build may use, sorted; the path itself when it is a file.
 * @param {string} root @param {string} path @returns {string[]}
 */
export function listFilesBelow(root, path) {
  const full = join(root, path);
  if (!existsSync(full)) return [];
  if (statSync(full).isFile()) return [path];
  return readdirSync(full, { withFileTypes: true })
    .filter((entry) => !SKIPPED_FOLDERS.has(entry.name) && !IGNORED_FILES.test(entry.name))
    .flatMap((entry) =>
      entry.isDirectory()
        ? listFilesBelow(root, join(path, entry.name))
        : entry.isFile()
          ? [join(path, entry.name)]
          : [],
    )
    .sort();
}
