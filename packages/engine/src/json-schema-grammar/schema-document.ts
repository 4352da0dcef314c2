import { UnusableSchemaError } from "./unusable-schema-error.ts";

/** A schema that is an object; `true` is `{}`. */
export type Schema = Readonly<Record<string, unknown>>;

/** A schema and where it stands in the document: names and indexes from the root on. */
export type Place = { schema: Schema | false; path: SchemaPath };

/** Names and indexes from the root of a schema on. */
export type SchemaPath = readonly string[];

/** Returns a path as a JSON pointer, for messages and as a key. */
export function toPointer(path: SchemaPath): string {
  return ["#", ...path.map((part) => part.replaceAll("~", "~0").replaceAll("/", "~1"))].join("/");
}

/** Returns the schema at a place. Throws {@link UnusableSchemaError} for anything but an object or a boolean. */
export function toPlace(value: unknown, path: SchemaPath): Place {
  if (value === true) return { schema: {}, path };
  if (value === false) return { schema: false, path };
  if (isRecord(value)) return { schema: value, path };
  throw new UnusableSchemaError(`The schema must have an object at ${toPointer(path)}.`, path);
}

/** Returns the schemas of a keyword that lists them by name, such as `properties`, in their order. */
export function toNamedPlaces(value: unknown, path: SchemaPath): Map<string, Place> {
  if (value === undefined) return new Map();
  if (!isRecord(value)) throw new UnusableSchemaError(`The schema must have an object at ${toPointer(path)}.`, path);
  return new Map(Object.entries(value).map(([name, schema]) => [name, toPlace(schema, [...path, name])]));
}

/** Returns the schemas of a keyword that lists them, such as `anyOf`. */
export function toListedPlaces(value: unknown, path: SchemaPath): Place[] {
  if (!Array.isArray(value)) throw new UnusableSchemaError(`The schema must have a list at ${toPointer(path)}.`, path);
  return value.map((schema, index) => toPlace(schema, [...path, String(index)]));
}

/** Returns the place that a `$ref` names within the document. Throws {@link UnusableSchemaError} if there is none. */
export function resolveReference(root: unknown, reference: unknown, path: SchemaPath): Place {
  const target = String(reference);
  if (!/^#(?:\/|$)/.test(target)) {
    const message = `The schema refers to ${JSON.stringify(target)} at ${toPointer(path)}; only places within it are supported, such as #/$defs/name.`;
    throw new UnusableSchemaError(message, path);
  }
  const parts = target.split("/").slice(1).map(decodePointerPart);
  let value = root;
  for (const part of parts) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) {
      throw new UnusableSchemaError(
        `The schema refers to ${JSON.stringify(target)} at ${toPointer(path)}, which it does not define.`,
        path,
      );
    }
    value = Object.entries(value).find(([name]) => name === part)?.[1];
  }
  return toPlace(value, parts);
}

function decodePointerPart(part: string): string {
  return decodePercents(part).replaceAll("~1", "/").replaceAll("~0", "~");
}

function decodePercents(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Whether a value is an object and no list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
