import { errors } from "../../core/errors/index.ts";
import type { HubFile } from "../hub/index.ts";
import { quantizationOf, rankOf } from "./quantizations.ts";
import { toGigabytes } from "./store.errors.ts";

/** Which file of a repository to take. */
export type FileChoice = {
  /** The path of the file. */
  path?: string | undefined;
  /** The quantization, such as `Q5_K_M`. */
  quantization?: string | null;
  /** Bytes that a file may have to be loaded here; does not hold for a file or a quantization that is asked for. */
  maxBytes: number;
};

const MAX_EXAMPLES = 10;

/** Returns the GGUF files that can be loaded alone: no shards, projectors or importance matrices. */
export function listLoadableFiles(files: readonly HubFile[]): HubFile[] {
  return files.filter(({ path, size }) => {
    const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
    return size > 0 && name.endsWith(".gguf") && !/-\d{5}-of-\d{5}\.gguf$/.test(name) && !/mmproj|imatrix/.test(name);
  });
}

/**
 * Returns the requested file, else the best one that can be loaded here; null if the repository has no file at all. Throws
 * `invalid_request` for an unknown path or quantization, and `store.too_large` if none can be loaded here.
 */
export function chooseFile(files: readonly HubFile[], { path, quantization, maxBytes }: FileChoice): HubFile | null {
  const loadable = listLoadableFiles(files);
  if (path !== undefined) return loadable.find((file) => file.path === path) ?? refuse(loadable, path, "file");
  if (quantization != null) return findQuantization(loadable, quantization);
  const best = chooseBest(loadable, maxBytes);
  const smallest = findSmallest(loadable);
  if (best === null && smallest !== null) throw tooLarge(smallest, maxBytes);
  return best;
}

/**
 * Returns the best of loadable files, from Q8_0 down to four bits, that has at most this many bytes; null if there is
 * none. Files of less than four bits, and files that do not say what they are, are only taken where there are no others.
 */
export function chooseBest(loadable: readonly HubFile[], maxBytes: number): HubFile | null {
  const [best = null] = listGood(loadable)
    .filter((file) => file.size <= maxBytes)
    .sort((a, b) => rank(a) - rank(b) || a.size - b.size || a.path.localeCompare(b.path));
  return best;
}

/** Returns the smallest of the files that `chooseBest` chooses from; null if there is none. */
export function findSmallest(loadable: readonly HubFile[]): HubFile | null {
  const [smallest = null] = listGood(loadable).sort((a, b) => a.size - b.size || a.path.localeCompare(b.path));
  return smallest;
}

function listGood(loadable: readonly HubFile[]): HubFile[] {
  const good = loadable.filter((file) => Number.isFinite(rank(file)));
  return good.length > 0 ? good : [...loadable];
}

const rank = ({ path }: HubFile): number => rankOf(quantizationOf(path));

function findQuantization(loadable: readonly HubFile[], quantization: string): HubFile {
  const [smallest] = loadable
    .filter((file) => quantizationOf(file.path) === quantization)
    .sort((a, b) => a.size - b.size || a.path.localeCompare(b.path));
  return smallest ?? refuse(loadable, quantization, "model_id");
}

function refuse(loadable: readonly HubFile[], requested: string, param: string): never {
  const examples = loadable.slice(0, MAX_EXAMPLES).map(({ path }) => path);
  throw errors.invalidRequest(
    `The repository has no file ${requested} that can be loaded.${examples.length > 0 ? ` It has: ${examples.join(", ")}.` : ""}`,
    { param, details: { files: examples } },
  );
}

/** The error for a repository whose smallest file is larger than `maxBytes`. */
export function tooLarge({ path, size }: HubFile, maxBytes: number) {
  const sizes = { file: `${path} (${toGigabytes(size)})`, memory: toGigabytes(maxBytes) };
  return errors.store.tooLarge(sizes, { param: "model_id", details: { size, max_bytes: maxBytes } });
}
