import { UsageError } from "../../errors.ts";

/** A field of the command line: its name with the keys of nested objects, and its value. */
export type Field = { readonly path: readonly string[]; readonly value: unknown };

/** Parses a field with a text value: `name=value`, `filter[tag]=code`, `tags[]=a`. Throws `UsageError`. */
export function parseTextField(text: string): Field {
  const [name, value] = splitField(text, "-f");
  return { path: parsePath(name), value };
}

/** Parses a field with a typed value: `true`, `null`, a number, text, or the content of a file for `@file`. Throws `UsageError`. */
export async function parseTypedField(text: string, read: (file: string) => Promise<string>): Promise<Field> {
  const [name, value] = splitField(text, "-F");
  return { path: parsePath(name), value: value.startsWith("@") ? await read(value.slice(1)) : parseTyped(value) };
}

/** Returns the fields as a JSON object. Throws `UsageError` when two of them contradict each other. */
export function toObject(fields: readonly Field[]): Record<string, unknown> {
  const root: Record<string, unknown> = {};
  for (const { path, value } of fields) setValue(root, path, value);
  return root;
}

/** Returns the fields as pairs for a query or a form; nested keys stay in brackets. */
export function toPairs(fields: readonly Field[]): [string, string][] {
  return fields.map(({ path: [name = "", ...keys], value }) => [
    name + keys.map((key) => `[${key}]`).join(""),
    value === null ? "" : String(value),
  ]);
}

function setValue(into: Record<string, unknown>, [name = "", ...keys]: readonly string[], value: unknown): void {
  const [next] = keys;
  if (next === undefined) {
    into[name] = value;
    return;
  }
  if (next === "") {
    const list = into[name] ?? [];
    if (!Array.isArray(list)) throw new UsageError(`${name} is given as a list and as something else`);
    into[name] = [...list, value];
    return;
  }
  const inner = into[name] ?? {};
  if (typeof inner !== "object" || inner === null || Array.isArray(inner))
    throw new UsageError(`${name} is given as an object and as something else`);
  into[name] = inner;
  setValue(inner as Record<string, unknown>, keys, value);
}

function splitField(text: string, flag: string): [string, string] {
  const at = text.indexOf("=");
  if (at < 1) throw new UsageError(`${text} is not a field`, `${flag} name=value`);
  return [text.slice(0, at), text.slice(at + 1)];
}

function parsePath(name: string): readonly string[] {
  const [, first, keys = ""] = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name) ?? [];
  const path = [first ?? "", ...[...keys.matchAll(/\[([^\]]*)\]/g)].map(([, key = ""]) => key)];
  if (first === undefined || path.slice(1, -1).includes("") || path.includes("__proto__"))
    throw new UsageError(
      `${name} is not the name of a field`,
      "-f name=value, -f object[key]=value or -f list[]=value",
    );
  return path;
}

function parseTyped(value: string): unknown {
  return /^(true|false|null|-?(0|[1-9]\d{0,14})(\.\d+)?)$/.test(value) ? JSON.parse(value) : value;
}
