import { InvalidArgumentError } from "commander";
import type { AnyCommand } from "./command.ts";
import type { Flag, FlagValues } from "./command-line.ts";

/** Flags of all commands; they may stand before or after the command's name. */
export const GLOBAL_FLAGS: readonly Flag[] = [
  {
    name: "--format <name>",
    summary: "form of the result; the place decides if left out",
    choices: ["human", "plain", "agent", "json", "csv", "quiet"],
  },
  { name: "--base-url <url>", summary: "address of the server" },
  { name: "--profile <name>", summary: "profile of the configuration", values: "profiles" },
  { name: "--debug", summary: "print each request on stderr, without its secrets" },
  { name: "--no-input", summary: "never ask" },
  { name: "--no-color", summary: "no colour" },
];

/** Returns a command's own flags, and those that its other properties add. */
export function flagsOf(
  command: Pick<AnyCommand, "flags" | "prints" | "paged" | "confirms" | "waits">,
): readonly Flag[] {
  const { prints } = command;
  const fields = prints === "list" || prints === "one";
  return [
    ...(command.flags ?? []),
    ...(command.paged ? PAGING_FLAGS : []),
    ...(command.waits ? WAIT_FLAGS : []),
    ...(command.confirms ? [{ name: "-y, --yes", summary: "do not ask" }] : []),
    ...(fields ? [{ name: "--json [fields]", summary: "print JSON; fields by comma" }] : []),
    ...(prints === "json" || prints === "secret" ? [{ name: "--json", summary: "print JSON" }] : []),
    ...(prints ? [{ name: "--jq <filter>", summary: "print what this jq filter makes of the JSON" }] : []),
    ...(prints ? [{ name: "--template <text>", summary: "print this for each item: '{{id}} {{name}}'" }] : []),
    ...(prints === "list" ? [{ name: "--csv", summary: "print CSV" }] : []),
    ...(fields ? [{ name: "-q, --quiet", summary: "print ids only" }] : []),
    ...(prints === "secret" ? [{ name: "-q, --quiet", summary: "print nothing beside the secret" }] : []),
  ];
}

/** Returns the property that holds a flag's value: `topP` for `--top-p <n>`, `input` for `--no-input`. */
export function propertyOf({ name, property }: Pick<Flag, "name" | "property">): string {
  if (property !== undefined) return property;
  const [, long = ""] = /--(?:no-)?([a-z][\w-]*)/.exec(name) ?? [];
  return long.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

const PAGING_FLAGS: readonly Flag[] = [
  { name: "--limit <number>", summary: "at most so many, 50 if left out", parse: parseNumberBetween(1, 100_000, true) },
  { name: "--page <number>", summary: "page of that size, from 1", parse: parseNumberBetween(1, 1_000_000, true) },
  { name: "--all", summary: "all there are" },
];

const WAIT_FLAGS: readonly Flag[] = [
  { name: "--wait", summary: "wait until the work has ended" },
  {
    name: "--timeout <time>",
    summary: "longest wait, such as 90s or 15m; the work goes on after it",
    parse: parseDuration,
  },
];

/** Returns a flag's text as a property; no property when the flag is absent. */
export function optionalText<Name extends string>(name: Name, value: unknown): { [K in Name]?: string } {
  return typeof value === "string" ? ({ [name]: value } as { [K in Name]?: string }) : {};
}

/** Returns a flag's number as a property; no property when the flag is absent. */
export function optionalNumber<Name extends string>(name: Name, value: unknown): { [K in Name]?: number } {
  return typeof value === "number" ? ({ [name]: value } as { [K in Name]?: number }) : {};
}

/** Returns the texts of a repeatable flag, which is declared with `parse: collect`. */
export function repeatedTexts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** Creates a parser for numbers from `min` to `max`; it throws `InvalidArgumentError`. */
export function parseNumberBetween(min: number, max: number, integer: boolean): NonNullable<Flag["parse"]> {
  return (text) => {
    const value = Number(text);
    if (text.trim() === "" || !(value >= min && value <= max) || (integer && !Number.isInteger(value)))
      throw new InvalidArgumentError(
        `It must be ${integer ? "a whole number" : "a number"} ${max === Number.POSITIVE_INFINITY ? `of at least ${min}` : `between ${min} and ${max}`}.`,
      );
    return value;
  };
}

/** Parses a repeatable flag: adds the text to the earlier ones. */
export function collect(text: string, previous: unknown): readonly string[] {
  return [...repeatedTexts(previous), text];
}

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Parses a duration such as `90s`, `15m` or `2h`; returns milliseconds. A bare number is seconds. Throws `InvalidArgumentError`. */
export function parseDuration(text: string): number {
  const [, digits, unit = "s"] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)?$/.exec(text.trim()) ?? [];
  const factor = UNIT_MS[unit];
  if (digits === undefined || factor === undefined)
    throw new InvalidArgumentError("It must be a time, such as 90s or 15m.");
  return Number(digits) * factor;
}

