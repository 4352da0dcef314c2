/** The parsed name of one part of a split model file, in llama.cpp's form: `model-00002-of-00003.gguf`. */
export type PartName = {
  /** The text before the number, including the folder. */
  prefix: string;
  /** The number of the part, from 1. */
  number: number;
  /** The number of parts. */
  count: number;
};

/** More than any real model has. */
const MAX_PARTS = 1_000;
const PART_NAME = /^(.+)-(\d{5})-of-(\d{5})\.gguf$/i;

/** Returns the parsed name of a part; null for a file that is not split. */
export function parsePartName(path: string): PartName | null {
  const [, prefix = "", number = "", count = ""] = PART_NAME.exec(path) ?? [];
  const part = { prefix, number: Number(number), count: Number(count) };
  const isPart = part.number >= 1 && part.number <= part.count && part.count <= MAX_PARTS;
  return isPart ? part : null;
}

/** Returns the name of a part. */
export function formatPartName({ prefix, number, count }: PartName): string {
  return `${prefix}-${String(number).padStart(5, "0")}-of-${String(count).padStart(5, "0")}.gguf`;
}

/**
 * Returns the paths of all parts of the file that a path belongs to, in their order; only the path itself if the file is
 * not split.
 */
export function listPartPaths(path: string): string[] {
  const part = parsePartName(path);
  if (part === null) return [path];
  return Array.from({ length: part.count }, (_, index) => formatPartName({ ...part, number: index + 1 }));
}
