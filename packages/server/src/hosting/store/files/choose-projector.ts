import { parsePartName } from "../../../platform/core/models/split-files.ts";
import type { HubFile } from "../../hub/index.ts";
import { isProjector } from "../model-files.ts";
import { quantizationOf } from "./quantizations.ts";

/**
 * Types of projectors, the best first. They are small beside the model, and lose more by quantization. Not every graphics card
 * computes with BF16.
 */
const TYPES: readonly (string | null)[] = ["F16", "BF16", "Q8_0", "F32"];

/**
 * Returns the projector file of a repository, with which llama.cpp reads images for its model; null if there is none. Of
 * several, the one of the best type.
 */
export function chooseProjector(files: readonly HubFile[]): HubFile | null {
  const [best = null] = files
    .filter((file) => isProjector(file) && parsePartName(file.path) === null)
    .sort((a, b) => rank(a) - rank(b) || a.size - b.size || a.path.localeCompare(b.path));
  return best;
}

function rank({ path }: HubFile): number {
  const index = TYPES.indexOf(quantizationOf(path));
  return index < 0 ? TYPES.length : index;
}
