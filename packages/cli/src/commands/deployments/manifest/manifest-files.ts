import { readFile } from "node:fs/promises";
import { createReadError, type FileFault, FileFaultsError } from "../../../errors.ts";
import { readAll } from "../../../input.ts";
import type { Io } from "../../../output/io.ts";
import type { Manifest } from "../place.ts";

/**
 * Returns the manifests of all files, in order; `-` is stdin. Throws `UsageError` for a file that cannot be read, and
 * `FileFaultsError` with all faults of the files: invalid values, a file without manifests, and a name that occurs
 * twice.
 */
export async function loadManifests({ stdin }: Io, paths: readonly string[]): Promise<readonly Manifest[]> {
  const { readManifests } = await import("./manifest.ts");
  const fileOf = new Map<string, string>();
  const manifests: Manifest[] = [];
  const faults: FileFault[] = [];
  for (const path of paths) {
    const text = path === "-" ? await readAll(stdin) : await readManifestFile(path);
    const file = path === "-" ? "stdin" : path;
    const read = readManifests(text, file, fileOf);
    for (const { name } of read.manifests) fileOf.set(name, file);
    manifests.push(...read.manifests);
    faults.push(...read.faults);
  }
  if (faults.length > 0) throw new FileFaultsError(faults, "feather deployments schema");
  return manifests;
}

async function readManifestFile(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    throw createReadError(path, error);
  }
}
