import { invalidRequest } from "../../shared/errors.ts";
import type { HubFile } from "../hub/hub.ts";

/** Kinds of weights, the one to take first: about four bits a weight is small and still close to the original. */
const PREFERRED = ["q4_k_m", "q4_k_s", "q4_0", "q5_k_m", "q5_k_s", "q6_k", "q8_0", "q3_k_m", "iq4_xs", "bf16", "f16"];

/** The GGUF files of a repository that can be loaded: no parts of a file, and nothing that only goes with another. */
function loadableFiles(files: readonly HubFile[]): HubFile[] {
  return files.filter(({ path, size }) => {
    const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
    return size > 0 && name.endsWith(".gguf") && !/-\d{5}-of-\d{5}\.gguf$/.test(name) && !/mmproj|imatrix/.test(name);
  });
}

/** The file that was asked for, else the one that most would want; null where the repository has none. */
export function chooseFile(files: readonly HubFile[], wanted?: string): HubFile | null {
  const loadable = loadableFiles(files);
  if (wanted !== undefined) {
    const found = loadable.find(({ path }) => path === wanted);
    if (found) return found;
    const some = loadable.slice(0, 10).map(({ path }) => path);
    throw invalidRequest(
      `The repository has no file ${wanted} that can be loaded.${some.length > 0 ? ` It has: ${some.join(", ")}.` : ""}`,
      { param: "file", details: { files: some } },
    );
  }
  const rank = ({ path }: HubFile) => {
    const at = PREFERRED.findIndex((kind) => path.toLowerCase().includes(kind));
    return at < 0 ? PREFERRED.length : at;
  };
  return [...loadable].sort((a, b) => rank(a) - rank(b) || a.size - b.size || a.path.localeCompare(b.path))[0] ?? null;
}
