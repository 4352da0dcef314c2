import type { GbnfJsonSchema } from "node-llama-cpp";
import { UnusableSchemaError } from "../engine-model.ts";

type Schema = Record<string, unknown>;

/** Keywords whose constraints a grammar can't express. */
const UNSUPPORTED_KEYWORDS = [
  "allOf",
  "not",
  "if",
  "patternProperties",
  "dependentSchemas",
  "dependentRequired",
  "contains",
];
const FORMATS = ["date-time", "time", "date"] as const;
const BASIC_TYPES = ["string", "number", "integer", "boolean", "null"] as const;
type BasicType = (typeof BASIC_TYPES)[number];

/**
 * What one schema may have. The time to build a grammar grows with the square of its parts, and nothing else is answered
 * meanwhile; at these limits it is a fraction of a second.
 */
const MAX_DEPTH = 64;
const MAX_PARTS = 2_000;
const MAX_CHARACTERS = 65_536;

/** What a conversion has met so far: subschemas and listed values, and the characters of names and values. */
type Conversion = { definitions: ReadonlySet<string>; depth: number; parts: number; characters: number };

/**
 * Converts a JSON Schema to the subset that node-llama-cpp builds grammars from. Every named property will be written,
 * including optional ones. Limits on values (`minimum`, `pattern`, `uniqueItems`, other formats) are not enforced.
 * Structure that can't be expressed throws {@link UnusableSchemaError} with its path in the schema, and so does a schema
 * with more than {@link MAX_PARTS} parts, {@link MAX_CHARACTERS} characters or {@link MAX_DEPTH} levels.
 */
export function toGrammarSchema(schema: unknown): GbnfJsonSchema {
  const root = toObject(schema, "#");
  const definitions = {
    ...toOptionalObject(root.definitions, "#/definitions"),
    ...toOptionalObject(root.$defs, "#/$defs"),
  };
  const met: Conversion = { definitions: new Set(Object.keys(definitions)), depth: 0, parts: 0, characters: 0 };
  const $defs = mapValues(definitions, (definition, name) => convert(definition, `#/$defs/${name}`, met));
  const converted = convert(root, "#", met);
  return Object.keys($defs).length > 0 ? withDefinitions(converted, $defs) : converted;
}

function convert(schema: unknown, path: string, met: Conversion): GbnfJsonSchema {
  met.depth += 1;
  if (met.depth > MAX_DEPTH) throw new UnusableSchemaError(`The schema has more than ${MAX_DEPTH} levels.`);
  countPart(met, "");
  const converted = convertNode(toObject(schema, path), path, met);
  met.depth -= 1;
  return converted;
}

function countPart(met: Conversion, text: string): void {
  met.parts += 1;
  met.characters += text.length;
  if (met.parts > MAX_PARTS || met.characters > MAX_CHARACTERS) {
    throw new UnusableSchemaError(
      `The schema has more than ${MAX_PARTS} parts (subschemas, properties and values) or ${MAX_CHARACTERS} characters.`,
    );
  }
}

function convertNode(node: Schema, path: string, met: Conversion): GbnfJsonSchema {
  const unsupportedKeyword = UNSUPPORTED_KEYWORDS.find((keyword) => keyword in node);
  if (unsupportedKeyword)
    throw new UnusableSchemaError(`The schema uses "${unsupportedKeyword}" at ${path}, which is not supported.`);
  if (node.$ref !== undefined) return toReference(node.$ref, path, met);
  const alternatives = node.anyOf ?? node.oneOf;
  if (Array.isArray(alternatives)) {
    return { oneOf: alternatives.map((alternative, index) => convert(alternative, `${path}/anyOf/${index}`, met)) };
  }
  if ("const" in node) return { const: toLiteral(node.const, path, met) };
  if (Array.isArray(node.enum)) return { enum: node.enum.map((value) => toLiteral(value, path, met)) };
  return convertTypes(node, path, met);
}

function convertTypes(node: Schema, path: string, met: Conversion): GbnfJsonSchema {
  const types = Array.isArray(node.type) ? node.type : [node.type ?? impliedType(node)];
  const [type, ...others] = types;
  for (const _ of others) countPart(met, "");
  if (others.length === 0) return convertType(type, node, path, met);
  return { oneOf: types.map((each) => convertType(each, node, path, met)) };
}

function impliedType(node: Schema): string | undefined {
  if ("properties" in node) return "object";
  return "items" in node || "prefixItems" in node ? "array" : undefined;
}

