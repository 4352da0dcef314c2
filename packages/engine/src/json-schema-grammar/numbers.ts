import { ANY_NUMBER } from "./json-text.ts";
import {
  type CodePointRange,
  choice,
  type DefineRule,
  EMPTY,
  type GrammarNode,
  NEVER,
  oneOf,
  optional,
  repeat,
  rule,
  sequence,
  text,
} from "./nodes.ts";

/** Limits of a number; undefined where there is none. */
export type NumberLimits = {
  minimum: number | undefined;
  exclusiveMinimum: number | undefined;
  maximum: number | undefined;
  exclusiveMaximum: number | undefined;
  multipleOf: number | undefined;
};

/** The keywords of {@link NumberLimits}. */
export const NUMBER_KEYWORDS = ["minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf"] as const;
/** A keyword of {@link NumberLimits}. */
export type NumberKeyword = (typeof NUMBER_KEYWORDS)[number];

/** A node for numbers, and the keywords that it does not hold, with why. */
export type NumberGrammar = { node: GrammarNode; unheld: readonly (readonly [NumberKeyword, string])[] };

/** More digits are not exact in the numbers of most languages. */
const MAX_DIGITS = 15;
const LARGEST = 10n ** BigInt(MAX_DIGITS) - 1n;
/** The most multiples that are listed one by one. */
const MAX_LISTED = 200n;
/** The most digits of multiples without limits. */
const MAX_MULTIPLE_DIGITS = 12;
/** Multiples of larger numbers need too many rules. */
const MAX_DIVISOR = 50;
/** Digits behind those that a limit has. */
const EXTRA_DIGITS = 6;

const DIGIT = oneOf([[0x30, 0x39]]);
const NON_ZERO_DIGIT = oneOf([[0x31, 0x39]]);

/** Returns a node for integers within limits, written without exponents. */
export function integerGrammar(limits: NumberLimits, define: DefineRule): NumberGrammar {
  const unheld: [NumberKeyword, string][] = [];
  const low = toIntegerLimit(limits, "minimum", unheld);
  const high = toIntegerLimit(limits, "maximum", unheld);
  const { multipleOf } = limits;
  const isPlain = low === null && high === null;
  if (multipleOf === undefined || 1 % multipleOf === 0 || toPowerOfTen(multipleOf) !== null) {
    return { node: isPlain ? rule("integer") : integerRange(low, high), unheld };
  }
  const step = BigInt(Number.isInteger(multipleOf) ? multipleOf : 0);
  if (step > 0n) {
    if (low !== null && high !== null && (high - low) / step <= MAX_LISTED) {
      return { node: choice(listMultiples(low, high, step)), unheld };
    }
    if (isPlain && multipleOf <= MAX_DIVISOR) return { node: multiples(multipleOf, define), unheld };
  }
  const reason = isPlain
    ? `only multiples of integers up to ${MAX_DIVISOR} can be held`
    : `with limits, only up to ${MAX_LISTED} multiples can be held`;
  unheld.push(["multipleOf", reason]);
  return { node: isPlain ? rule("integer") : integerRange(low, high), unheld };
}

/** Returns the smallest (or largest) integer within the limits, null for none. */
function toIntegerLimit(
  limits: NumberLimits,
  side: "minimum" | "maximum",
  unheld: [NumberKeyword, string][],
): bigint | null {
  const isMinimum = side === "minimum";
  const exclusive = isMinimum ? "exclusiveMinimum" : "exclusiveMaximum";
  const round = isMinimum ? Math.ceil : Math.floor;
  const inner = (value: number) => round(value) + (Number.isInteger(value) ? (isMinimum ? 1 : -1) : 0);
  const candidates: number[] = [];
  for (const [name, value] of [
    [side, limits[side]],
    [exclusive, limits[exclusive]],
  ] as const) {
    if (value === undefined) continue;
    if (Math.abs(value) > Number.MAX_SAFE_INTEGER - 1) unheld.push([name, "the limit is too large to be exact"]);
    else candidates.push(name === exclusive ? inner(value) : round(value));
  }
  if (candidates.length === 0) return null;
  return BigInt(isMinimum ? Math.max(...candidates) : Math.min(...candidates));
}

function listMultiples(low: bigint, high: bigint, step: bigint): GrammarNode[] {
  const listed: GrammarNode[] = [];
  const remainder = ((low % step) + step) % step;
  for (let value = remainder === 0n ? low : low + step - remainder; value <= high; value += step) {
    listed.push(text(String(value)));
  }
  return listed;
}

