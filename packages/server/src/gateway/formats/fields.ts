import { type AppError, errors } from "../../core/errors/index.ts";
import { isRecord } from "../reported-usage.ts";

/** A JSON object whose fields are not validated yet. */
export type Fields = Record<string, unknown>;

/** A request translated to OpenAI's chat format, and the names of the fields that have no counterpart there. */
export type TranslatedRequest = { body: { model: string; messages: Fields[] } & Fields; ignored: string[] };

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

/** An `invalid_request` error about a field; `expected` says what it must be. */
export function invalidField(param: string, expected: string): AppError {
  return errors.invalidRequest(`${param} is not valid: it must be ${expected}.`, { param });
}

/** Joins parts that are all text into one string, which every backend accepts. */
export function toContent(parts: Fields[]): string | Fields[] {
  if (parts.every(({ type }) => type === "text")) return parts.map(({ text }) => text).join("");
  return parts;
}

/** A copy without the fields that are undefined or null. */
export function omitNullish(fields: Fields): Fields {
  const kept: Fields = {};
  for (const name of Object.keys(fields)) {
    const value = fields[name];
    if (value !== undefined && value !== null) kept[name] = value;
  }
  return kept;
}
