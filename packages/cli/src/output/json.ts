import { UsageError } from "../errors.ts";
import { sanitizeJson } from "./sanitize.ts";
import type { Style } from "./style.ts";

/** Returns JSON text without control characters: indented for people, on one line for pipes. */
export function formatJson(value: unknown, pretty: boolean): string {
  return sanitizeJson(JSON.stringify(value, null, pretty ? 2 : undefined));
}

/** A text of JSON, with the colon if it is a name, or another value. */
const JSON_TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b/g;

/** Colours JSON text: names, texts, and true, false and null. Numbers stay plain. */
export function paintJson(json: string, style: Style): string {
  if (!style.color) return json;
  return json.replace(JSON_TOKEN, (whole, text?: string, colon?: string) => {
    if (text === undefined) return style.dim(whole);
    return colon === undefined ? style.green(text) : `${style.accent(text)}${colon}`;
  });
}

/** Returns the names in `--json a,b`, or null for all fields. Throws `UsageError` for unknown names. */
export function parseFieldList(request: string | true, known: readonly string[]): readonly string[] | null {
  if (request === true || request.trim() === "") return null;
  const names = request.split(",").map((name) => name.trim());
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new UsageError(
      `unknown field${unknown.length > 1 ? "s" : ""}: ${unknown.join(", ")}`,
      `--json with any of ${[...known].sort().join(", ")}`,
    );
  return names;
}

/** Returns these fields of a value, in this order; null for missing ones. */
export function pickFields(value: object, names: readonly string[]): Record<string, unknown> {
  const fields = new Map<string, unknown>(Object.entries(value));
  return Object.fromEntries(names.map((name) => [name, fields.get(name) ?? null]));
}
