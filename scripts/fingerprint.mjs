// What a step was made of, as one text. Runs on the host's Node, before anything is installed.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

const SKIPPED = new Set(["node_modules", "dist", "dist-types", ".git", ".feather", ".artifacts"]);
/** Files of which nothing that is built is made. */
const UNUSED = /\.test\.[cm]?tsx?$|\.tsbuildinfo$/;

/**
 * A hash over names and contents, and not over times: files that are only written anew cause no work.
 * @param {string} root @param {readonly string[]} paths files, relative to the root @returns {string}
 */
export function fingerprintOf(root, paths) {
  const hash = createHash("sha256");
  for (const path of paths)
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update("\0");
  return hash.digest("hex");
}

/**
 * The files below a path that something may be built of, in a fixed order; the path itself where it is a file.
 * @param {string} root @param {string} path @returns {string[]}
 */
export function filesBelow(root, path) {
  const full = join(root, path);
  if (!existsSync(full)) return [];
  if (statSync(full).isFile()) return [path];
  return readdirSync(full, { withFileTypes: true })
    .filter((entry) => !SKIPPED.has(entry.name) && !UNUSED.test(entry.name))
    .flatMap((entry) =>
      entry.isDirectory() ? filesBelow(root, join(path, entry.name)) : entry.isFile() ? [join(path, entry.name)] : [],
    )
    .sort();
}
