import type { GgufConverter } from "../../engine/index.ts";
import type { HubModel } from "../hub/index.ts";
import { listLoadableFiles } from "./choose-file.ts";
import { readSafetensorsFacts, type SafetensorsFacts } from "./safetensors-facts.ts";
import { toGigabytes } from "./store.errors.ts";

/** How a model in safetensors files becomes a GGUF file. Sizes are in bytes. */
export type ConversionPlan = {
  /** Name of the GGUF file. */
  file: string;
  /** Estimated size of the GGUF file. */
  size: number;
  facts: SafetensorsFacts;
};

type Deps = {
  converter: GgufConverter;
  /** Bytes that a file may have to be loaded here. */
  maxFileBytes: number;
};

/** The quantization that models are converted to: nearly as good as 16 bits, with half the size. */
const QUANTIZATION = "Q8_0";
/** Bits a weight, scales included. */
const BITS = 8.5;

/** Returns the name of the GGUF file that a repository is converted to. */
export function nameConvertedFile(repositoryId: string): string {
  return `${repositoryId.slice(repositoryId.indexOf("/") + 1)}-${QUANTIZATION}.gguf`;
}

/** Whether a request for a file or a quantization is one for the file that a repository is converted to. */
export function asksForConversion(
  repositoryId: string,
  { file, quantization }: { file?: string | undefined; quantization: string | null },
): boolean {
  if (file !== undefined) return file === nameConvertedFile(repositoryId);
  return quantization === null || quantization === QUANTIZATION;
}

/**
 * Returns how a repository would be converted, or in a sentence why it cannot be; null for a repository that has a GGUF file,
 * or none with weights in safetensors files.
 */
export async function planConversion(
  { converter, maxFileBytes }: Deps,
  model: HubModel,
): Promise<ConversionPlan | { problem: string } | null> {
  if (listLoadableFiles(model.files).length > 0) return null;
  const facts = readSafetensorsFacts(model);
  if (facts === null) return null;
  const problem = await converter.findProblem();
  if (problem !== null) return { problem };
  if (model.config?.quantization_config !== undefined)
    return { problem: "Its weights are quantized, and only those in 16 or 32 bits are converted." };
  const size = Math.ceil((facts.parameterSize * BITS) / 8);
  const file = nameConvertedFile(model.id);
  if (size > maxFileBytes) {
    const sizes = `${file} would have about ${toGigabytes(size)}`;
    return { problem: `${sizes}, and a file may have ${toGigabytes(maxFileBytes)} here.` };
  }
  return { file, size, facts };
}
