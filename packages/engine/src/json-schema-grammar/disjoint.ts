import { toKey } from "./enumerations.ts";
import { type JsonType, type ReadSchema, readKeywords, TYPES, typeOfValue } from "./keywords.ts";
import { type Place, resolveReference, toPlace } from "./schema-document.ts";

const MAX_REFERENCES = 16;

/**
 * Whether no value fits both schemas for sure: they have different types, list different values, or both require a property
 * that is listed with different values, as the alternatives of a union do that a name tells apart.
 */
export function areDisjoint(root: unknown, a: Place, b: Place): boolean {
  const [first, second] = [follow(root, a), follow(root, b)];
  if (first === null || second === null) return true;
  if (!typesOf(first).some((type) => typesOf(second).includes(type))) return true;
  const [values, others] = [valuesOf(first), valuesOf(second)];
  if (values && others) return !values.some((value) => others.includes(value));
  return isToldApart(root, first, second);
}

function isToldApart(root: unknown, a: ReadSchema, b: ReadSchema): boolean {
  const isObject = [a, b].every((each) => typesOf(each).every((type) => type === "object"));
  if (!isObject) return false;
  return (a.keywords.required ?? []).some((name) => {
    if (!b.keywords.required?.includes(name)) return false;
    const [values, others] = [a, b].map((each) => valuesOfProperty(root, each, name));
    return values && others && !values.some((value) => others.includes(value));
  });
}

function valuesOfProperty(root: unknown, { keywords, path }: ReadSchema, name: string): string[] | null {
  const { properties } = keywords;
  if (!properties || !Object.hasOwn(properties, name)) return null;
  const property = follow(root, toPlace(properties[name], [...path, "properties", name]));
  return property && valuesOf(property);
}

/** Returns the schema that a reference leads to; null for one that nothing fits. */
function follow(root: unknown, place: Place): ReadSchema | null {
  let current = place;
  for (let count = 0; count < MAX_REFERENCES; count++) {
    if (current.schema === false) return null;
    const { $ref } = readKeywords(current).keywords;
    if ($ref === undefined) break;
    current = resolveReference(root, $ref, [...current.path, "$ref"]);
  }
  return readKeywords(current);
}

function typesOf(schema: ReadSchema): JsonType[] {
  const values = listValues(schema);
  if (values) return values.map(typeOfValue).map(withFraction);
  const { type } = schema.keywords;
  const types = typeof type === "string" ? [type] : (type ?? TYPES);
  return types.map(withFraction);
}

/** An integer is a number, too. */
function withFraction(type: JsonType): JsonType {
  return type === "integer" ? "number" : type;
}

function valuesOf(schema: ReadSchema): string[] | null {
  return listValues(schema)?.map(toKey) ?? null;
}

function listValues({ keywords, hasConst }: ReadSchema): readonly unknown[] | null {
  if (hasConst) return [keywords.const];
  return keywords.enum ?? null;
}
