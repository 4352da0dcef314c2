import type { CodePointRange } from "./nodes.ts";

/** What a regular expression consists of. An anchor is only understood where a pattern begins or ends. */
export type Term =
  | { kind: "set"; ranges: readonly CodePointRange[] }
  | { kind: "sequence"; parts: readonly Term[] }
  | { kind: "choice"; options: readonly Term[] }
  | { kind: "repeat"; part: Term; min: number; max: number }
  | { kind: "start" }
  | { kind: "end" };

/** Thrown for what the subset of regular expressions does not have. */
export class UnsupportedPatternError extends Error {}
