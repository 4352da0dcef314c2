/** A part of a grammar. */
export type GrammarNode =
  /** These characters. */
  | { readonly kind: "text"; readonly text: string }
  /** One character out of ranges of code points, which are sorted and do not overlap. */
  | { readonly kind: "set"; readonly ranges: readonly CodePointRange[] }
  | { readonly kind: "sequence"; readonly parts: readonly GrammarNode[] }
  /** One of the options. Without options nothing matches. */
  | { readonly kind: "choice"; readonly options: readonly GrammarNode[] }
  /** `max` may be infinite. */
  | { readonly kind: "repeat"; readonly part: GrammarNode; readonly min: number; readonly max: number }
  | { readonly kind: "rule"; readonly name: string };

/** First and last code point of a range. */
export type CodePointRange = readonly [number, number];

/** Returns a node that refers to the rule of that name. `build` is called for a new name. */
export type DefineRule = (name: string, build: () => GrammarNode) => GrammarNode;

/** Matches the empty text. */
export const EMPTY: GrammarNode = { kind: "text", text: "" };
/** Matches nothing at all. */
export const NEVER: GrammarNode = { kind: "choice", options: [] };

/** Returns a node that matches a text. */
export function text(value: string): GrammarNode {
  return { kind: "text", text: value };
}

/** Returns a node that matches one character of the ranges, which may be in any order and overlap. */
export function oneOf(ranges: readonly CodePointRange[]): GrammarNode {
  const merged = mergeRanges(ranges);
  return merged.length === 0 ? NEVER : { kind: "set", ranges: merged };
}

/** Returns a node that matches the parts one after another. */
export function sequence(...parts: readonly GrammarNode[]): GrammarNode {
  const flat = parts
    .flatMap((part) => (part.kind === "sequence" ? part.parts : [part]))
    .filter((part) => part.kind !== "text" || part.text !== "");
  const [first] = flat;
  if (first === undefined) return EMPTY;
  return flat.length === 1 ? first : { kind: "sequence", parts: flat };
}

/** Returns a node that matches one of the options. */
export function choice(options: readonly GrammarNode[]): GrammarNode {
  const flat = options.flatMap((option) => (option.kind === "choice" ? option.options : [option]));
  const [first] = flat;
  return first !== undefined && flat.length === 1 ? first : { kind: "choice", options: flat };
}

/** Returns a node that matches a part between `min` and `max` times. */
export function repeat(part: GrammarNode, min: number, max: number): GrammarNode {
  if (max < min) return NEVER;
  if (max === 0) return EMPTY;
  return min === 1 && max === 1 ? part : { kind: "repeat", part, min, max };
}

/** Returns a node that matches a part or the empty text. */
export function optional(part: GrammarNode): GrammarNode {
  return repeat(part, 0, 1);
}

/** Returns a node that refers to the rule of that name. */
export function rule(name: string): GrammarNode {
  return { kind: "rule", name };
}

/** Returns sorted ranges without overlaps that cover the same code points. */
export function mergeRanges(ranges: readonly CodePointRange[]): CodePointRange[] {
  const merged: [number, number][] = [];
  for (const [first, last] of ranges.toSorted(([a], [b]) => a - b)) {
    const previous = merged.at(-1);
    if (previous && first <= previous[1] + 1) previous[1] = Math.max(previous[1], last);
    else merged.push([first, last]);
  }
  return merged;
}

/** Returns the ranges of all code points that the given ones do not cover. */
export function invertRanges(ranges: readonly CodePointRange[]): CodePointRange[] {
  const inverted: CodePointRange[] = [];
  let next = 0;
  for (const [first, last] of mergeRanges(ranges)) {
    if (first > next) inverted.push([next, first - 1]);
    next = last + 1;
  }
  return next <= MAX_CODE_POINT ? [...inverted, [next, MAX_CODE_POINT]] : inverted;
}

/** Returns the ranges of the code points that both cover. */
export function intersectRanges(a: readonly CodePointRange[], b: readonly CodePointRange[]): CodePointRange[] {
  return invertRanges([...invertRanges(a), ...invertRanges(b)]);
}

/** The last code point of Unicode. */
export const MAX_CODE_POINT = 0x10_ff_ff;
