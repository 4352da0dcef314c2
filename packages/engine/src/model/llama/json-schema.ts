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
 * Converts a JSON Schema to the subset that node-llama-cpp builds grammars from. Every named property will be written,
 * including optional ones. Limits on values (`minimum`, `pattern`, `uniqueItems`, other formats) are not enforced.
 * Structure that can't be expressed throws {@link UnusableSchemaError} with its path in the schema.
 */
export function toGrammarSchema(schema: unknown): GbnfJsonSchema {
  const root = toObject(schema, "#");
  const definitions = {
    ...toOptionalObject(root.definitions, "#/definitions"),
    ...toOptionalObject(root.$defs, "#/$defs"),
  };
  const $defs = mapValues(definitions, (definition, name) => convert(definition, `#/$defs/${name}`));
  const converted = convert(root, "#");
  return Object.keys($defs).length > 0 ? withDefinitions(converted, $defs) : converted;
}

function convert(schema: unknown, path: string): GbnfJsonSchema {
  const node = toObject(schema, path);
  const unsupportedKeyword = UNSUPPORTED_KEYWORDS.find((keyword) => keyword in node);
  if (unsupportedKeyword)
    throw new UnusableSchemaError(`The schema uses "${unsupportedKeyword}" at ${path}, which is not supported.`);
  if (node.$ref !== undefined) return toReference(node.$ref, path);
  const alternatives = node.anyOf ?? node.oneOf;
  if (Array.isArray(alternatives)) {
    return { oneOf: alternatives.map((alternative, index) => convert(alternative, `${path}/anyOf/${index}`)) };
  }
  if ("const" in node) return { const: toLiteral(node.const, path) };
  if (Array.isArray(node.enum)) return { enum: node.enum.map((value) => toLiteral(value, path)) };
  return convertTypes(node, path);
}

function convertTypes(node: Schema, path: string): GbnfJsonSchema {
  const types = Array.isArray(node.type) ? node.type : [node.type ?? impliedType(node)];
  const [type, ...others] = types;
  if (others.length === 0) return convertType(type, node, path);
  return { oneOf: types.map((each) => convertType(each, node, path)) };
}

function impliedType(node: Schema): string | undefined {
  if ("properties" in node) return "object";
  return "items" in node || "prefixItems" in node ? "array" : undefined;
}

function convertType(type: unknown, node: Schema, path: string): GbnfJsonSchema {
  if (type === "object") return convertObject(node, path);
  if (type === "array") return convertArray(node, path);
  if (type === "string") return convertString(node);
  if (type === undefined) {
    // Any value at all: an object of any shape, an array, or something simple.
    return { oneOf: [{ type: [...BASIC_TYPES] }, { type: "object", additionalProperties: true }, { type: "array" }] };
  }
  const basic = BASIC_TYPES.find((name): name is BasicType => name === type);
  if (!basic) throw new UnusableSchemaError(`The schema has the unknown type ${JSON.stringify(type)} at ${path}.`);
  return { type: basic };
}

function convertObject(node: Schema, path: string): GbnfJsonSchema {
  const properties = toOptionalObject(node.properties, `${path}/properties`);
  const isFree = Object.keys(properties).length === 0 && node.additionalProperties !== false;
  const { additionalProperties: additional } = node;
  return {
    type: "object",
    properties: mapValues(properties, (property, name) => convert(property, `${path}/properties/${name}`)),
    additionalProperties: typeof additional === "object" ? convert(additional, `${path}/additionalProperties`) : isFree,
    ...toLimit("minProperties", node),
    ...toLimit("maxProperties", node),
  };
}

function convertArray(node: Schema, path: string): GbnfJsonSchema {
  const { items, prefixItems } = node;
  return {
    type: "array",
    ...(items !== undefined && typeof items !== "boolean" && { items: convert(items, `${path}/items`) }),
    ...(Array.isArray(prefixItems) && {
      prefixItems: prefixItems.map((item, index) => convert(item, `${path}/prefixItems/${index}`)),
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

function toReference(target: unknown, path: string): GbnfJsonSchema {
  const [, name] = /^#\/(?:\$defs|definitions)\/([^/]+)$/.exec(String(target)) ?? [];
  if (name === undefined) {
    throw new UnusableSchemaError(
      `The schema refers to ${JSON.stringify(target)} at ${path}; only #/$defs/... is supported.`,
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

function toLiteral(value: unknown, path: string): string | number | boolean | null {
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
