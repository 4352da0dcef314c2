import { type AppError, errors } from "../../platform/core/errors/index.ts";
import { isRecord } from "../usage/reported-usage.ts";
import type { Carried } from "./parsed-request.ts";

/** A JSON object whose fields are not validated yet. */
export type Fields = Record<string, unknown>;

/** A request in OpenAI's chat format, and the paths of its fields that have no effect there. */
export type TranslatedRequest = {
  body: { model: string; messages: Fields[] } & Fields;
  ignored: string[];
  carried?: Carried | undefined;
};

/** The paths of fields without a counterpart in chats, without positions in lists: `tools.cache_control`. */
export type IgnoredPaths = {
  add(path: string): void;
  /** Adds a field that is passed on to backends whose API has a place for it. */
  carry(path: string): void;
  /** Adds the fields of a record that are not in `known`. Null and empty lists are skipped. */
  addOthers(record: Fields, known: readonly string[], path: string): void;
  /** Returns the fields without effect. */
  list(): string[];
  /** Returns the fields that are passed on to some backends. */
  listCarried(): string[];
};

/** Returns an empty list of ignored paths. */
export function createIgnoredPaths(): IgnoredPaths {
  const paths = new Set<string>();
  const carried = new Set<string>();
  return {
    add: (path) => void paths.add(path),
    carry: (path) => void carried.add(path),
    addOthers(record, known, path) {
      for (const name of Object.keys(record))
        if (!known.includes(name) && !isEmpty(record[name])) paths.add(`${path}.${name}`);
    },
    list: () => [...paths],
    listCarried: () => [...carried],
  };
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

/** Returns a string. Throws `invalid_request` for anything else. */
export function requireString(value: unknown, param: string): string {
  if (typeof value === "string") return value;
  throw invalidField(param, "a text");
}

/** Returns an object. Throws `invalid_request` for anything else. */
export function requireObject(value: unknown, param: string): Fields {
  if (isRecord(value)) return value;
  throw invalidField(param, "an object");
}

/** Returns an array. Throws `invalid_request` for anything else. */
export function requireArray(value: unknown, param: string): unknown[] {
  if (Array.isArray(value)) return value;
  throw invalidField(param, "a list");
}

/** Returns an `invalid_request` error about a field. `expected` says what the field must be. */
export function invalidField(param: string, expected: string): AppError {
  return errors.invalidRequest(`${param} is not valid: it must be ${expected}.`, { param });
}

/** Returns an object unchanged, and an empty one for anything else. */
export function toRecord(value: unknown): Fields {
  return isRecord(value) ? value : {};
}

/** Returns the field that marks the end of what a provider caches, if a block of Anthropic's API has it. */
export function toCacheMark({ cache_control: mark }: Fields, path: string, ignored: IgnoredPaths): Fields {
  if (!isRecord(mark)) return {};
  ignored.carry(`${path}.cache_control`);
  return { cache_control: mark };
}

/** Joins parts that are all text to one string, which every backend accepts. A part with a mark stays one. */
export function toContent(parts: readonly Fields[], join: (texts: readonly string[]) => string): string | Fields[] {
  return parts.every(isTextPart) ? join(parts.map(({ text }) => String(text))) : [...parts];
}

function isTextPart({ type, text, cache_control }: Fields): boolean {
  return type === "text" && typeof text === "string" && cache_control === undefined;
}

/** Joins texts by line breaks, except where one is empty or has white space at the seam. */
export function joinByLines(texts: readonly string[]): string {
  let joined = "";
  for (const text of texts) {
    const isSeparate = joined === "" || text === "" || /\s$/.test(joined) || /^\s/.test(text);
    joined += isSeparate ? text : `\n${text}`;
  }
  return joined;
}

/** Joins the texts of an assistant's message without a separator, because they are pieces of one text. */
export function joinPieces(texts: readonly string[]): string {
  return texts.join("");
}

/**
 * Returns the arguments of an earlier call as JSON text. Blank arguments become an empty object, since backends and
 * templates parse them.
 */
export function toArguments(text: string): string {
  return text.trim() === "" ? "{}" : text;
}

/** Returns a copy without the fields that are undefined or null. */
export function omitNullish(fields: Fields): Fields {
  const kept: Fields = {};
  for (const name of Object.keys(fields)) {
    const value = fields[name];
    if (value !== undefined && value !== null) kept[name] = value;
  }
  return kept;
}
