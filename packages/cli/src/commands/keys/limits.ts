import { type ApiKeyUpdate, SCOPES } from "@feather/sdk";
import { InvalidArgumentError } from "commander";
import type { Flag, FlagValues } from "../../command-line.ts";
import {
  isSet,
  type Moment,
  optionalText,
  parseListOf,
  parseMoment,
  parseNanoDollars,
  parseNumberBetween,
  toDate,
} from "../../flags.ts";

const RESETS = ["none", "day", "week", "month"] as const satisfies readonly ApiKeyUpdate["limit_reset"][];
const PRIORITIES = ["interactive", "batch"] as const satisfies readonly ApiKeyUpdate["priority"][];
/** The value that removes a limit. Parsers return it unchanged, because commander treats null as no value. */
const NONE = "none";

/** Flags for the permissions and limits of a key, for `create` and `update`. */
export const LIMIT_FLAGS: readonly Flag[] = [
  { name: "--scope <names>", summary: `what it may do, by comma: ${SCOPES.join(", ")}`, parse: parseListOf(SCOPES) },
  {
    name: "--models <ids>",
    summary: "models it may call, by comma; none for any",
    parse: parseWordsOrNone,
    values: "models",
  },
  { name: "--ips <addresses>", summary: "addresses it works from, by comma; none for any", parse: parseWordsOrNone },
  { name: "--max-units <number>", summary: "most units at once; none for the plan's", parse: parseUnitsOrNone },
  { name: "--priority <which>", summary: "whether its calls wait behind others: batch", choices: PRIORITIES },
  {
    name: "--spend-limit <usd>",
    summary: "most it spends, in dollars; none for no limit",
    parse: parseNanoDollarsOrNone,
  },
  { name: "--reset <when>", summary: "how often what it spent counts from zero again", choices: RESETS },
  {
    name: "--expires <when>",
    summary: "last moment it works: a date, or a time from now such as 30d or 12h; none for no end",
    parse: parseMomentOrNone,
  },
];

/** All flags of `keys update`. */
export const CHANGE_FLAGS: readonly Flag[] = [
  { name: "--name <name>", summary: "what it is called" },
  ...LIMIT_FLAGS,
  { name: "--disable", summary: "switch it off" },
  { name: "--enable", summary: "switch it on again" },
];

/** Returns the changes that the flags make, as request body. */
export function parseKeyChanges(flags: FlagValues, now: Date): ApiKeyUpdate {
  const reset = RESETS.find((one) => one === flags.reset);
  const priority = PRIORITIES.find((one) => one === flags.priority);
  return {
    ...optionalText("name", flags.name),
    ...toNullable("scopes", flags.scope),
    ...toNullable("allowed_models", flags.models),
    ...toNullable("ip_allowlist", flags.ips),
    ...toNullable("max_concurrency", flags.maxUnits),
    ...toNullable("spend_limit_nano_usd", flags.spendLimit),
    ...toExpiry(flags.expires, now),
    ...(priority !== undefined && { priority }),
    ...(reset !== undefined && { limit_reset: reset }),
    ...((isSet(flags, "disable") || isSet(flags, "enable")) && { disabled: isSet(flags, "disable") }),
  };
}

/** Returns a parsed value as a property, with null for `none`. The flag's `parse` has checked its type. */
function toNullable<Name extends keyof ApiKeyUpdate>(name: Name, value: unknown): Pick<ApiKeyUpdate, never> {
  return value === undefined ? {} : { [name]: value === NONE ? null : value };
}

function toExpiry(value: unknown, now: Date): Pick<ApiKeyUpdate, never> {
  // The flag's `parse` has checked its type.
  const isMoment = typeof value === "object" && value !== null;
  return toNullable("expires_at", isMoment ? toDate(value as Moment, now) : value);
}

function parseWordsOrNone(text: string): readonly string[] {
  if (text === NONE) return [];
  const words = text.split(",").map((word) => word.trim());
  if (words.includes("")) throw new InvalidArgumentError("It takes names by comma, or none.");
  return words;
}

function parseUnitsOrNone(text: string): unknown {
  return text === NONE ? NONE : parseNumberBetween(1, 100_000, true)(text, undefined);
}

function parseMomentOrNone(text: string): Moment | typeof NONE {
  return text === NONE ? NONE : parseMoment(text);
}

/** Parses an amount of dollars; returns billionths, exactly, or `none`. Throws `InvalidArgumentError`. */
function parseNanoDollarsOrNone(text: string): string {
  const amount = text === NONE ? NONE : parseNanoDollars(text);
  if (amount !== null) return amount;
  throw new InvalidArgumentError("It must be an amount of dollars, such as 20 or 2.50, or none.");
}