function convertType(type: unknown, node: Schema, path: string, met: Conversion): GbnfJsonSchema {
  if (type === "object") return convertObject(node, path, met);
  if (type === "array") return convertArray(node, path, met);
  if (type === "string") return convertString(node);
  if (type === undefined) {
    // Any value at all: an object of any shape, an array, or something simple.
    return { oneOf: [{ type: [...BASIC_TYPES] }, { type: "object", additionalProperties: true }, { type: "array" }] };
  }
  const basic = BASIC_TYPES.find((name): name is BasicType => name === type);
  if (!basic) throw new UnusableSchemaError(`The schema has the unknown type ${JSON.stringify(type)} at ${path}.`);
  return { type: basic };
}

function convertObject(node: Schema, path: string, met: Conversion): GbnfJsonSchema {
  const properties = toOptionalObject(node.properties, `${path}/properties`);
  const isFree = Object.keys(properties).length === 0 && node.additionalProperties !== false;
  const { additionalProperties: additional } = node;
  return {
    type: "object",
    properties: mapValues(properties, (property, name) => {
      countPart(met, name);
      return convert(property, `${path}/properties/${name}`, met);
    }),
    additionalProperties:
      typeof additional === "object" ? convert(additional, `${path}/additionalProperties`, met) : isFree,
    ...toLimit("minProperties", node),
    ...toLimit("maxProperties", node),
  };
}

function convertArray(node: Schema, path: string, met: Conversion): GbnfJsonSchema {
  const { items, prefixItems } = node;
  return {
    type: "array",
    ...(items !== undefined && typeof items !== "boolean" && { items: convert(items, `${path}/items`, met) }),
    ...(Array.isArray(prefixItems) && {
      prefixItems: prefixItems.map((item, index) => convert(item, `${path}/prefixItems/${index}`, met)),
    }),
    ...toLimit("minItems", node),
    ...toLimit("maxItems", node),
  };
}

function convertString(node: Schema): GbnfJsonSchema {
  const format = FORMATS.find((name) => name === node.format);
  if (format) return { type: "string", format };
  return { type: "string", ...toLimit("minLength", node), ...toLimit("maxLength", node) };
}

function toReference(target: unknown, path: string, met: Conversion): GbnfJsonSchema {
  const [, name] = /^#\/(?:\$defs|definitions)\/([^/]+)$/.exec(String(target)) ?? [];
  if (name === undefined) {
    throw new UnusableSchemaError(
      `The schema refers to ${JSON.stringify(target)} at ${path}; only #/$defs/... is supported.`,
    );
  }
  if (!met.definitions.has(name)) {
    throw new UnusableSchemaError(
      `The schema refers to ${JSON.stringify(target)} at ${path}, which it does not define.`,
    );
  }
  const converted: { $ref: string } = { $ref: `#/$defs/${name}` };
  return converted as GbnfJsonSchema;
}

function withDefinitions(schema: GbnfJsonSchema, $defs: Record<string, GbnfJsonSchema>): GbnfJsonSchema {
  // A schema for a simple value can't have definitions, so it is wrapped in a `oneOf` with one alternative.
  const canHoldDefinitions =
    "oneOf" in schema || ("type" in schema && (schema.type === "object" || schema.type === "array"));
  return canHoldDefinitions ? { ...schema, $defs } : { oneOf: [schema], $defs };
}

function toLiteral(value: unknown, path: string, met: Conversion): string | number | boolean | null {
  countPart(met, typeof value === "string" ? value : "");
  if (value === null || ["string", "number", "boolean"].includes(typeof value)) {
    return value as string | number | boolean | null;
  }
  throw new UnusableSchemaError(`The schema lists a value at ${path} that is not a string, number, boolean or null.`);
}

function toLimit<Name extends string>(name: Name, node: Schema): Partial<Record<Name, number>> {
  const value = node[name];
  const limits: Partial<Record<string, number>> = typeof value === "number" ? { [name]: value } : {};
  return limits as Partial<Record<Name, number>>;
}

function toObject(value: unknown, path: string): Schema {
  if (value === true) return {};
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  throw new UnusableSchemaError(`The schema must have an object at ${path}.`);
}

function toOptionalObject(value: unknown, path: string): Schema {
  return value === undefined ? {} : toObject(value, path);
}

function mapValues<Value>(values: Schema, map: (value: unknown, key: string) => Value): Record<string, Value> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, map(value, key)]));
}
