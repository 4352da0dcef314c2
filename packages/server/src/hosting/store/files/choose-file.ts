import { errors } from "../../../platform/core/errors/index.ts";
import { listPartPaths } from "../../../platform/core/models/split-files.ts";
import type { HubFile } from "../../hub/index.ts";
import { groupModelFiles, type ModelFile, type ModelFiles } from "../model-files.ts";
import { partsMissing, toGigabytes } from "../store.errors.ts";
import { isPrecise, quantizationOf, rankOf, typeOf } from "./quantizations.ts";

/** What a request says about the file that it wants of a repository, and the size limit for others. */
export type FileChoice = {
  /** The path of the file. */
  path?: string | undefined;
  /** The quantization, such as `Q5_K_M`. */
  quantization?: string | null;
  /** The largest file that can be loaded here, in bytes. A requested file or quantization may be larger. */
  maxBytes: number;
};

const MAX_EXAMPLES = 10;

/** Returns the files that can be loaded: single files, and split files with all their parts. */
export function listLoadableFiles(files: readonly HubFile[]): ModelFile[] {
  return groupModelFiles(files).complete;
}

/**
 * Returns the requested file, or the best one that can be loaded here. Null if the repository has no model file. Throws
 * `invalid_request` for an unknown path or quantization, `store.parts_missing` for a split file without all its parts, and
 * `store.too_large` if every file is larger than `maxBytes`.
 */
export function chooseFile(files: readonly HubFile[], { path, quantization, maxBytes }: FileChoice): ModelFile | null {
  const grouped = groupModelFiles(files);
  const { complete: loadable, incomplete } = grouped;
  if (path !== undefined) return findByPath(grouped, path);
  if (quantization != null) return findQuantization(grouped, quantization);
  const [firstIncomplete] = incomplete;
  if (loadable.length === 0 && firstIncomplete) throw partsMissing(firstIncomplete);
  const best = chooseBest(loadable, maxBytes);
  const smallest = findSmallest(loadable);
  if (best === null && smallest !== null) throw tooLarge(smallest, maxBytes);
  return best;
}

/**
 * Returns the best file of at most `maxBytes`: `Q8_0` if there is one, then smaller ones down to four bits. Files below
 * four bits, or without a quantization in their name, count only if the repository has no others. Null if none is small
 * enough.
 */
export function chooseBest(loadable: readonly ModelFile[], maxBytes: number): ModelFile | null {
  const [best = null] = listGood(loadable)
    .filter((file) => file.size <= maxBytes)
    .sort((a, b) => rank(a) - rank(b) || a.size - b.size || a.path.localeCompare(b.path));
  return best;
}

/** Returns the smallest file that `chooseBest` considers; null if there is none. */
export function findSmallest(loadable: readonly ModelFile[]): ModelFile | null {
  const [smallest = null] = listGood(loadable).sort((a, b) => a.size - b.size || a.path.localeCompare(b.path));
  return smallest;
}

/** Returns the smallest file in nearly the original precision; null if there is none. */
export function findSmallestPrecise(loadable: readonly ModelFile[]): ModelFile | null {
  return findSmallest(loadable.filter(({ path }) => isPrecise(quantizationOf(path))));
}

function listGood(loadable: readonly ModelFile[]): ModelFile[] {
  const good = loadable.filter((file) => Number.isFinite(rank(file)));
  return good.length > 0 ? good : [...loadable];
}

const rank = ({ path }: ModelFile): number => rankOf(quantizationOf(path));

function findByPath({ complete, incomplete }: ModelFiles, path: string): ModelFile {
  const found = complete.find(({ parts }) => parts.some((part) => part.path === path));
  if (found) return found;
  const [first] = listPartPaths(path);
  const broken = incomplete.find((file) => file.path === first);
  if (broken) throw partsMissing(broken);
  return refuse(complete, path, "file");
}

function findQuantization({ complete, incomplete }: ModelFiles, quantization: string): ModelFile {
  const isNamed = ({ path }: { path: string }) => quantizationOf(path) === quantization;
  const isOfType = ({ path }: { path: string }) => typeOf(quantizationOf(path) ?? "") === quantization;
  const isOfIt = [...complete, ...incomplete].some(isNamed) ? isNamed : isOfType;
  const [smallest] = complete.filter(isOfIt).sort((a, b) => a.size - b.size || a.path.localeCompare(b.path));
  if (smallest) return smallest;
  const broken = incomplete.find(isOfIt);
  if (broken) throw partsMissing(broken);
  return refuse(complete, quantization, "model_id");
}

function refuse(loadable: readonly ModelFile[], requested: string, param: string): never {
  const examples = loadable.slice(0, MAX_EXAMPLES).map(({ path }) => path);
  throw errors.invalidRequest(
    `The repository has no file ${requested} that can be loaded.${examples.length > 0 ? ` It has: ${examples.join(", ")}.` : ""}`,
    { param, details: { files: examples } },
  );
}

/** Returns the error for a repository whose smallest file is larger than `maxBytes`. */
export function tooLarge({ path, size }: Pick<HubFile, "path" | "size">, maxBytes: number) {
  const sizes = { file: `${path} (${toGigabytes(size)})`, memory: toGigabytes(maxBytes) };
  return errors.store.tooLarge(sizes, { param: "model_id", details: { size, max_bytes: maxBytes } });
}
