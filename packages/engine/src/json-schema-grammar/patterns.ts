import { STRING_CHARACTER, stringCharacter } from "./json-text.ts";
import {
  type CodePointRange,
  choice,
  EMPTY,
  type GrammarNode,
  invertRanges,
  MAX_CODE_POINT,
  repeat,
  sequence,
} from "./nodes.ts";
import { requireFewStates, type StepBudget } from "./pattern-states.ts";
import { type Term, UnsupportedPatternError } from "./pattern-terms.ts";

/** The text within the quotes of a string, or why a pattern can't be held. */
export type PatternGrammar = { node: GrammarNode } | { reason: string };

/** Counts of characters; `max` may be infinite. */
export type LengthLimits = { min: number; max: number };

const MAX_PATTERN_LENGTH = 2_048;
const MAX_GROUPS = 32;

/**
 * Returns a grammar for the strings that match an ECMAScript regular expression and whose number of characters is
 * within `length`. Without anchors, any characters may come before and after the match. Literal characters, classes,
 * groups, alternatives and counts are supported. For any other pattern, and for one that is too large, returns the
 * reason instead.
 */
export function patternGrammar(pattern: string, length: LengthLimits, budget: StepBudget): PatternGrammar {
  try {
    if (pattern.length > MAX_PATTERN_LENGTH) throw new UnsupportedPatternError("it is too long");
    const limited = limitLength(toWhole(parsePattern(pattern)), length);
    requireFewStates(limited, budget);
    return { node: toNode(limited) };
  } catch (error) {
    if (error instanceof UnsupportedPatternError) return { reason: error.message };
    throw error;
  }
}

/** Reads the text of a pattern. */
type Reader = { characters: readonly string[]; at: number; groups: number };

function parsePattern(pattern: string): Term {
  const reader: Reader = { characters: Array.from(pattern), at: 0, groups: 0 };
  const term = parseChoice(reader);
  if (reader.at < reader.characters.length) throw new UnsupportedPatternError("a bracket is closed that is not open");
  return term;
}

function peek({ characters, at }: Reader): string | undefined {
  return characters[at];
}

function take(reader: Reader): string {
  const character = reader.characters[reader.at];
  if (character === undefined) throw new UnsupportedPatternError("it ends too early");
  reader.at += 1;
  return character;
}

function takeIf(reader: Reader, expected: string): boolean {
  const isNext = reader.characters.slice(reader.at, reader.at + expected.length).join("") === expected;
  if (isNext) reader.at += expected.length;
  return isNext;
}

function parseChoice(reader: Reader): Term {
  const options = [parseSequence(reader)];
  while (takeIf(reader, "|")) options.push(parseSequence(reader));
  const [first] = options;
  return first && options.length === 1 ? first : { kind: "choice", options };
}

function parseSequence(reader: Reader): Term {
  const parts: Term[] = [];
  for (let next = peek(reader); next !== undefined && next !== "|" && next !== ")"; next = peek(reader)) {
    parts.push(parseCounts(reader, parseAtom(reader)));
  }
  return { kind: "sequence", parts };
}

function parseAtom(reader: Reader): Term {
  const character = take(reader);
  if (character === "^") return { kind: "start" };
  if (character === "$") return { kind: "end" };
  if (character === ".") return { kind: "set", ranges: invertRanges(LINE_ENDS) };
  if (character === "(") return parseGroup(reader);
  if (character === "[") return { kind: "set", ranges: parseClass(reader) };
  if (character === "\\") return { kind: "set", ranges: parseEscape(reader) };
  if ("*+?{".includes(character)) throw new UnsupportedPatternError(`"${character}" repeats nothing`);
  return { kind: "set", ranges: single(character) };
}

function parseGroup(reader: Reader): Term {
  reader.groups += 1;
  if (reader.groups > MAX_GROUPS) throw new UnsupportedPatternError(`it has more than ${MAX_GROUPS} groups`);
  if (takeIf(reader, "?") && !takeIf(reader, ":")) {
    const isNamed = takeIf(reader, "<") && !["=", "!"].includes(peek(reader) ?? "");
    if (!isNamed) throw new UnsupportedPatternError("it looks ahead or behind");
    while (take(reader) !== ">");
  }
  const term = parseChoice(reader);
  if (!takeIf(reader, ")")) throw new UnsupportedPatternError("a bracket is not closed");
  return term;
}

function parseCounts(reader: Reader, part: Term): Term {
  const counts = takeCounts(reader);
  if (counts === null) return part;
  takeIf(reader, "?");
  if (takeCounts(reader) !== null) throw new UnsupportedPatternError("it repeats a repetition");
  if (part.kind === "start" || part.kind === "end") throw new UnsupportedPatternError("it repeats an anchor");
  const [min, max] = counts;
  if (max < min) throw new UnsupportedPatternError("a repetition has its counts the wrong way round");
  if (max === Number.POSITIVE_INFINITY && isNullable(part)) {
    throw new UnsupportedPatternError("it repeats without end what may be empty");
  }
  return { kind: "repeat", part, min, max };
}

