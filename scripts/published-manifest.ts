/**
 * The manifest that a package is published with. As a program, for `prepack` and `postpack`: `apply` puts it in the place of
 * the package's manifest, so that every package manager packs the same, and `restore` puts the original back.
 */
import { readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The manifest of a package. */
export type Manifest = Readonly<Record<string, unknown>> & {
  readonly publishConfig?: Readonly<Record<string, unknown>>;
  readonly directories?: { readonly man?: string };
};

const BACKUP = "package.json.original";

/** Returns the manifest of a folder. */
export function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
}

/**
 * Returns the manifest of a folder with the `exports` of its `publishConfig`, with each man page in the place of their
 * folder, and without what only this repository needs.
 */
export function toPublishedManifest(folder: string): Manifest {
  const { devDependencies: _, scripts: __, publishConfig, directories, ...manifest } = readManifest(folder);
  const { exports, ...registry } = publishConfig ?? {};
  const man = directories?.man;
  return {
    ...manifest,
    // npm installs man pages only when the manifest lists each of them.
    ...(man !== undefined && { man: readdirSync(join(folder, man)).map((page) => `./${man}/${page}`) }),
    ...(exports !== undefined && { exports }),
    ...(Object.keys(registry).length > 0 && { publishConfig: registry }),
  };
}

/** Replaces the manifest of a folder by the published one, and keeps the original next to it. */
export function applyPublishedManifest(folder: string): void {
  const { scripts } = readManifest(folder); // `postpack` is read from the manifest in place
  const published = { ...toPublishedManifest(folder), scripts };
  renameSync(join(folder, "package.json"), join(folder, BACKUP));
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(published, null, 2)}\n`);
}

/** Puts the original manifest of a folder back. */
export function restoreManifest(folder: string): void {
  renameSync(join(folder, BACKUP), join(folder, "package.json"));
}

if (import.meta.main) {
  if (process.argv[2] === "apply") applyPublishedManifest(process.cwd());
  else if (process.argv[2] === "restore") restoreManifest(process.cwd());
  else throw new Error("Give apply or restore.");
}
