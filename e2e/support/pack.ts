import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");
type Manifest = {
  name: string;
  version: string;
  engines?: Record<string, string>;
  bin?: Record<string, string>;
  man?: readonly string[];
  dependencies?: Record<string, string>;
};

/** Returns the package.json of a folder. */
export const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;

/** Creates an empty folder outside the workspace, as for a user who installs the package. */
export const createEmptyFolder = (): string => mkdtempSync(join(tmpdir(), "feather-installed-"));

/** Returns the path of a package's built archive, as servers offer it. */
export const archiveOf = (name: "cli" | "sdk"): string => join(ROOT, "packages/web/dist", `${name}.tgz`);

/**
 * Unpacks a built package into `node_modules` of a folder and links its dependencies from the workspace, without a
 * registry. Returns the package's folder.
 */
export function installPackage(name: "cli" | "sdk", folder: string): string {
  const source = join(ROOT, "packages", name);
  const target = join(folder, "node_modules", readManifest(source).name);
  mkdirSync(target, { recursive: true });
  const unpacked = spawnSync("tar", ["-xzf", archiveOf(name), "--strip-components=1", "-C", target], {
    encoding: "utf8",
  });
  if (unpacked.status !== 0) throw new Error(`${archiveOf(name)} could not be unpacked: ${unpacked.stderr}`);
  for (const dependency of Object.keys(readManifest(target).dependencies ?? {})) {
    const link = join(folder, "node_modules", dependency);
    mkdirSync(join(link, ".."), { recursive: true });
    symlinkSync(realpathSync(join(source, "node_modules", dependency)), link);
  }
  return target;
}

/**
 * Creates an `npm` for scripts that install the CLI from a server: `npm install -g <url>` unpacks the server's archive
 * and uses the workspace's dependencies, without a registry. Put `bin` first in the `PATH`.
 */
export function offlineNpm(folder: string): { readonly bin: string } {
  const bin = join(folder, "npm/bin");
  const program = join(folder, "npm/feather");
  mkdirSync(bin, { recursive: true });
  mkdirSync(program);
  symlinkSync(join(ROOT, "packages/cli/node_modules"), join(program, "node_modules"));
  symlinkSync(process.execPath, join(bin, "node"));
  const script = `#!/bin/sh
set -e
[ "$1 $2" = "install -g" ] || { echo "this npm installs one program only" >&2; exit 1; }
curl --fail --silent --show-error "$3" | tar -xzf - --strip-components=1 -C '${program}'
ln -sf '${program}/bin/feather.js' '${bin}/feather'
`;
  writeFileSync(join(bin, "npm"), script, { mode: 0o755 });
  return { bin };
}

/** Returns the bytes of a package in `node_modules` and of all packages that npm installs with it. */
export function measureInstallation(folder: string, counted: Set<string> = new Set()): number {
  const root = realpathSync(folder);
  if (counted.has(root)) return 0;
  counted.add(root);
  const sizes = listFiles(root).map((path) => statSync(join(root, path)).size);
  for (const name of Object.keys(readManifest(root).dependencies ?? {})) {
    const places = createRequire(join(root, "package.json")).resolve.paths(name) ?? [];
    const place = places.map((path) => join(path, name)).find((path) => existsSync(join(path, "package.json")));
    if (place === undefined) throw new Error(`${name}, which ${root} needs, is not installed.`);
    sizes.push(measureInstallation(place, counted));
  }
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Returns the sorted paths of all files in a folder. */
export const listFiles = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
