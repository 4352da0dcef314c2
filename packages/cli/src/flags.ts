import { InvalidArgumentError } from "commander";
import type { AnyCommand, Flag, FlagValues } from "./command.ts";

/** Flags that every command takes, before or after its name. */
export const GLOBAL_FLAGS: readonly Flag[] = [
  {
    name: "--format <name>",
    summary: "form of the result; the place decides if left out",
    choices: ["human", "plain", "agent", "json", "csv", "quiet"],
  },
  { name: "--base-url <url>", summary: "address of the server" },
  { name: "--profile <name>", summary: "profile of the configuration", values: "profiles" },
  { name: "--no-input", summary: "never ask" },
  { name: "--no-color", summary: "no colour" },
];

/** A command's own flags, and those that come from what it declares. */
export function flagsOf(command: Pick<AnyCommand, "flags" | "prints" | "paged" | "asks" | "waits">): readonly Flag[] {
  const { prints } = command;
  const fields = prints === "list" || prints === "one";
  return [
    ...(command.flags ?? []),
    ...(command.paged ? PAGING : []),
    ...(command.waits ? WAITING : []),
    ...(command.asks ? [{ name: "-y, --yes", summary: "do not ask" }] : []),
    ...(fields ? [{ name: "--json [fields]", summary: "print JSON; fields by comma" }] : []),
    ...(prints === "json" ? [{ name: "--json", summary: "print JSON" }] : []),
    ...(prints ? [{ name: "--jq <filter>", summary: "print what this jq filter makes of the JSON" }] : []),
    ...(prints === "list" ? [{ name: "--csv", summary: "print CSV" }] : []),
    ...(fields ? [{ name: "-q, --quiet", summary: "print ids only" }] : []),
  ];
}

/** Property under which commander gives a flag's value: `--top-p <n>` is `topP`, `--no-input` is `input`. */
export function propertyOf({ name, property }: Pick<Flag, "name" | "property">): string {
  if (property !== undefined) return property;
  const [, long = ""] = /--(?:no-)?([a-z][\w-]*)/.exec(name) ?? [];
  return long.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

const PAGING: readonly Flag[] = [
  { name: "--limit <number>", summary: "at most so many, 50 if left out", parse: numberBetween(1, 100_000, true) },
  { name: "--page <number>", summary: "page of that size, from 1", parse: numberBetween(1, 1_000_000, true) },
  { name: "--all", summary: "all there are" },
];

const WAITING: readonly Flag[] = [
  { name: "--wait", summary: "wait until the work has ended" },
  { name: "--timeout <time>", summary: "longest wait, such as 90s or 15m; the work goes on after it", parse: duration },
];

/** A flag's text, as a property that is absent when the flag is. */
export function given<Name extends string>(name: Name, value: unknown): { [K in Name]?: string } {
  return typeof value === "string" ? ({ [name]: value } as { [K in Name]?: string }) : {};
}

/** A flag's number, as a property that is absent when the flag is. */
export function givenNumber<Name extends string>(name: Name, value: unknown): { [K in Name]?: number } {
  return typeof value === "number" ? ({ [name]: value } as { [K in Name]?: number }) : {};
}

/** The texts of a flag that may be given often, declared with `parse: collect`. */
export function givenOften(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** Parses a number between two bounds. */
export function numberBetween(least: number, most: number, whole: boolean): NonNullable<Flag["parse"]> {
  return (text) => {
    const value = Number(text);
    if (text.trim() === "" || !(value >= least && value <= most) || (whole && !Number.isInteger(value)))
      throw new InvalidArgumentError(
        `It must be ${whole ? "a whole number" : "a number"} ${most === Number.POSITIVE_INFINITY ? `of at least ${least}` : `between ${least} and ${most}`}.`,
      );
    return value;
  };
}

/** Parses a flag that may be given often. */
export function collect(text: string, earlier: unknown): readonly string[] {
  return [...givenOften(earlier), text];
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Parses a time such as `90s`, `15m` or `2h` into milliseconds. A bare number is seconds. */
export function duration(text: string): number {
  const [, digits, unit = "s"] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)?$/.exec(text.trim()) ?? [];
  const factor = UNITS[unit];
  if (digits === undefined || factor === undefined)
    throw new InvalidArgumentError("It must be a time, such as 90s or 15m.");
  return Number(digits) * factor;
}

/** Parses a day or a moment: `2027-03-01`, or a time in RFC 3339. */
export function moment(text: string): Date {
  const date = new Date(text);
  if (!/^\d{4}-\d{2}-\d{2}/.test(text) || Number.isNaN(date.getTime()))
    throw new InvalidArgumentError("It must be a date, such as 2027-03-01, or a time in RFC 3339.");
  return date;
}

/** Parses words by comma that are all among the known. */
export function someOf<Word extends string>(known: readonly Word[]): (text: string) => readonly Word[] {
  return (text) =>
    text.split(",").map((part) => {
      const word = known.find((one) => one === part.trim());
      if (word === undefined) throw new InvalidArgumentError(`It takes ${known.join(", ")}.`);
      return word;
    });
}

/** Whether a flag without a value was given. */
export const isGiven = (flags: FlagValues, name: string): boolean => flags[name] === true;
