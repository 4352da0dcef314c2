import type { HubModel } from "../../hub/index.ts";
import type { GgufConverter } from "../../runtimes/index.ts";
import { listLoadableFiles } from "../files/choose-file.ts";
import { readSafetensorsFacts, type SafetensorsFacts } from "../files/safetensors-facts.ts";
import { toGigabytes } from "../store.errors.ts";

/**
 * The GGUF file that a repository of safetensors files is converted to, and the files that it is made from. Sizes are in
 * bytes.
 */
export type ConversionPlan = {
  /** Name of the GGUF file. */
  file: string;
  /** Estimated size of the GGUF file. */
  size: number;
  facts: SafetensorsFacts;
};

type Deps = {
  converter: GgufConverter;
  /** The largest file that can be loaded here, in bytes. */
  maxFileBytes: number;
};

/** The quantization that models are converted to: nearly as good as 16 bits, with half the size. */
const QUANTIZATION = "Q8_0";
/** Bits per weight, scales included. */
const BITS = 8.5;

/** Returns the name of the GGUF file that a repository is converted to. */
export function nameConvertedFile(repositoryId: string): string {
  return `${repositoryId.slice(repositoryId.indexOf("/") + 1)}-${QUANTIZATION}.gguf`;
}

/** Returns whether a request allows the converted file: it names that file, its quantization, or neither. */
export function asksForConversion(
  repositoryId: string,
  { file, quantization }: { file?: string | undefined; quantization: string | null },
): boolean {
  if (file !== undefined) return file === nameConvertedFile(repositoryId);
  return quantization === null || quantization === QUANTIZATION;
}

/**
 * Returns how a repository would be converted, or a sentence that says why it cannot be. Null for a repository with a GGUF
 * file or without safetensors files.
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
