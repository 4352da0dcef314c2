import { createHash } from "node:crypto";
import { formatPartName, listPartPaths, parsePartName } from "../../platform/core/models/split-files.ts";
import type { HubFile } from "../hub/index.ts";

/** A model file of a repository. For a split file, `path` is that of the first part, and `size` is the sum of all parts. */
export type ModelFile = HubFile & {
  /** The parts of the file, in their order. A file that is not split is its only part. */
  parts: readonly HubFile[];
};

/** A split file that cannot be loaded, because the repository lacks some of its parts. */
export type IncompleteFile = {
  /** The path of the first part. */
  path: string;
  count: number;
  /** The paths of the missing parts. */
  missing: readonly string[];
};

/** The GGUF files of a repository that can be loaded, and the split ones with missing parts. */
export type ModelFiles = { complete: ModelFile[]; incomplete: IncompleteFile[] };

/**
 * Returns the GGUF files of a repository that contain the weights of a model. Projectors and importance matrices are left
 * out.
 */
export function groupModelFiles(files: readonly HubFile[]): ModelFiles {
  const weights = files.filter(isWeights);
  const byPath = new Map(weights.map((file) => [file.path, file]));
  const result: ModelFiles = { complete: [], incomplete: [] };
  const seen = new Set<string>();
  for (const { path } of weights) {
    const paths = listPartPaths(path);
    const [first = path] = paths;
    if (seen.has(first)) continue;
    seen.add(first);
    const parts = paths.flatMap((part) => byPath.get(part) ?? []);
    if (parts.length === paths.length) result.complete.push(toModelFile(first, parts));
    else
      result.incomplete.push({
        path: first,
        count: paths.length,
        missing: paths.filter((part) => !byPath.has(part)),
      });
  }
  return result;
}

/**
 * Returns the checksum that names a model file in the store: its own, or for a split file the SHA-256 of the checksums of
 * its parts. Null if one of them is unknown.
 */
export function combineChecksums(checksums: readonly (string | null)[]): string | null {
  const [first = null] = checksums;
  if (checksums.length === 1) return first;
  if (checksums.includes(null)) return null;
  return createHash("sha256").update(checksums.join("\n")).digest("hex");
}

function toModelFile(path: string, parts: readonly HubFile[]): ModelFile {
  return {
    path,
    size: parts.reduce((sum, { size }) => sum + size, 0),
    sha256: combineChecksums(parts.map(({ sha256 }) => sha256)),
    parts,
  };
}

/** Returns the names of a file's parts in its folder in the store. llama.cpp finds the parts by these names. */
export function listStoredNames(file: string): string[] {
  const part = parsePartName(file);
  return part === null ? [] : listPartPaths(formatPartName({ ...part, prefix: "model", number: 1 }));
}

/** Returns whether a file is a projector, with which llama.cpp turns images into what a model reads. */
export function isProjector({ path, size }: HubFile): boolean {
  const name = nameOf(path);
  return size > 0 && name.endsWith(".gguf") && name.includes("mmproj");
}

function isWeights({ path, size }: HubFile): boolean {
  const name = nameOf(path);
  return size > 0 && name.endsWith(".gguf") && !/mmproj|imatrix/.test(name);
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1).toLowerCase();