const NANO_DIGITS = 9;

/** Returns an amount of dollars, such as `20` or `$2.50`, in billionths, exactly; null for another text. */
export function parseNanoDollars(text: string): string | null {
  const [, whole, part = ""] = /^\$?(\d{1,9})(?:\.(\d{1,9}))?$/.exec(text.trim()) ?? [];
  return whole === undefined ? null : String(BigInt(whole + part.padEnd(NANO_DIGITS, "0")));
}

/** A moment: a date, or a number of milliseconds from now. */
export type Moment = Date | { readonly afterMs: number };

/** Parses a moment to come: a time from now such as `30d` or `12h`, a day, or a time in RFC 3339. Throws `InvalidArgumentError`. */
export function parseMoment(text: string): Moment {
  if (/^\d+(\.\d+)?[smhd]$/.test(text)) return { afterMs: parseDuration(text) };
  if (!isDate(text))
    throw new InvalidArgumentError(
      "It must be a date, such as 2027-03-01, a time in RFC 3339, or a time from now, such as 30d or 12h.",
    );
  return new Date(text);
}

/** Returns the date of a moment. */
export const toDate = (moment: Moment, now: Date): Date =>
  moment instanceof Date ? moment : new Date(now.getTime() + moment.afterMs);

const isDate = (text: string): boolean => /^\d{4}-\d{2}-\d{2}/.test(text) && !Number.isNaN(new Date(text).getTime());

/** Parses a day, `2027-03-01`, or a time in RFC 3339. Throws `InvalidArgumentError`. */
export function parseDate(text: string): Date {
  if (!isDate(text)) throw new InvalidArgumentError("It must be a date, such as 2027-03-01, or a time in RFC 3339.");
  return new Date(text);
}

/** Parses an amount of dollars, such as `20` or `$2.50`; returns cents. Throws `InvalidArgumentError`. */
export function parseCents(text: string): number {
  const [, whole, part = ""] = /^\$?(\d{1,7})(?:\.(\d{1,2}))?$/.exec(text.trim()) ?? [];
  if (whole === undefined) throw new InvalidArgumentError("It must be an amount of dollars, such as 20 or 2.50.");
  return Number(whole + part.padEnd(2, "0"));
}

/** Parses a day in the API's format; throws `InvalidArgumentError` for anything else. */
export function parseDay(text: string): string {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || Number.isNaN(Date.parse(text)))
    throw new InvalidArgumentError("It must be a day, such as 2026-11-01.");
  return text;
}

/** Creates a parser for comma-separated words; it throws `InvalidArgumentError` for a word that is not allowed. */
export function parseListOf<Word extends string>(allowed: readonly Word[]): (text: string) => readonly Word[] {
  return (text) =>
    text.split(",").map((part) => {
      const word = allowed.find((one) => one === part.trim());
      if (word === undefined) throw new InvalidArgumentError(`It takes ${allowed.join(", ")}.`);
      return word;
    });
}

/** Returns whether a flag without a value was given. */
export const isSet = (flags: FlagValues, name: string): boolean => flags[name] === true;