function takeCounts(reader: Reader): [number, number] | null {
  if (takeIf(reader, "*")) return [0, Number.POSITIVE_INFINITY];
  if (takeIf(reader, "+")) return [1, Number.POSITIVE_INFINITY];
  if (takeIf(reader, "?")) return [0, 1];
  if (!takeIf(reader, "{")) return null;
  const min = takeInteger(reader);
  if (takeIf(reader, "}")) return [min, min];
  if (!takeIf(reader, ",")) throw new UnsupportedPatternError("a repetition has no counts");
  if (takeIf(reader, "}")) return [min, Number.POSITIVE_INFINITY];
  const max = takeInteger(reader);
  if (!takeIf(reader, "}")) throw new UnsupportedPatternError("a repetition is not closed");
  return [min, max];
}

function takeInteger(reader: Reader): number {
  let digits = "";
  for (let next = peek(reader); next !== undefined && /\d/.test(next) && digits.length < 6; next = peek(reader)) {
    digits += take(reader);
  }
  if (digits === "") throw new UnsupportedPatternError("a repetition has no counts");
  return Number(digits);
}

function parseClass(reader: Reader): CodePointRange[] {
  const isNegated = takeIf(reader, "^");
  const ranges: CodePointRange[] = [];
  while (!takeIf(reader, "]")) {
    const first = parseClassAtom(reader);
    const isRange = peek(reader) === "-" && ![undefined, "]"].includes(reader.characters[reader.at + 1]);
    if (!isRange) {
      ranges.push(...first);
      continue;
    }
    take(reader);
    ranges.push([requireSingle(first), requireSingle(parseClassAtom(reader))]);
  }
  if (ranges.some(([first, last]) => first > last)) throw new UnsupportedPatternError("a range is the wrong way round");
  return isNegated ? invertRanges(ranges) : ranges;
}

function parseClassAtom(reader: Reader): readonly CodePointRange[] {
  const character = take(reader);
  if (character !== "\\") return single(character);
  return takeIf(reader, "b") ? [[8, 8]] : parseEscape(reader);
}

function requireSingle(ranges: readonly CodePointRange[]): number {
  const [range, ...others] = ranges;
  if (!range || others.length > 0 || range[0] !== range[1]) {
    throw new UnsupportedPatternError("a range goes from or to a class");
  }
  return range[0];
}

const DIGITS: readonly CodePointRange[] = [[0x30, 0x39]];
const WORD: readonly CodePointRange[] = [...DIGITS, [0x41, 0x5a], [0x5f, 0x5f], [0x61, 0x7a]];
const LINE_ENDS: readonly CodePointRange[] = [
  [0xa, 0xa],
  [0xd, 0xd],
  [0x20_28, 0x20_29],
];
const WHITE_SPACE: readonly CodePointRange[] = [
  ...LINE_ENDS,
  [0x9, 0xd],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x16_80, 0x16_80],
  [0x20_00, 0x20_0a],
  [0x20_2f, 0x20_2f],
  [0x20_5f, 0x20_5f],
  [0x30_00, 0x30_00],
  [0xfe_ff, 0xfe_ff],
];
const CLASS_ESCAPES: ReadonlyMap<string, readonly CodePointRange[]> = new Map([
  ["d", DIGITS],
  ["D", invertRanges(DIGITS)],
  ["w", WORD],
  ["W", invertRanges(WORD)],
  ["s", WHITE_SPACE],
  ["S", invertRanges(WHITE_SPACE)],
  ["t", [[9, 9]]],
  ["n", [[10, 10]]],
  ["v", [[11, 11]]],
  ["f", [[12, 12]]],
  ["r", [[13, 13]]],
]);

function parseEscape(reader: Reader): readonly CodePointRange[] {
  const character = take(reader);
  const known = CLASS_ESCAPES.get(character);
  if (known) return known;
  if (character === "x") return code(takeHex(reader, 2));
  if (character === "u") return code(takeIf(reader, "{") ? takeHexInBraces(reader) : takeHex(reader, 4));
  if (/[\dA-Za-z]/.test(character)) throw new UnsupportedPatternError(`it has "\\${character}"`);
  return single(character);
}

function takeHex(reader: Reader, length: number): string {
  return Array.from({ length }, () => take(reader)).join("");
}

function takeHexInBraces(reader: Reader): string {
  let hex = "";
  for (let next = take(reader); next !== "}"; next = take(reader)) hex += next;
  return hex;
}

