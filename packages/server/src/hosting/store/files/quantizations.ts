/**
 * Quantizations of at least four bits, in the order in which a download takes them. Smaller ones are only chosen when they
 * are asked for, or when a repository has no other.
 */
const GOOD_QUANTIZATIONS = [
  "Q8_0",
  // Up to a third larger than Q8_0, and hardly better.
  "Q8_K_XL",
  "Q6_K_XL",
  "Q6_K_L",
  "Q6_K",
  "Q5_K_XL",
  "Q5_K_L",
  "Q5_K_M",
  "Q5_K",
  "Q5_K_S",
  "Q5_1",
  "Q5_0",
  "Q4_K_XL",
  "Q4_K_L",
  "Q4_K_M",
  "Q4_K",
  "Q4_K_S",
  "Q4_1",
  "Q4_0",
  "IQ4_NL",
  "IQ4_XS",
  "NVFP4",
  "MXFP4",
  "MXFP4_MOE",
  // 16-bit weights: larger than all others, so only where there are no others.
  "BF16",
  "F16",
];

/** Quantizations in nearly the original precision; a file that says none is taken for one of them. */
const PRECISE_QUANTIZATIONS: readonly (string | null)[] = [null, "Q8_0", "Q8_K_XL", "BF16", "F16", "F32"];

/** The types of llama.cpp with the variants that publishers make of them, such as `Q4_K_XL`. */
const TYPE = "(?:ud-)?(?:(?:i?q|tq)\\d(?:_[a-z0-9]+)*|(?:mx|nv)fp\\d(?:_[a-z0-9]+)*|bf16|fp?(?:16|32))";
/** The name of a quantization in the name of a file: `qwen3-8b-q4_k_m.gguf`, `Qwen3-8B.IQ4_XS.gguf`. */
const IN_FILE_NAME = new RegExp(`(?:^|[-._])(${TYPE})(?=[-.]|$)`, "gi");
const QUANTIZATION = new RegExp(`^${TYPE}$`, "i");

/** What unsloth puts in front of the name of a type when its layers have types of their own (`UD-Q4_K_XL`). */
const DYNAMIC_PREFIX = /^UD-/;

/** Returns the quantization in a file's name, in capitals; null if the name has none. */
export function quantizationOf(path: string): string | null {
  const name = path.slice(path.lastIndexOf("/") + 1).replace(/\.gguf$/i, "");
  const [, found] = [...name.matchAll(IN_FILE_NAME)].at(-1) ?? [];
  return found === undefined ? null : toName(found);
}

/** Whether a file of this quantization is in nearly its original precision. */
export const isPrecise = (quantization: string | null): boolean =>
  PRECISE_QUANTIZATIONS.includes(quantization && typeOf(quantization));

/** Returns the position of a quantization in the list of good ones, 0 for the best; infinity if it is not in the list. */
export function rankOf(quantization: string | null): number {
  const index = GOOD_QUANTIZATIONS.indexOf(typeOf(quantization ?? ""));
  return index < 0 ? Number.POSITIVE_INFINITY : index;
}

/** Returns the type of llama.cpp, or its variant, of a quantization: `Q4_K_XL` for `UD-Q4_K_XL`. */
export const typeOf = (quantization: string): string => quantization.replace(DYNAMIC_PREFIX, "");

/** Splits `owner/name:Q5_K_M` into the id and the quantization, which is null if none is named. */
export function parseModelReference(reference: string): { id: string; quantization: string | null } {
  const at = reference.lastIndexOf(":");
  const quantization = reference.slice(at + 1);
  if (at < 0 || !QUANTIZATION.test(quantization)) return { id: reference, quantization: null };
  return { id: reference.slice(0, at), quantization: toName(quantization) };
}

/** Returns the name in capitals. Some publishers write `fp16` for llama.cpp's `F16`. */
function toName(found: string): string {
  return found.toUpperCase().replace(/^FP(?=16$|32$)/, "F");
}
