import { errors } from "../../core/errors/index.ts";
import type { HubFile } from "../hub/index.ts";

/** Quantizations by preference: about four bits per weight are small and still close to the original. */
const PREFERRED_QUANTIZATIONS = [
  "q4_k_m",
  "q4_k_s",
  "q4_0",
  "q5_k_m",
  "q5_k_s",
  "q6_k",
  "q8_0",
  "q3_k_m",
  "iq4_xs",
  "bf16",
  "f16",
];

/** Returns the GGUF files that can be loaded alone: no shards, projectors or importance matrices. */
function listLoadableFiles(files: readonly HubFile[]): HubFile[] {
  return files.filter(({ path, size }) => {
    const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
    return size > 0 && name.endsWith(".gguf") && !/-\d{5}-of-\d{5}\.gguf$/.test(name) && !/mmproj|imatrix/.test(name);
  });
}

/**
 * Returns the requested file, else the preferred one; null if there is none. Throws `invalid_request` for an unknown
 * path.
 */
export function chooseFile(files: readonly HubFile[], requestedPath?: string): HubFile | null {
  const loadable = listLoadableFiles(files);
  if (requestedPath !== undefined) {
    const found = loadable.find(({ path }) => path === requestedPath);
    if (found) return found;
    const examples = loadable.slice(0, 10).map(({ path }) => path);
    throw errors.invalidRequest(
      `The repository has no file ${requestedPath} that can be loaded.${examples.length > 0 ? ` It has: ${examples.join(", ")}.` : ""}`,
      { param: "file", details: { files: examples } },
    );
  }
  const rank = ({ path }: HubFile) => {
    const index = PREFERRED_QUANTIZATIONS.findIndex((kind) => path.toLowerCase().includes(kind));
    return index < 0 ? PREFERRED_QUANTIZATIONS.length : index;
  };
  return [...loadable].sort((a, b) => rank(a) - rank(b) || a.size - b.size || a.path.localeCompare(b.path))[0] ?? null;
}
