/** The name of one part of a split model file, as llama.cpp writes and finds it: `model-00002-of-00003.gguf`. */
export type PartName = {
  /** What stands before the number, with the folder. */
  prefix: string;
  /** The number of the part, from 1. */
  number: number;
  /** The number of parts. */
  count: number;
};

/** Above any real model. */
const MAX_PARTS = 1_000;
const PART_NAME = /^(.+)-(\d{5})-of-(\d{5})\.gguf$/i;

/** Returns what a name says of the part that it is; null for a file that is whole. */
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

/** Returns the paths of all parts of the file that a path belongs to, in their order; the path alone if it is whole. */
export function listPartPaths(path: string): string[] {
  const part = parsePartName(path);
  if (part === null) return [path];
  return Array.from({ length: part.count }, (_, index) => formatPartName({ ...part, number: index + 1 }));
}