/** Follows the remainder from digit to digit, with a rule for each remainder and count of digits that are left. */
function multiples(divisor: number, define: DefineRule): GrammarNode {
  const rest = (remainder: number, digits: number): GrammarNode =>
    define(`m${divisor}-${remainder}-${digits}`, () =>
      choice([...(remainder === 0 ? [EMPTY] : []), ...(digits === 0 ? [] : next(remainder, 0, digits - 1))]),
    );
  const next = (remainder: number, firstDigit: number, digits: number): GrammarNode[] => {
    const byRemainder = new Map<number, CodePointRange[]>();
    for (let digit = firstDigit; digit <= 9; digit++) {
      const reached = (remainder * 10 + digit) % divisor;
      byRemainder.set(reached, [...(byRemainder.get(reached) ?? []), [0x30 + digit, 0x30 + digit]]);
    }
    return [...byRemainder].map(([reached, ranges]) => sequence(oneOf(ranges), rest(reached, digits)));
  };
  return choice([text("0"), sequence(optional(text("-")), choice(next(0, 1, MAX_MULTIPLE_DIGITS - 1)))]);
}

/** Returns a node for the integers between two limits, both included. */
function integerRange(low: bigint | null, high: bigint | null): GrammarNode {
  const [from, to] = [low ?? -outer(high), high ?? outer(low)];
  if (from > to) return NEVER;
  const negative = from < 0n ? sequence(text("-"), fixedDecimals(to < 0n ? -to : 1n, -from, 0)) : NEVER;
  return choice([negative, to >= 0n ? fixedDecimals(from > 0n ? from : 0n, to, 0) : NEVER]);
}

/** Returns a limit that lies far outside of the other one. */
function outer(other: bigint | null): bigint {
  const size = other === null ? 0n : other < 0n ? -other : other;
  return size < LARGEST / 10n ? LARGEST : size * 10n;
}

/** Returns a node for numbers within limits. */
export function numberGrammar(limits: NumberLimits, define: DefineRule): NumberGrammar {
  const { multipleOf } = limits;
  if (multipleOf !== undefined && Number.isInteger(multipleOf)) return integerGrammar(limits, define);
  const given = NUMBER_KEYWORDS.filter((name) => limits[name] !== undefined);
  if (given.length === 0) return { node: ANY_NUMBER, unheld: [] };
  const step = multipleOf === undefined ? null : toPowerOfTen(multipleOf);
  const unheld: [NumberKeyword, string][] = [];
  if (multipleOf !== undefined && step === null) {
    unheld.push(["multipleOf", "only multiples of integers and of 0.1, 0.01 and so on can be held"]);
  }
  const kept = given.filter((name) => {
    if (name === "multipleOf") return false;
    const isExact = decimalsOf(limits[name] ?? 0) !== null;
    if (!isExact) unheld.push([name, "the limit has too many digits"]);
    return isExact;
  });
  const values = kept.map((name) => limits[name] ?? 0);
  const decimals = Math.max(0, ...values.map((value) => decimalsOf(value) ?? 0), ...(step === null ? [] : [step]));
  const isTooFine = step !== null && decimals > step;
  if (isTooFine) unheld.push(["multipleOf", "a limit has more decimals than it"]);
  const range = toDecimalRange(limits, kept, decimals);
  return { node: decimalRange(range, decimals, step === null || isTooFine ? EXTRA_DIGITS : 0), unheld };
}

type Limit = { at: bigint; isExclusive: boolean };
type DecimalRange = { low: Limit | null; high: Limit | null };

function toDecimalRange(limits: NumberLimits, kept: readonly NumberKeyword[], decimals: number): DecimalRange {
  const read = (inclusive: NumberKeyword, exclusive: NumberKeyword, isTighter: (a: bigint, b: bigint) => boolean) => {
    let limit: Limit | null = null;
    for (const name of [inclusive, exclusive]) {
      const value = limits[name];
      if (value === undefined || !kept.includes(name)) continue;
      const at = toScaled(value, decimals);
      if (limit === null || isTighter(at, limit.at) || at === limit.at) limit = { at, isExclusive: name === exclusive };
    }
    return limit;
  };
  return {
    low: read("minimum", "exclusiveMinimum", (a, b) => a > b),
    high: read("maximum", "exclusiveMaximum", (a, b) => a < b),
  };
}

/** Numbers with a given number of decimals, counted in units of the last of them, with up to `extraDigits` more digits. */
function decimalRange({ low, high }: DecimalRange, decimals: number, extraDigits: number): GrammarNode {
  const from = low?.at ?? -outer(high?.at ?? null);
  const to = high?.at ?? outer(low?.at ?? null);
  if (from > to || (from === to && (low?.isExclusive || high?.isExclusive))) return NEVER;
  // Digits beyond those that are exact could be rounded across an excluded limit.
  const room = MAX_DIGITS - Math.max(digitsOf(low?.at ?? 0n), digitsOf(high?.at ?? 0n));
  const extra = Math.max(0, Math.min(extraDigits, room));
  const negativeHigh = to < 0n ? to : 0n;
  const options: GrammarNode[] = [];
  if (from < 0n) {
    const mirrored = {
      low: { at: -negativeHigh, isExclusive: to <= 0n && (high?.isExclusive ?? false) },
      high: { at: -from, isExclusive: low?.isExclusive ?? false },
    };
    options.push(sequence(text("-"), positiveRange(mirrored, decimals, extra)));
  }
  if (to >= 0n) {
    const isLowNegative = from < 0n;
    const positiveLow = isLowNegative
      ? { at: 0n, isExclusive: false }
      : { at: from, isExclusive: low?.isExclusive ?? false };
    options.push(
      positiveRange({ low: positiveLow, high: { at: to, isExclusive: high?.isExclusive ?? false } }, decimals, extra),
    );
  }
  return choice(options);
}

