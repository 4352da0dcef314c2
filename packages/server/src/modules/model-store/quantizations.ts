/**
 * Quantizations with nearly the quality of the original, best first. Smaller ones are used only if they are requested or
 * the repository has no others.
 */
const GOOD_QUANTIZATIONS = [
  "Q8_0",
  "Q6_K",
  "Q5_K_M",
  "Q5_K_S",
  "Q5_1",
  "Q5_0",
  "Q4_K_M",
  "Q4_K_S",
  "Q4_1",
  "Q4_0",
  "IQ4_NL",
  "IQ4_XS",
  "MXFP4",
  // 16-bit weights are larger than all others, so they are used only without others.
  "BF16",
  "F16",
];

/** Quantizations in nearly the original precision. A file without a quantization in its name counts as one of them. */
const PRECISE_QUANTIZATIONS: readonly (string | null)[] = [null, "Q8_0", "BF16", "F16", "F32"];

/** Matches the quantization in a file name such as `qwen3-8b-q4_k_m.gguf` or `Qwen3-8B.IQ4_XS.gguf`. */
const IN_FILE_NAME = /(?:^|[-._])((?:i?q|tq)\d(?:_[a-z0-9]+)*|mxfp4(?:_moe)?|bf16|f16|f32)(?=[-.]|$)/gi;
const QUANTIZATION = /^(?:I?Q|TQ)\d(?:_[A-Z0-9]+)*$|^MXFP4(?:_MOE)?$|^BF16$|^F16$|^F32$/;

/** Returns the quantization in a file's name, in capitals; null if the name has none. */
export function quantizationOf(path: string): string | null {
  const name = path.slice(path.lastIndexOf("/") + 1).replace(/\.gguf$/i, "");
  return [...name.matchAll(IN_FILE_NAME)].at(-1)?.[1]?.toUpperCase() ?? null;
}

/** Returns whether a file with this quantization is in nearly its original precision. */
export const isPrecise = (quantization: string | null): boolean => PRECISE_QUANTIZATIONS.includes(quantization);

/** Returns the position of a quantization in the list of good ones, 0 for the best; infinity if it is not in the list. */
export function rankOf(quantization: string | null): number {
  const index = GOOD_QUANTIZATIONS.indexOf(quantization ?? "");
  return index < 0 ? Number.POSITIVE_INFINITY : index;
}

/** Splits `owner/name:Q5_K_M` into the id and the quantization, which is null if none is named. */
export function parseModelReference(reference: string): { id: string; quantization: string | null } {
  const at = reference.lastIndexOf(":");
  const quantization = reference.slice(at + 1).toUpperCase();
  if (at < 0 || !QUANTIZATION.test(quantization)) return { id: reference, quantization: null };
  return { id: reference.slice(0, at), quantization };
}
