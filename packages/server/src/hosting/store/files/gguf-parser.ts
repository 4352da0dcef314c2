/** Reads the headers of GGUF files; runs in worker threads (`platform/core/parse-pool.ts`), since a file is untrusted. */
import { gguf } from "@huggingface/gguf";
import { listPartPaths } from "../../../platform/core/models/split-files.ts";
import type { GgufHeader } from "./gguf-facts.ts";

const CLASSIFIER_TENSOR = /^cls\./;

/**
 * Reads the header of a file and, if it is split, those of its other parts. Returns the number of parameters of all parts,
 * and the fields of the first part without the vocabulary, which is large. Throws for files of another format.
 */
export default async function readHeaders(firstPath: string): Promise<GgufHeader> {
  const paths = listPartPaths(firstPath);
  let parameterCount = 0;
  let first: Record<string, unknown> = {};
  let hasClassifier = false;
  for (const [index, path] of paths.entries()) {
    const header = await gguf(path, { allowLocalFile: true, computeParametersCount: true });
    const fields: Record<string, unknown> = { ...header.metadata };
    checkPart(fields, index, paths.length);
    if (index === 0) first = fields;
    parameterCount += header.parameterCount;
    hasClassifier ||= header.tensorInfos.some(({ name }) => CLASSIFIER_TENSOR.test(name));
  }
  const fields = Object.entries(first).filter(([name]) => !name.startsWith("tokenizer.ggml."));
  const tokens = first["tokenizer.ggml.tokens"];
  const vocabularySize = Array.isArray(tokens) ? tokens.length : 0;
  return { fields: Object.fromEntries(fields), parameterCount, vocabularySize, hasClassifier };
}

/**
 * Throws unless the part number in the header equals the one in the file's name. llama.cpp refuses files where they differ.
 */
function checkPart(fields: Record<string, unknown>, index: number, count: number): void {
  const [place, places] = [Number(fields["split.no"] ?? 0), Number(fields["split.count"] ?? 1)];
  const isWhole = count === 1 && places <= 1;
  if (!isWhole && (place !== index || places !== count))
    throw new Error(`it says that it is part ${place + 1} of ${places}, and is part ${index + 1} of ${count}`);
}
