import { type AppError, invalidRequest } from "../../shared/errors.ts";
import { isRecord } from "../reported-usage.ts";

export type Fields = Record<string, unknown>;

/** A body brought to the form of a chat, and the fields that had no place there. */
export type Translated = { body: { model: string; messages: Fields[] } & Fields; ignored: string[] };

export function textOf(value: unknown, param: string): string {
  if (typeof value === "string") return value;
  throw wrong(param, "a text");
}

export function recordOf(value: unknown, param: string): Fields {
  if (isRecord(value)) return value;
  throw wrong(param, "an object");
}

export function listOf(value: unknown, param: string): unknown[] {
  if (Array.isArray(value)) return value;
  throw wrong(param, "a list");
}

export function wrong(param: string, what: string): AppError {
  return invalidRequest(`${param} is not valid: it must be ${what}.`, { param });
}

/** One text part alone is plain text, which every backend takes. */
export function contentOf(parts: Fields[]): string | Fields[] {
  if (parts.every(({ type }) => type === "text")) return parts.map(({ text }) => text).join("");
  return parts;
}

/** Leaves out what is undefined or null. */
export function given(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));
}
