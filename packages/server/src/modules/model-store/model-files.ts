import { createHash } from "node:crypto";
import { formatPartName, listPartPaths, parsePartName } from "../../core/split-files.ts";
import type { HubFile } from "../hub/index.ts";

/**
 * A model file of a repository. One that is split has several parts, the path of the first of them, and their sizes
 * together as its size.
 */
export type ModelFile = HubFile & {
  /** The files that it consists of, in their order; the file itself if it is whole. */
  parts: readonly HubFile[];
};

/** A split file that cannot be loaded, since the repository lacks parts of it. */
export type IncompleteFile = {
  /** The path of the first part. */
  path: string;
  count: number;
  /** The paths of the parts that are not there. */
  missing: readonly string[];
};

/** The GGUF files of a repository that can be loaded, and the split ones of which parts are missing. */
export type ModelFiles = { complete: ModelFile[]; incomplete: IncompleteFile[] };

/** Returns the GGUF files of a repository that hold the weights of a model: no projectors or importance matrices. */
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
        ...{ path: first, count: paths.length },
        missing: paths.filter((part) => !byPath.has(part)),
      });
  }
  return result;
}

/**
 * Returns the checksum that names a model file on this machine: that of its content, or for a split file the SHA-256 of
 * the checksums of its parts. Null if one of them is not known.
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

/** Returns the names that the parts of a file have in its folder on this machine, where llama.cpp finds them. */
export function listStoredNames(file: string): string[] {
  const part = parsePartName(file);
  return part === null ? [] : listPartPaths(formatPartName({ ...part, prefix: "model", number: 1 }));
}

function isWeights({ path, size }: HubFile): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  return size > 0 && name.endsWith(".gguf") && !/mmproj|imatrix/.test(name);
}
