/**
 * The manifest that a package is published with. As a program, for `prepack` and `postpack`: `apply` puts it in the place of
 * the package's manifest, so that every package manager packs the same, and `restore` puts the original back.
 */
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The manifest of a package. */
export type Manifest = Readonly<Record<string, unknown>> & {
  readonly publishConfig?: Readonly<Record<string, unknown>>;
};

const BACKUP = "package.json.original";

/** Returns the manifest of a folder. */
export function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
}

/** Returns a manifest with the `exports` of its `publishConfig`, and without what only this repository needs. */
export function toPublishedManifest({
  devDependencies: _,
  scripts: __,
  publishConfig,
  ...manifest
}: Manifest): Manifest {
  const { exports, ...registry } = publishConfig ?? {};
  return {
    ...manifest,
    ...(exports !== undefined && { exports }),
    ...(Object.keys(registry).length > 0 && { publishConfig: registry }),
  };
}

/** Replaces the manifest of a folder by the published one, and keeps the original beside it. */
export function applyPublishedManifest(folder: string): void {
  const manifest = readManifest(folder);
  const { scripts } = manifest; // `postpack` is read from the manifest in place
  renameSync(join(folder, "package.json"), join(folder, BACKUP));
  const published = { ...toPublishedManifest(manifest), scripts };
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
