/**
 * JSON that is only passed on keeps the spelling of its numbers: no double equals `2512292042121000001`, so parsing and
 * writing it would change it.
 */

declare global {
  interface JSON {
    /** Returns an object that `JSON.stringify` writes as this text. */
    rawJSON(text: string): object;
  }
}

/** The numbers of an object or list that JavaScript would write differently, by key, in their original spelling. */
const writtenNumbers = new WeakMap<object, Map<string, string>>();

/**
 * Matches what only few texts have: a number with many digits, with an exponent of three digits, or with a trailing zero in
 * its fraction.
 */
const INEXACT_NUMBER = /[\d.]{16}|\d[eE]\+?\d{3}|\d\.\d*0(?!\d)/;

/**
 * Returns whether a text may have a number that JavaScript would write differently. Only for such texts is `rememberNumber`
 * needed.
 */
export function mayHoldInexactNumbers(text: string): boolean {
  return INEXACT_NUMBER.test(text);
}

/** A reviver for `JSON.parse` that stores the original spelling of numbers for `toExactJson`. The values do not change. */
export function rememberNumber(this: object, key: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source;
  if (typeof value !== "number" || source === undefined || source === JSON.stringify(value)) return value;
  const numbers = writtenNumbers.get(this) ?? new Map<string, string>();
  writtenNumbers.set(this, numbers.set(key, source));
  return value;
}

/** Returns a value as JSON text. Numbers have the spelling that `rememberNumber` has stored. */
export function toExactJson(value: unknown): string {
  return JSON.stringify(value, function (this: object, key: string, part: unknown) {
    const source = typeof part === "number" ? writtenNumbers.get(this)?.get(key) : undefined;
    return source === undefined ? part : JSON.rawJSON(source);
  });
}

/** Parses a JSON text so that `JSON.stringify` writes its numbers in their original spelling. Throws `SyntaxError`. */
export function parseForCarrying(text: string): unknown {
  if (!mayHoldInexactNumbers(text)) return JSON.parse(text);
  return JSON.parse(text, (_key, value: unknown, context?: { source?: string }) => {
    const source = context?.source;
    return typeof value === "number" && source !== undefined && source !== JSON.stringify(value)
      ? JSON.rawJSON(source)
      : value;
  });
}

/**
 * Returns a value in which unpaired surrogates, which strict JSON parsers reject, are replaced by U+FFFD. Parts without any
 * are not copied.
 */
export function toWellFormedValue(value: unknown): unknown {
  return convert(value, () => undefined);
}

/** Returns what `toWellFormedValue` returns, with numbers in the spelling that `rememberNumber` has stored. */
export function toSendable(value: unknown): unknown {
  return convert(value, (holder) => writtenNumbers.get(holder));
}

type FindNumbers = (holder: object) => ReadonlyMap<string, string> | undefined;

function convert(value: unknown, findNumbers: FindNumbers): unknown {
  if (typeof value === "string") return value.isWellFormed() ? value : value.toWellFormed();
  if (typeof value !== "object" || value === null) return value;
  return Array.isArray(value) ? convertItems(value, findNumbers) : convertProperties(value, findNumbers);
}

function convertItems(items: readonly unknown[], findNumbers: FindNumbers): readonly unknown[] {
  const numbers = findNumbers(items);
  let copy: unknown[] | undefined;
  for (let at = 0; at < items.length; at++) {
    const source = numbers?.get(String(at));
    const converted = source === undefined ? convert(items[at], findNumbers) : JSON.rawJSON(source);
    if (converted === items[at]) continue;
    copy ??= [...items];
    copy[at] = converted;
  }
  return copy ?? items;
}

function convertProperties(record: object, findNumbers: FindNumbers): object {
  const numbers = findNumbers(record);
  let changed = false;
  const entries = Object.entries(record).map(([name, part]) => {
    const source = numbers?.get(name);
    const entry = [
      name.toWellFormed(),
      source === undefined ? convert(part, findNumbers) : JSON.rawJSON(source),
    ] as const;
    changed ||= entry[1] !== part || entry[0] !== name;
    return entry;
  });
  return changed ? Object.fromEntries(entries) : record;
}

/** Matches an escape of a surrogate pair, of an unpaired surrogate, or of anything else. */
const ESCAPES = /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[dD][89a-fA-F][\da-fA-F]{2}|.)/gs;

/** Returns JSON text in which unpaired surrogates, even escaped ones, are replaced. */
export function toWellFormedJson(text: string): string {
  const wellFormed = text.toWellFormed();
  if (!/\\u[dD][89a-fA-F]/.test(wellFormed)) return wellFormed;
  return wellFormed.replaceAll(ESCAPES, (sequence) =>
    /^\\u[dD]/.test(sequence) && sequence.length === 6 ? "\\ufffd" : sequence,
  );
}
