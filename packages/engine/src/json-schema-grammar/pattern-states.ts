import type { CodePointRange } from "./nodes.ts";
import { type Term, UnsupportedPatternError } from "./pattern-terms.ts";

/** How much may still be looked into; one budget is shared by all patterns of a schema. */
export type StepBudget = { steps: number };

/** A pattern with more characters, repetitions counted, is refused. */
const MAX_POSITIONS = 2_048;
/** The most positions of a pattern that a string may be at simultaneously; llama.cpp tries each of them for each token. */
const MAX_SIMULTANEOUS = 64;
const MAX_STATES = 4_096;

/** The places of characters in a pattern, and which may come after which. */
type Positions = { ranges: (readonly CodePointRange[])[]; follow: Set<number>[] };
type Part = { isNullable: boolean; first: number[]; last: number[] };

/**
 * Throws {@link UnsupportedPatternError} for a pattern with which a string may be at many places at the same time, such as
 * after each `a` of `a.{100}b`, and for one that takes too long to look into.
 */
export function requireFewStates(term: Term, budget: StepBudget): void {
  const positions: Positions = { ranges: [], follow: [] };
  const { first } = walk(term, positions);
  const letters = listLetters(positions.ranges);
  const seen = new Set<string>();
  const pending = [new Set(first)];
  for (let state = pending.pop(); state; state = pending.pop()) {
    for (const letter of letters) {
      const next = advance(state, letter, positions, budget);
      if (next.size > MAX_SIMULTANEOUS)
        throw new UnsupportedPatternError("it can be read in too many ways at the same time");
      const key = [...next].sort((a, b) => a - b).join();
      if (next.size === 0 || seen.has(key)) continue;
      seen.add(key);
      if (seen.size > MAX_STATES) throw new UnsupportedPatternError("it can be read in too many ways");
      pending.push(next);
    }
  }
}

function advance(state: Set<number>, letter: number, { ranges, follow }: Positions, budget: StepBudget): Set<number> {
  budget.steps -= state.size + 1;
  if (budget.steps < 0) throw new UnsupportedPatternError("the patterns of the schema are too complex in sum");
  const next = new Set<number>();
  for (const position of state) {
    const matches = ranges[position]?.some(([from, to]) => from <= letter && letter <= to);
    if (matches) for (const each of follow[position] ?? []) next.add(each);
  }
  return next;
}

/** One code point for each set of code points that all ranges treat alike. */
function listLetters(ranges: readonly (readonly CodePointRange[])[]): number[] {
  return [...new Set(ranges.flat().flatMap(([from, to]) => [from, to + 1]))];
}

function walk(term: Term, positions: Positions): Part {
  switch (term.kind) {
    case "set":
      return addPosition(term.ranges, positions);
    case "sequence":
      return term.parts
        .map((part) => walk(part, positions))
        .reduce((before, after) => join(before, after, positions), { isNullable: true, first: [], last: [] });
    case "choice": {
      const parts = term.options.map((option) => walk(option, positions));
      const isNullable = parts.some((part) => part.isNullable);
      return { isNullable, first: parts.flatMap(({ first }) => first), last: parts.flatMap(({ last }) => last) };
    }
    case "repeat":
      return walkRepeat(term, positions);
    default:
      return { isNullable: true, first: [], last: [] };
  }
}

function addPosition(ranges: readonly CodePointRange[], { ranges: all, follow }: Positions): Part {
  if (all.length >= MAX_POSITIONS) {
    throw new UnsupportedPatternError(`it describes more than ${MAX_POSITIONS} characters, repetitions counted`);
  }
  all.push(ranges);
  follow.push(new Set());
  const position = all.length - 1;
  return { isNullable: false, first: [position], last: [position] };
}

function join(before: Part, after: Part, { follow }: Positions): Part {
  for (const position of before.last) for (const next of after.first) follow[position]?.add(next);
  return {
    isNullable: before.isNullable && after.isNullable,
    first: before.isNullable ? [...before.first, ...after.first] : before.first,
    last: after.isNullable ? [...after.last, ...before.last] : after.last,
  };
}

/** Writes out a repetition as copies of its part. An optional copy can only be reached through the copy before it. */
function walkRepeat({ part, min, max }: Extract<Term, { kind: "repeat" }>, positions: Positions): Part {
  const isEndless = max === Number.POSITIVE_INFINITY;
  let rest: Part = { isNullable: true, first: [], last: [] };
  for (let copy = isEndless ? Math.max(min, 1) : max; copy > 0; copy--) {
    const one = walk(part, positions);
    if (isEndless && rest.first.length === 0) join(one, one, positions);
    const both = join(one, rest, positions);
    rest = copy > min ? { ...both, isNullable: true } : both;
  }
  return rest;
}
