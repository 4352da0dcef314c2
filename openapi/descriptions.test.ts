import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

/** The parts of a schema that say what a field is, and where further fields are. */
type Schema = {
  $ref?: string;
  type?: string | readonly string[];
  description?: string;
  properties?: Record<string, Schema>;
  patternProperties?: Record<string, Schema>;
  items?: Schema;
  prefixItems?: readonly Schema[];
  additionalProperties?: boolean | Schema;
  allOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  anyOf?: readonly Schema[];
};
/** A parameter or a header, which has no name of its own. */
type Parameter = { $ref?: string; name?: string; description?: string };
/** A part of the contract, such as an operation or a response. */
type Part = { [key: string]: unknown };
/** A field of a schema, with the path that it is reported by. */
type Field = { path: string; schema: Schema };
type Contract = { paths: Part; components: Part & { schemas: Record<string, Schema> } };

/** Words that say what a number counts, measures or numbers. */
const UNIT = new RegExp(
  `\\b(${[
    ...["USD", "dollars?", "cents?", "percent", "shares?", "factor", "ratio", "scores?", "stars?"],
    ...["bytes?", "GB", "milliseconds?", "seconds?", "minutes?", "hours?", "days?", "months?", "years?"],
    ...["numbers?", "tokens?", "units", "positions?", "pages?", "ports?", "versions?", "status"],
  ].join("|")})\\b`,
  "i",
);

const contract = JSON.parse(
  readFileSync(fileURLToPath(new URL("generated/openapi.json", import.meta.url)), "utf8"),
) as Contract;

const { schemas, ...otherComponents } = contract.components;
const otherParts: Part = { ...otherComponents, paths: contract.paths };
const fields = [
  ...Object.entries(schemas).flatMap(([name, schema]) => listFields(schema, name)),
  ...listInlineFields(otherParts, ""),
];

test("describes every schema", () => {
  const names = Object.entries(schemas).flatMap(([name, { description }]) => (description ? [] : [name]));
  expect(names).toEqual([]);
});

test("describes every field of every schema", () => {
  expect(fields.filter(({ schema }) => findDescription(schema) === "").map(({ path }) => path)).toEqual([]);
});

test("says the unit of every number", () => {
  const numbers = fields.filter(({ schema }) => isNumber(schema));
  expect(numbers.filter(({ schema }) => !UNIT.test(findDescription(schema))).map(({ path }) => path)).toEqual([]);
});

test("describes every parameter and header", () => {
  const parameters = listParameters(otherParts, "");
  const undescribed = parameters.filter(({ parameter: { $ref, description = "" } }) => !$ref && description === "");
  expect(undescribed.map(({ path }) => path)).toEqual([]);
});

/** Returns the fields of a schema at any depth, without those of schemas that it refers to. */
function listFields(schema: Schema, path: string): Field[] {
  const { items, additionalProperties, allOf = [], oneOf = [], anyOf = [], prefixItems = [] } = schema;
  const fields = Object.entries({ ...schema.properties, ...schema.patternProperties }).map(([name, field]) => ({
    path: `${path}.${name}`,
    schema: field,
  }));
  const elements = [...(items ? [items] : []), ...prefixItems].map((element) => ({
    path: `${path}[]`,
    schema: element,
  }));
  const values = typeof additionalProperties === "object" ? [{ path: `${path}{}`, schema: additionalProperties }] : [];
  const alternatives = [...allOf, ...oneOf, ...anyOf].map((alternative) => ({ path, schema: alternative }));
  const inner = [...fields, ...elements, ...values, ...alternatives];
  return [...fields, ...inner.flatMap((part) => listFields(part.schema, part.path))];
}

/** Returns the fields of the schemas inside a part of the contract. */
function listInlineFields(part: Part, path: string): Field[] {
  return listInnerNodes(part).flatMap(([key, inner]) =>
    key === "schema" ? listFields(inner, path) : listInlineFields(inner, `${path}/${key}`),
  );
}

/** Returns the parameters and headers inside a part of the contract. */
function listParameters(part: Part, path: string): { path: string; parameter: Parameter }[] {
  return listInnerNodes(part).flatMap(([key, inner]) => {
    if (key === "schema") return [];
    if (key !== "parameters" && key !== "headers") return listParameters(inner, `${path}/${key}`);
    return Object.entries(inner as Record<string, Parameter>).map(([name, parameter]) => ({
      path: `${path}/${key}/${parameter.name ?? name}`,
      parameter,
    }));
  });
}

/** Returns the objects and arrays inside a part of the contract, except its examples. */
function listInnerNodes(part: Part): [string, Part][] {
  return Object.entries(part).filter(
    (entry): entry is [string, Part] =>
      typeof entry[1] === "object" && entry[1] !== null && entry[0] !== "examples" && entry[0] !== "example",
  );
}

/** Returns the description of a field, or that of the schema that it refers to. */
function findDescription({ $ref, description }: Schema): string {
  if (description !== undefined || $ref === undefined) return description ?? "";
  return schemas[$ref.slice($ref.lastIndexOf("/") + 1)]?.description ?? "";
}

function isNumber({ type }: Schema): boolean {
  return [type].flat().some((name) => name === "number" || name === "integer");
}