function code(hex: string): CodePointRange[] {
  const codePoint = /^[\dA-Fa-f]{1,6}$/.test(hex) ? Number.parseInt(hex, 16) : Number.POSITIVE_INFINITY;
  // A pair of surrogates means one character, which the pattern has to name itself.
  const isSurrogate = codePoint >= 0xd8_00 && codePoint <= 0xdf_ff;
  if (codePoint > MAX_CODE_POINT || isSurrogate) throw new UnsupportedPatternError(`it has the code "${hex}"`);
  return [[codePoint, codePoint]];
}

function single(character: string): CodePointRange[] {
  const codePoint = character.codePointAt(0) ?? 0;
  return [[codePoint, codePoint]];
}

const ANY_CHARACTERS: Term = {
  kind: "repeat",
  part: { kind: "set", ranges: [[0, MAX_CODE_POINT]] },
  min: 0,
  max: Number.POSITIVE_INFINITY,
};

/** Replaces anchors: an alternative that lacks one may have any characters there. */
function toWhole(term: Term): Term {
  const options = term.kind === "choice" ? term.options : [term];
  return { kind: "choice", options: options.map(anchorOption) };
}

function anchorOption(option: Term): Term {
  const parts = option.kind === "sequence" ? [...option.parts] : [option];
  const hasStart = parts[0]?.kind === "start";
  if (hasStart) parts.shift();
  const hasEnd = parts.at(-1)?.kind === "end";
  if (hasEnd) parts.pop();
  if (parts.some(hasAnchor)) throw new UnsupportedPatternError("it has an anchor within");
  return {
    kind: "sequence",
    parts: [...(hasStart ? [] : [ANY_CHARACTERS]), ...parts, ...(hasEnd ? [] : [ANY_CHARACTERS])],
  };
}

function hasAnchor(term: Term): boolean {
  if (term.kind === "start" || term.kind === "end") return true;
  if (term.kind === "repeat") return hasAnchor(term.part);
  if (term.kind === "set") return false;
  return (term.kind === "sequence" ? term.parts : term.options).some(hasAnchor);
}

function isNullable(term: Term): boolean {
  return lengthOf(term).min === 0;
}

/** How many characters a term matches. */
function lengthOf(term: Term): LengthLimits {
  switch (term.kind) {
    case "set":
      return { min: 1, max: 1 };
    case "sequence":
      return term.parts
        .map(lengthOf)
        .reduce((a, b) => ({ min: a.min + b.min, max: a.max + b.max }), { min: 0, max: 0 });
    case "choice": {
      const lengths = term.options.map(lengthOf);
      return { min: Math.min(...lengths.map(({ min }) => min)), max: Math.max(...lengths.map(({ max }) => max)) };
    }
    case "repeat": {
      const { min, max } = lengthOf(term.part);
      return { min: min * term.min, max: max === 0 ? 0 : max * term.max };
    }
    default:
      return { min: 0, max: 0 };
  }
}

/**
 * Narrows the counts of a repetition until the number of characters that the term matches is within `length`. That
 * works where all parts have a fixed length, except for one repetition of single characters.
 */
function limitLength(term: Term, length: LengthLimits): Term {
  if (term.kind === "choice")
    return { kind: "choice", options: term.options.map((option) => limitLength(option, length)) };
  const { min, max } = lengthOf(term);
  if (min >= length.min && max <= length.max) return term;
  if (min > length.max || max < length.min) return { kind: "choice", options: [] };
  const parts = term.kind === "sequence" ? term.parts : [term];
  const lengths = parts.map(lengthOf);
  const variable = lengths.findIndex((each) => each.min !== each.max);
  const part = parts[variable];
  const isLast = lengths.findLastIndex((each) => each.min !== each.max) === variable;
  if (!part || !isLast || part.kind !== "repeat" || part.part.kind !== "set") {
    throw new UnsupportedPatternError("its length can't be limited");
  }
  const fixed = lengths.reduce((sum, each, index) => sum + (index === variable ? 0 : each.min), 0);
  const counted = { ...part, min: Math.max(part.min, length.min - fixed), max: Math.min(part.max, length.max - fixed) };
  return { kind: "sequence", parts: parts.with(variable, counted) };
}

function toNode(term: Term): GrammarNode {
  switch (term.kind) {
    case "set":
      return toCharacter(term.ranges);
    case "sequence":
      return sequence(...term.parts.map(toNode));
    case "choice":
      return choice(term.options.map(toNode));
    case "repeat":
      return repeat(toNode(term.part), term.min, term.max);
    default:
      return EMPTY;
  }
}

function toCharacter(ranges: readonly CodePointRange[]): GrammarNode {
  return invertRanges(ranges).length === 0 ? STRING_CHARACTER : stringCharacter(ranges);
}