function positiveRange({ low, high }: { low: Limit; high: Limit }, decimals: number, extra: number): GrammarNode {
  if (low.at === high.at) return low.isExclusive || high.isExclusive ? NEVER : fixedDecimals(low.at, low.at, decimals);
  const point = decimals === 0 ? text(".") : EMPTY;
  const any = extra === 0 ? EMPTY : optional(sequence(point, repeat(DIGIT, 1, extra)));
  const nonZero = extra === 0 ? NEVER : sequence(point, repeat(text("0"), 0, extra - 1), NON_ZERO_DIGIT);
  const options = [
    low.isExclusive ? sequence(fixedDecimals(low.at, low.at, decimals), nonZero) : NEVER,
    high.isExclusive ? NEVER : fixedDecimals(high.at, high.at, decimals),
  ];
  const first = low.isExclusive ? low.at + 1n : low.at;
  if (first < high.at) options.push(sequence(fixedDecimals(first, high.at - 1n, decimals), any));
  return choice(options);
}

/** Numbers from 0 on in units of the last decimal, by their count of digits. */
function fixedDecimals(low: bigint, high: bigint, decimals: number): GrammarNode {
  if (low > high) return NEVER;
  const shortest = decimals + 1;
  const options: GrammarNode[] = [];
  for (let length = Math.max(digitsOf(low), shortest); length <= Math.max(digitsOf(high), shortest); length++) {
    const smallest = length === shortest ? 0n : 10n ** BigInt(length - 1);
    const from = (low > smallest ? low : smallest).toString().padStart(length, "0");
    const largest = 10n ** BigInt(length) - 1n;
    const to = (high < largest ? high : largest).toString().padStart(length, "0");
    options.push(digitRange(from, to, decimals));
  }
  return choice(options);
}

/** Digits between two of the same length, with a point before the last `decimals` ones. */
function digitRange(low: string, high: string, decimals: number): GrammarNode {
  if (low === "") return EMPTY;
  const point = decimals > 0 && low.length === decimals ? text(".") : EMPTY;
  const [a, b] = [low.charCodeAt(0), high.charCodeAt(0)];
  const [lowRest, highRest] = [low.slice(1), high.slice(1)];
  if (a === b) return sequence(point, text(low.charAt(0)), digitRange(lowRest, highRest, decimals));
  const nines = "9".repeat(lowRest.length);
  const zeros = "0".repeat(lowRest.length);
  const isFromZero = lowRest === zeros;
  const isToNine = highRest === nines;
  const middle: [number, number] = [isFromZero ? a : a + 1, isToNine ? b : b - 1];
  const options = [
    isFromZero ? NEVER : sequence(text(low.charAt(0)), digitRange(lowRest, nines, decimals)),
    middle[0] <= middle[1] ? sequence(oneOf([middle]), anyDigits(lowRest.length, decimals)) : NEVER,
    isToNine ? NEVER : sequence(text(high.charAt(0)), digitRange(zeros, highRest, decimals)),
  ];
  return sequence(point, choice(options));
}

function anyDigits(length: number, decimals: number): GrammarNode {
  if (decimals === 0 || length < decimals) return repeat(DIGIT, length, length);
  return sequence(repeat(DIGIT, length - decimals, length - decimals), text("."), repeat(DIGIT, decimals, decimals));
}

/** The count of decimals of a number; null if it is too large or too fine to count with. */
function decimalsOf(value: number): number | null {
  const written = String(value);
  if (written.includes("e") || written.replace(/[-.]/g, "").length > MAX_DIGITS) return null;
  return written.split(".")[1]?.length ?? 0;
}

function toScaled(value: number, decimals: number): bigint {
  const [whole = "0", fraction = ""] = String(value).split(".");
  return BigInt(whole + fraction.padEnd(decimals, "0"));
}

function toPowerOfTen(step: number): number | null {
  const match = /^0\.(0*)1$/.exec(String(step));
  return match ? (match[1] ?? "").length + 1 : null;
}

function digitsOf(value: bigint): number {
  return (value < 0n ? -value : value).toString().length;
}
