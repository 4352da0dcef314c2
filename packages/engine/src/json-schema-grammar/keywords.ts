import { z } from "zod";
import { isRecord, type Place, type SchemaPath, toPointer } from "./schema-document.ts";
import { UnusableSchemaError } from "./unusable-schema-error.ts";

/** The types of JSON Schema. A `number` here is one that may have a fraction. */
export const TYPES = ["object", "array", "string", "number", "integer", "boolean", "null"] as const;
/** A type of JSON Schema. */
export type JsonType = (typeof TYPES)[number];

const count = z.int().min(0).optional();
const limit = z.number().optional();
const named = z.custom<Readonly<Record<string, unknown>>>(isRecord, "expected an object").optional();
const subschema = z
  .union([z.boolean(), z.custom<Readonly<Record<string, unknown>>>(isRecord)], "expected a schema")
  .optional();
const listed = z.array(z.unknown()).min(1).optional();
const type = z.enum(TYPES, `expected one of ${TYPES.join(", ")}`);

/** The keywords that are read here, as JSON Schema (draft 2020-12) defines them. */
const keywordsSchema = z.object({
  $ref: z.string().optional(),
  type: z
    .union([type, z.array(type).min(1).max(TYPES.length)], `expected one of ${TYPES.join(", ")}, or a list of them`)
    .optional(),
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  allOf: listed,
  anyOf: listed,
  oneOf: listed,
  minimum: limit,
  maximum: limit,
  exclusiveMinimum: limit,
  exclusiveMaximum: limit,
  multipleOf: z.number().positive().optional(),
  minLength: count,
  maxLength: count,
  pattern: z.string().optional(),
  format: z.string().optional(),
  properties: named,
  patternProperties: named,
  additionalProperties: subschema,
  unevaluatedProperties: subschema,
  propertyNames: subschema,
  required: z.array(z.string()).optional(),
  minProperties: count,
  maxProperties: count,
  items: subschema,
  prefixItems: listed,
  unevaluatedItems: subschema,
  minItems: count,
  maxItems: count,
  uniqueItems: z.boolean().optional(),
});

/** The keywords of one schema. */
export type Keywords = z.output<typeof keywordsSchema>;

/** A schema with its keywords read. */
export type ReadSchema = { path: SchemaPath; keywords: Keywords; hasConst: boolean };

/** Reads the keywords of a schema. Throws {@link UnusableSchemaError} for a keyword whose value is not valid. */
export function readKeywords({ path, schema }: Place): ReadSchema {
  const parsed = keywordsSchema.safeParse(schema);
  if (parsed.success)
    return { path, keywords: parsed.data, hasConst: schema !== false && Object.hasOwn(schema, "const") };
  const [issue] = parsed.error.issues;
  const wrong = [...path, ...(issue?.path ?? []).map(String)];
  throw new UnusableSchemaError(
    `The schema is not valid at ${toPointer(wrong)}: ${issue?.message ?? "wrong value"}.`,
    wrong,
  );
}

/** Which types a keyword says something about. */
const TYPES_BY_KEYWORD: readonly (readonly [JsonType, readonly (keyof Keywords)[]])[] = [
  [
    "object",
    [
      ...([
        "properties",
        "patternProperties",
        "additionalProperties",
        "unevaluatedProperties",
        "propertyNames",
      ] as const),
      ...(["required", "minProperties", "maxProperties"] as const),
    ],
  ],
  ["array", ["items", "prefixItems", "unevaluatedItems", "minItems", "maxItems", "uniqueItems"]],
  ["string", ["pattern", "format", "minLength", "maxLength"]],
  ["number", ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]],
];

/** Returns the types that the keywords of a schema without `type` are about; none if it has no such keyword. */
export function impliedTypes({ keywords }: ReadSchema): JsonType[] {
  return TYPES_BY_KEYWORD.filter(([, names]) => names.some((name) => keywords[name] !== undefined)).map(
    ([each]) => each,
  );
}

/** Returns the type of a JSON value. */
export function typeOfValue(value: unknown): JsonType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return TYPES.find((each) => each === typeof value) ?? "object";
}

/** Keywords that a grammar does not hold, whatever their value, and the type that they are about. */
const UNHELD_KEYWORDS: readonly (readonly [string, JsonType | null])[] = [
  ["not", null],
  ["if", null],
  ["$dynamicRef", null],
  ["$recursiveRef", null],
  ["contains", "array"],
  ["additionalItems", "array"],
  ["dependentSchemas", "object"],
  ["dependentRequired", "object"],
  ["dependencies", "object"],
];

/** Returns the keywords of a schema that say something about one of the types and that no grammar holds. */
export function listUnheldKeywords({ schema, path }: Place, types: readonly JsonType[]): string[] {
  if (schema === false) return [];
  const names = UNHELD_KEYWORDS.filter(([, about]) => about === null || types.includes(about)).map(([name]) => name);
  const unheld = names.filter((name) => Object.hasOwn(schema, name) && !isWithoutEffect(name, schema));
  // References within it would be relative to it.
  return path.length > 0 && typeof schema.$id === "string" && !schema.$id.startsWith("#") ? [...unheld, "$id"] : unheld;
}

function isWithoutEffect(name: string, schema: Readonly<Record<string, unknown>>): boolean {
  if (name === "if") return schema.then === undefined && schema.else === undefined;
  return name === "contains" && schema.minContains === 0 && schema.maxContains === undefined;
}
