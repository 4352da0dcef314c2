import { expect, test } from "vitest";
import { UnusableSchemaError } from "../engine-model.ts";
import { toGrammarSchema } from "./json-schema.ts";

test("objects, arrays and simple types keep their structure", () => {
  const schema = {
    type: "object",
    title: "left out",
    properties: {
      name: { type: "string", minLength: 1, pattern: "x" },
      tags: { type: "array", items: { enum: ["a"] } },
    },
    required: ["name"],
    additionalProperties: false,
  };
  expect(toGrammarSchema(schema)).toEqual({
    type: "object",
    properties: { name: { type: "string", minLength: 1 }, tags: { type: "array", items: { enum: ["a"] } } },
    additionalProperties: false,
  });
});

test("an object without named properties allows any property", () => {
  expect(toGrammarSchema({ type: "object" })).toMatchObject({ additionalProperties: true });
});

test("several types and anyOf become a choice", () => {
  expect(toGrammarSchema({ type: ["string", "null"] })).toEqual({ oneOf: [{ type: "string" }, { type: "null" }] });
  expect(toGrammarSchema({ anyOf: [{ const: 1 }, { type: "boolean" }] })).toEqual({
    oneOf: [{ const: 1 }, { type: "boolean" }],
  });
});

test("finds definitions under both keywords", () => {
  const schema = { $ref: "#/definitions/node", definitions: { node: { type: "string" } } };
  expect(toGrammarSchema(schema)).toEqual({
    oneOf: [{ $ref: "#/$defs/node" }],
    $defs: { node: { type: "string" } },
  });
});

/** An array of an array of an array, so many times. */
function nest(levels: number): unknown {
  let schema: object = {};
  for (let level = 0; level < levels; level++) schema = { type: "array", items: schema };
  return schema;
}

const names = (count: number) => Array.from({ length: count }, (_, index) => `name${index}`);

test.each([
  ["allOf", { type: "object", properties: { a: { allOf: [] } } }, "#/properties/a"],
  ["an unknown type", { type: "date" }, "#"],
  ["a reference elsewhere", { $ref: "https://example.org/x.json" }, "https://example.org/x.json"],
  ["a reference to nothing", { $ref: "#/$defs/missing" }, "does not define"],
  ["no object", "string", "#"],
  ["too many levels", nest(100_000), "64 levels"],
  ["too many values", { enum: Array.from({ length: 100_000 }, (_, index) => index) }, "2000 parts"],
  ["too many properties", { properties: Object.fromEntries(names(1_001).map((name) => [name, {}])) }, "2000 parts"],
  ["too many types", { type: names(3_000).map(() => "string") }, "2000 parts"],
  ["too long a value", { const: "a".repeat(65_537) }, "65536 characters"],
])("rejects %s with its path", (_name, schema, place) => {
  expect(() => toGrammarSchema(schema)).toThrow(UnusableSchemaError);
  expect(() => toGrammarSchema(schema)).toThrow(place);
});
