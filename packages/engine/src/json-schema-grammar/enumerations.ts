import { type Compiler, countPart, reportUnheld } from "./compiler.ts";
import { type Keywords, type ReadSchema, typeOfValue } from "./keywords.ts";

/** Keywords that are not checked for listed values, and the type that they are about. */
const UNCHECKED = [
  ...(
    [
      "properties",
      "patternProperties",
      "additionalProperties",
      "unevaluatedProperties",
      "propertyNames",
      "required",
    ] as const
  ).map((name) => ["object", name] as const),
  ...(["items", "prefixItems", "unevaluatedItems", "uniqueItems"] as const).map((name) => ["array", name] as const),
  ["string", "pattern"],
  ["string", "format"],
] as const;

/**
 * Returns the values that `enum` and `const` of all schemas allow; null if no schema has either. Values of another
 * type, length or size than a schema asks for are left out. Other keywords of such a schema are reported as not
 * enforced.
 */
export function listEnumerated(compiler: Compiler, schemas: readonly ReadSchema[]): readonly unknown[] | null {
  const lists = schemas.flatMap(listsOf);
  const [first, ...others] = lists;
  if (!first) return null;
  for (const value of first) countPart(compiler, JSON.stringify(value).length);
  const keys = others.map((list) => new Set(list.map(toKey)));
  const common = first.filter((value) => keys.every((each) => each.has(toKey(value))));
  const values = common.filter((value) => schemas.every(({ keywords }) => fits(value, keywords)));
  for (const { keywords, path } of schemas) {
    for (const [type, name] of UNCHECKED) {
      const isAbout = keywords[name] !== undefined && values.some((value) => typeOfValue(value) === type);
      if (isAbout) reportUnheld(compiler, path, name, "it is not checked for the values of enum and const");
    }
  }
  return values;
}

function listsOf({ keywords, hasConst }: ReadSchema): (readonly unknown[])[] {
  return [...(keywords.enum ? [keywords.enum] : []), ...(hasConst ? [[keywords.const]] : [])];
}

/** Returns the same text for equal values, whatever the order of their names. */
export function toKey(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toKey).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "";
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, each]) => `${JSON.stringify(name)}:${toKey(each)}`).join()}}`;
}

function fits(value: unknown, keywords: Keywords): boolean {
  const type = typeOfValue(value);
  const allowed = typeof keywords.type === "string" ? [keywords.type] : keywords.type;
  const hasType = !allowed || allowed.includes(type) || (type === "integer" && allowed.includes("number"));
  if (!hasType) return false;
  if (typeof value === "number") return fitsLimits(value, keywords);
  const { minLength, maxLength, minItems, maxItems, minProperties, maxProperties } = keywords;
  if (typeof value === "string") return isWithin(Array.from(value).length, minLength, maxLength);
  if (Array.isArray(value)) return isWithin(value.length, minItems, maxItems);
  if (typeof value === "object" && value !== null)
    return isWithin(Object.keys(value).length, minProperties, maxProperties);
  return true;
}

function fitsLimits(value: number, keywords: Keywords): boolean {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = keywords;
  const isAbove = exclusiveMinimum === undefined || value > exclusiveMinimum;
  const isBelow = exclusiveMaximum === undefined || value < exclusiveMaximum;
  const isMultiple = multipleOf === undefined || Number.isInteger(value / multipleOf);
  return isAbove && isBelow && isMultiple && isWithin(value, minimum, maximum);
}

function isWithin(value: number, min: number | undefined, max: number | undefined): boolean {
  return (min === undefined || value >= min) && (max === undefined || value <= max);
}
