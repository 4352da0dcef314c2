import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import ajvFormats from "ajv-formats";
import { getLlama, LlamaGrammar, LlamaLogLevel } from "node-llama-cpp";
import { expect, test } from "vitest";
import { createRandom, sampleGrammar } from "../testing/sample-grammar.ts";
import { compileSchema, createSchemaGrammar } from "./create-schema-grammar.ts";
import { HELD_FORMATS, UNHELD_FORMATS } from "./formats.ts";
import { toPointer } from "./schema-document.ts";
import { UnusableSchemaError } from "./unusable-schema-error.ts";

const llama = await getLlama({ gpu: false, build: "never", logLevel: LlamaLogLevel.error });
const SAMPLES = 60;
const INFINITE_RECURSION = {
  $ref: "#/$defs/a",
  $defs: { a: { properties: { a: { $ref: "#/$defs/a" } }, required: ["a"] } },
};

/** A schema, JSON that its grammar must take, and JSON that it must not take. */
type Case = { schema: object | boolean; takes: readonly string[]; not?: readonly string[] };

function createValidator(schema: object | boolean): (value: unknown) => boolean {
  const ajv = new Ajv2020({ strict: false, multipleOfPrecision: 9, logger: false });
  ajvFormats.default(ajv);
  return ajv.compile(schema);
}

/** llama.cpp's own answer whether a grammar takes a text. */
function createTaker(grammar: string): (text: string) => boolean {
  const compiled = new LlamaGrammar(llama, { grammar });
  if (!("_testText" in compiled) || typeof compiled._testText !== "function") throw new Error("No test of texts.");
  return compiled._testText.bind(compiled);
}

/** Texts of the grammar of a schema, each as likely to be at its limits as within. */
function sampleTexts(schema: object | boolean, count = SAMPLES): string[] {
  const { rules, value } = compileSchema(schema, false);
  return Array.from({ length: count }, (_, seed) => sampleGrammar(rules, value, createRandom(seed + 1)));
}

function unheldOf(schema: unknown): string[] {
  return createSchemaGrammar(schema).unheld.map(({ path }) => toPointer(path));
}

const AB = { type: "object", properties: { a: { type: "integer" }, b: { type: "string" } } };
const LETTERS = { enum: ["x", "y", "z"] };

/** By keyword: what the grammar holds. */
const HELD: Record<string, Case[]> = {
  type: [
    { schema: { type: "integer" }, takes: ["0", "-12"], not: ["1.5", "1e3", "01", '"1"', "9999999999999999"] },
    { schema: { type: ["string", "null"] }, takes: ['"a"', "null"], not: ["1", "true"] },
    { schema: { type: "number" }, takes: ["1.5", "1e3", "-0.25"], not: ["1e999", ".5", "null"] },
    { schema: {}, takes: ['[1, {"a": null}]', "true"], not: ["undefined", "[1,]"] },
  ],
  enum: [
    {
      schema: { enum: ["a", "ab", 1, 12, null, { k: [1] }] },
      takes: ['"a"', '"ab"', "1", "12", "null", '{"k":[1]}'],
      not: ['"abc"', "2"],
    },
    { schema: { type: "string", minLength: 2, enum: ["a", "ab", 1] }, takes: ['"ab"'], not: ['"a"', "1"] },
  ],
  const: [{ schema: { const: 'say "\u00fc"\n' }, takes: [JSON.stringify('say "\u00fc"\n')], not: ['"say"'] }],
  minimum: [
    {
      schema: { type: "integer", minimum: 3, maximum: 5 },
      takes: ["3", "4", "5"],
      not: ["1", "2", "6", "35", "-3", "3.5"],
    },
    { schema: { type: "integer", minimum: -17 }, takes: ["-17", "-1", "0", "123456"], not: ["-18", "-170"] },
    {
      schema: { type: "number", minimum: 0.25, maximum: 1.5 },
      takes: ["0.25", "1.00", "1.499"],
      not: ["0.2", "0.24", "1.51", "2"],
    },
  ],
  maximum: [
    { schema: { type: "integer", maximum: 1234 }, takes: ["1234", "-1234567", "999"], not: ["1235", "2000", "10000"] },
    {
      schema: { type: "integer", minimum: 4.5, maximum: 1e15 },
      takes: ["5", "1000000000000000"],
      not: ["4", "1000000000000001"],
    },
  ],
  exclusiveMinimum: [
    { schema: { type: "integer", exclusiveMinimum: 0 }, takes: ["1"], not: ["0", "-1"] },
    {
      schema: { type: "number", exclusiveMinimum: 0, maximum: 0.5 },
      takes: ["0.1", "0.5", "0.01"],
      not: ["0.0", "0", "0.6"],
    },
  ],
  exclusiveMaximum: [
    { schema: { type: "integer", exclusiveMaximum: 10, minimum: 9 }, takes: ["9"], not: ["10"] },
    {
      schema: { type: "number", minimum: -2.5, exclusiveMaximum: 10 },
      takes: ["-2.5", "9.99999", "0.0"],
      not: ["10", "10.0", "-2.6"],
    },
  ],
  multipleOf: [
    { schema: { type: "integer", multipleOf: 7 }, takes: ["0", "-14", "70007"], not: ["1", "70008"] },
    {
      schema: { type: "integer", minimum: -5, maximum: 1000, multipleOf: 100 },
      takes: ["0", "100", "1000"],
      not: ["-100", "150"],
    },
    { schema: { type: "number", multipleOf: 0.01, minimum: 0 }, takes: ["0.00", "12.34"], not: ["12.345"] },
    { schema: { type: "number", multipleOf: 5 }, takes: ["5", "-10"], not: ["5.5", "3"] },
  ],
  minLength: [
    {
      schema: { type: "string", minLength: 2 },
      takes: ['"ab"', '"\u{1f44b}\u00fc"', '"a\\n"'],
      not: ['"a"', '""', '"\\ud83d\\ude00"'],
    },
    {
      schema: { type: "string", minLength: 2, maxLength: 4, pattern: "^[a-z]+$" },
      takes: ['"ab"', '"abcd"'],
      not: ['"a"', '"abcde"'],
    },
  ],
  maxLength: [
    { schema: { type: "string", maxLength: 2 }, takes: ['""', '"ab"'], not: ['"abc"'] },
    {
      schema: { type: "string", minLength: 1_500, maxLength: 5_000 },
      takes: [1_500, 2_000, 2_997, 2_998, 5_000].map((length) => JSON.stringify("x".repeat(length))),
      not: [1_499, 5_001].map((length) => JSON.stringify("x".repeat(length))),
    },
  ],
  pattern: [
    { schema: { type: "string", pattern: "^[A-C]{2}$" }, takes: ['"AB"'], not: ['"A"', '"ABC"', '"ab"', "AB"] },
    { schema: { pattern: "^a+$" }, takes: ['"aaa"'], not: ['""', '"ab"', "1"] },
    { schema: { pattern: "b+|^a" }, takes: ['"xxbyy"', '"a1"'], not: ['"xx"'] },
    {
      schema: { pattern: '^"[^x"]\\\\\\/(?:\\u{e9}|\\x41)?$' },
      takes: [JSON.stringify('"a\\/'), JSON.stringify('"a\\/\u00e9')],
      not: [JSON.stringify('"x\\/')],
    },
    {
      schema: { pattern: "^(?<year>\\d{4})-\\w\\s[.\\-]$" },
      takes: ['"2024-_ ."', '"2024-a\\n-"'],
      not: ['"2024-- ."'],
    },
    { schema: { pattern: "^(ab?|[cd]{1,3}?)*$" }, takes: ['""', '"abacdd"'], not: ['"b"'] },
  ],
  format: HELD_FORMATS.map((format) => ({ schema: { type: "string", format }, takes: [] })),
  properties: [
    {
      schema: AB,
      takes: ["{}", '{"a": 1}', '{"b":"x"}', '{\n  "a": 1,\n  "b": ""\n}'],
      not: ['{"b":"","a":1}', '{"c":1}', '{"a":"1"}', '{"a":1,}'],
    },
    { schema: { properties: { a: false, b: true } }, takes: ["{}", '{"b":[]}'], not: ['{"a":1}'] },
    { schema: { properties: { 'q"\\\n': { const: 1 } } }, takes: [JSON.stringify({ 'q"\\\n': 1 })], not: [] },
  ],
  required: [
    { schema: { ...AB, required: ["b"] }, takes: ['{"b":""}', '{"a":1,"b":""}'], not: ["{}", '{"a":1}'] },
    { schema: { ...AB, required: ["c"] }, takes: ['{"c":null}', '{"a":1,"c":[]}'], not: ["{}"] },
  ],
  additionalProperties: [
    { schema: { ...AB, additionalProperties: false }, takes: ['{"a":1}'], not: ['{"c":1}'] },
    {
      schema: { ...AB, additionalProperties: { type: "null" } },
      takes: ['{"a":1,"c":null}', '{"ab":null,"":null}'],
      not: ['{"c":1}', '{"a":null}', '{"\\u0061":null}'],
    },
    { schema: { type: "object", additionalProperties: false }, takes: ["{}"], not: ['{"a":1}'] },
    {
      schema: { properties: { ["x".repeat(100)]: { type: "integer" } }, additionalProperties: { type: "null" } },
      takes: ['{"x":null}'],
      not: [`{"${"x".repeat(100)}":null}`],
    },
  ],
  patternProperties: [
    {
      schema: { patternProperties: { "^x-[a-z]+$": { type: "integer" } }, additionalProperties: false },
      takes: ["{}", '{"x-a":1}'],
      not: ['{"a":1}', '{"x-a":""}'],
    },
    {
      schema: { ...AB, patternProperties: { "^x-": {} }, additionalProperties: false },
      takes: ['{"a":1}'],
      not: ['{"b":1}'],
    },
  ],
  propertyNames: [
    {
      schema: { type: "object", propertyNames: { pattern: "^[a-z]$" }, additionalProperties: { type: "null" } },
      takes: ["{}", '{"a":null}'],
      not: ['{"ab":null}', '{"a":1}'],
    },
    { schema: { propertyNames: LETTERS }, takes: ['{"x":1}'], not: ['{"a":1}'] },
  ],
  minProperties: [
    { schema: { ...AB, minProperties: 1 }, takes: ['{"a":1}', '{"b":""}'], not: ["{}"] },
    { schema: { ...AB, minProperties: 2 }, takes: ['{"a":1,"b":""}'], not: ['{"a":1}'] },
    { schema: { ...AB, minProperties: 3 }, takes: ['{"a":1,"b":"","c":1}'], not: ['{"a":1,"b":""}'] },
  ],
  maxProperties: [
    { schema: { ...AB, maxProperties: 1 }, takes: ["{}", '{"a":1}', '{"b":""}'], not: ['{"a":1,"b":""}'] },
    { schema: { type: "object", maxProperties: 1 }, takes: ["{}", '{"c":1}'], not: ['{"c":1,"d":1}'] },
  ],
  items: [
    { schema: { items: { type: "integer" } }, takes: ["[]", "[1, 2]"], not: ['[""]'] },
    { schema: { items: false }, takes: ["[]"], not: ["[1]"] },
  ],
  prefixItems: [
    {
      schema: { prefixItems: [{ type: "integer" }, { type: "string" }], items: false },
      takes: ['[1,"a"]'],
      not: ["[1]", '[1,"a",2]'],
    },
    {
      schema: { prefixItems: [{ type: "integer" }], minItems: 0, items: { type: "null" } },
      takes: ["[]", "[1,null]"],
      not: ["[null]"],
    },
  ],
  minItems: [
    { schema: { type: "array", minItems: 2, items: { const: 1 } }, takes: ["[1,1]", "[1,1,1]"], not: ["[1]", "[]"] },
  ],
  maxItems: [{ schema: { type: "array", maxItems: 2, items: { const: 1 } }, takes: ["[1,1]", "[]"], not: ["[1,1,1]"] }],
  uniqueItems: [
    {
      schema: { type: "array", uniqueItems: true, minItems: 2, items: LETTERS },
      takes: ['["x","y"]', '["z","y","x"]'],
      not: ['["x"]', '["x","x"]'],
    },
    { schema: { type: "array", uniqueItems: true, maxItems: 1 }, takes: ["[]", "[{}]"], not: ["[1,2]"] },
    { schema: { uniqueItems: false, items: { const: 1 } }, takes: ["[1,1]"] },
  ],
  unevaluatedProperties: [
    { schema: { ...AB, unevaluatedProperties: false }, takes: ['{"a":1}'], not: ['{"c":1}'] },
    {
      schema: { allOf: [AB], properties: { c: { const: 1 } }, unevaluatedProperties: false },
      takes: ['{"c":1,"a":1}'],
      not: ['{"d":1}'],
    },
  ],
  unevaluatedItems: [
    { schema: { prefixItems: [{ const: 1 }], unevaluatedItems: false }, takes: ["[1]"], not: ["[1,1]"] },
  ],
  allOf: [
    {
      schema: { allOf: [{ ...AB, required: ["a"] }, { properties: { a: { minimum: 3 } } }] },
      takes: ['{"a":3}'],
      not: ['{"a":2}', "{}"],
    },
    {
      schema: {
        allOf: [
          { ...AB, additionalProperties: false },
          { properties: { c: true }, required: ["a"] },
        ],
      },
      takes: ['{"a":1}'],
      not: ['{"a":1,"c":1}'],
    },
    { schema: { allOf: [LETTERS, { enum: ["y", "a"] }] }, takes: ['"y"'], not: ['"x"', '"a"'] },
  ],
  anyOf: [
    { schema: { anyOf: [{ type: "integer" }, { const: "x" }] }, takes: ["1", '"x"'], not: ["null"] },
    { schema: { type: "integer", anyOf: [{ maximum: 1 }, { minimum: 5 }] }, takes: ["1", "5"], not: ["3"] },
    { schema: { anyOf: [false, { type: "null" }] }, takes: ["null"], not: ["1"] },
  ],
  oneOf: [
    { schema: { oneOf: [{ type: "string" }, { type: "null" }] }, takes: ['""', "null"], not: ["1"] },
    {
      schema: {
        oneOf: ["a", "b"].map((kind) => ({
          type: "object",
          properties: { kind: { const: kind }, [kind]: {} },
          required: ["kind"],
        })),
      },
      takes: ['{"kind":"a","a":1}', '{"kind":"b"}'],
      not: ['{"kind":"a","b":1}', '{"kind":"c"}'],
    },
  ],
  $ref: [
    {
      schema: { properties: { a: { $ref: "#/$defs/a~1b%20c" } }, $defs: { "a/b c": { const: 1 } } },
      takes: ['{"a":1}'],
      not: ['{"a":2}'],
    },
    {
      schema: { properties: { next: { $ref: "#" } }, additionalProperties: false },
      takes: ['{"next":{"next":{}}}'],
      not: ['{"next":1}'],
    },
    {
      schema: { $ref: "#/definitions/n", minimum: 3, definitions: { n: { type: "integer" } } },
      takes: ["3"],
      not: ["2", "3.5"],
    },
  ],
  $defs: [{ schema: { $defs: { unused: { not: {} } }, type: "null" }, takes: ["null"], not: ["1"] }],
  contains: [{ schema: { items: { const: 1 }, contains: { const: 2 }, minContains: 0 }, takes: ["[1]", "[]"] }],
};

/** By keyword: schemas with what the grammar does not hold of them. */
const UNHELD: Record<string, [object, string[]][]> = {
  not: [[{ properties: { a: { not: { type: "null" } } } }, ["#/properties/a/not"]]],
  if: [[JSON.parse('{"if":{},"then":{"required":["a"]}}'), ["#/if"]]],
  dependentSchemas: [[{ ...AB, dependentSchemas: { a: {} } }, ["#/dependentSchemas"]]],
  dependentRequired: [[{ ...AB, dependentRequired: { a: ["b"] } }, ["#/dependentRequired"]]],
  contains: [
    [{ type: "array", contains: { const: 1 } }, ["#/contains"]],
    [{ type: "array", contains: { const: 1 }, minContains: 0, maxContains: 1 }, ["#/contains"]],
  ],
  $dynamicRef: [[{ $dynamicRef: "#node", $dynamicAnchor: "node" }, ["#/$dynamicRef"]]],
  $id: [[{ properties: { a: { $id: "https://example.org/a", type: "null" } } }, ["#/properties/a/$id"]]],
  format: [
    ...[...UNHELD_FORMATS, "phone"].map((format): [object, string[]] => [{ type: "string", format }, ["#/format"]]),
    [{ type: "string", format: "date", pattern: "^2" }, ["#/format"]],
    [{ enum: ["a"], format: "date" }, ["#/format"]],
  ],
  pattern: [
    ...[
      "^(?=a)",
      "(a)\\1",
      "\\bword\\b",
      "\\p{L}",
      "^a{400}.{400}b|a(^b)",
      "(a*)*",
      "a.{100}b",
      "a**",
      "[",
      "(",
      "x{2,1}",
    ].map((pattern): [object, string[]] => [{ type: "string", pattern }, ["#/pattern"]]),
    [{ allOf: [{ type: "string", pattern: "^a" }, { pattern: "b$" }] }, ["#/allOf/1/pattern"]],
    [{ enum: ["a"], pattern: "^a$" }, ["#/pattern"]],
  ],
  minLength: [[{ type: "string", minLength: 3, pattern: "^(ab|c)+$" }, ["#/minLength"]]],
  maxLength: [[{ type: "string", maxLength: 50_000 }, ["#/maxLength"]]],
  minimum: [
    [{ type: "integer", minimum: 1e20 }, ["#/minimum"]],
    [{ type: "number", minimum: 1e-9 }, ["#/minimum"]],
  ],
  maximum: [[{ type: "number", maximum: 1e300 }, ["#/maximum"]]],
  exclusiveMinimum: [[{ type: "integer", exclusiveMinimum: 2 ** 53 }, ["#/exclusiveMinimum"]]],
  exclusiveMaximum: [[{ type: "number", exclusiveMaximum: 1e-12 }, ["#/exclusiveMaximum"]]],
  multipleOf: [
    [{ type: "integer", multipleOf: 97 }, ["#/multipleOf"]],
    [{ type: "number", multipleOf: 0.3 }, ["#/multipleOf"]],
    [{ type: "integer", multipleOf: 2, minimum: 0 }, ["#/multipleOf"]],
  ],
  uniqueItems: [
    [{ type: "array", uniqueItems: true }, ["#/uniqueItems"]],
    [{ type: "array", uniqueItems: true, items: { type: "integer" } }, ["#/uniqueItems"]],
  ],
  maxItems: [[{ type: "array", maxItems: 50_000 }, ["#/maxItems"]]],
  minProperties: [[{ type: "object", minProperties: 2 }, ["#/minProperties"]]],
  maxProperties: [[{ type: "object", maxProperties: 50_000 }, ["#/maxProperties"]]],
  propertyNames: [[{ ...AB, propertyNames: { maxLength: 1 } }, ["#/propertyNames"]]],
  patternProperties: [[{ ...AB, patternProperties: { "^a": { minimum: 1 } } }, ["#/patternProperties"]]],
  oneOf: [[{ oneOf: [{ type: "integer" }, { minimum: 3 }] }, ["#/oneOf"]]],
  unevaluatedProperties: [
    [
      { allOf: [{ ...AB, unevaluatedProperties: false }, { properties: { c: {} } }] },
      ["#/allOf/0/unevaluatedProperties"],
    ],
  ],
  unevaluatedItems: [
    [{ allOf: [{ prefixItems: [{}], unevaluatedItems: false }, { minItems: 1 }] }, ["#/allOf/0/unevaluatedItems"]],
  ],
};

/** Keywords that say nothing about whether a value fits, alone or without another keyword that is in the tables. */
const WITHOUT_EFFECT: Record<string, unknown> = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $id: "https://example.org/s",
  $anchor: "a",
  $dynamicAnchor: "a",
  $vocabulary: {},
  $comment: "c",
  title: "t",
  description: "d",
  default: 1,
  deprecated: true,
  readOnly: true,
  writeOnly: true,
  examples: [1],
  contentEncoding: "base64",
  contentMediaType: "text/plain",
  contentSchema: { type: "null" },
  minContains: 2,
  maxContains: 0,
  "x-other": 1,
  else: false,
  ...JSON.parse('{"then":false}'),
};

/** All keywords of the draft's vocabularies, from its own schemas. */
function listDraftKeywords(): string[] {
  const folder = join(
    dirname(createRequire(import.meta.url).resolve("ajv/dist/2020.js")),
    "refs/json-schema-2020-12/meta",
  );
  const vocabularies = ["core", "applicator", "unevaluated", "validation", "meta-data", "format-annotation", "content"];
  return vocabularies.flatMap((name) =>
    Object.keys(JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8")).properties),
  );
}

test("every keyword of draft 2020-12 is held, named as not held, or without effect", () => {
  const known = [HELD, UNHELD, WITHOUT_EFFECT].flatMap(Object.keys);
  expect(listDraftKeywords().length).toBeGreaterThan(50);
  expect(listDraftKeywords().filter((keyword) => !known.includes(keyword))).toEqual([]);
});

const HELD_CASES = Object.entries(HELD).flatMap(([keyword, cases]) =>
  cases.map((each) => ({ keyword, json: JSON.stringify(each.schema).slice(0, 120), ...each })),
);

test.each(HELD_CASES)("holds $keyword: $json", ({ schema, takes, not = [] }) => {
  const isValid = createValidator(schema);
  const isTaken = createTaker(createSchemaGrammar(schema).grammar);
  expect(unheldOf(schema)).toEqual([]);
  expect(takes.filter((text) => !isTaken(text) || !isValid(JSON.parse(text)))).toEqual([]);
  expect(not.filter(isTaken)).toEqual([]);
});

test.each(HELD_CASES)("all texts of a grammar fit its schema, $keyword: $json", ({ schema }) => {
  const isValid = createValidator(schema);
  const isTaken = createTaker(createSchemaGrammar(schema).grammar);
  const texts = sampleTexts(schema);
  expect(texts.filter((text) => !isValid(JSON.parse(text)))).toEqual([]);
  expect(texts.filter((text) => !isTaken(text))).toEqual([]);
});

const UNHELD_CASES = Object.entries(UNHELD).flatMap(([keyword, cases]) =>
  cases.map(([schema, unheld]) => ({ keyword, json: JSON.stringify(schema).slice(0, 120), schema, unheld })),
);

test.each(UNHELD_CASES)("names $keyword as not held: $json", ({ schema, unheld }) => {
  expect(unheldOf(schema)).toEqual(unheld);
  const isTaken = createTaker(createSchemaGrammar(schema).grammar);
  const texts = sampleTexts(schema, 5);
  expect(texts.filter((text) => !isTaken(text))).toEqual([]);
  expect(texts.map((text) => JSON.parse(text))).toHaveLength(5);
});

test.each(Object.entries(WITHOUT_EFFECT))("%s changes nothing", (keyword, value) => {
  const schema = { type: "object", properties: { a: { type: "integer" } } };
  expect(createSchemaGrammar({ ...schema, [keyword]: value })).toEqual(createSchemaGrammar(schema));
});

test("a keyword for another type than a value has is not named", () => {
  expect(unheldOf({ type: "integer", format: "int32", pattern: "(?=a)", contains: {}, dependentRequired: {} })).toEqual(
    [],
  );
});

/** Returns a schema of arrays that are nested to the given depth. */
function nest(levels: number): object {
  let schema: object = {};
  for (let level = 0; level < levels; level++) schema = { type: "array", items: schema };
  return schema;
}

const names = (count: number) => Array.from({ length: count }, (_, index) => `name${index}`);
const objectOf = (count: number) => ({ properties: Object.fromEntries(names(count).map((name) => [name, {}])) });

test.each<[string, unknown, string, string]>([
  ["a keyword with a wrong value", { properties: { a: { minimum: "3" } } }, "#/properties/a/minimum", "not valid"],
  ["a limit as in draft 4", { exclusiveMinimum: true }, "#/exclusiveMinimum", "not valid"],
  ["an unknown type", { type: "date" }, "#/type", "expected one of"],
  ["no object", "string", "#", "must have an object"],
  ["a reference elsewhere", { $ref: "https://example.org/x.json" }, "#/$ref", "only places within it"],
  ["a reference to nothing", { $ref: "#/$defs/missing" }, "#/$ref", "does not define"],
  ["a reference to itself", { properties: { a: { $ref: "#/properties/a" } } }, "#/properties/a", "refers to itself"],
  ["an alternative that is itself", { anyOf: [{ $ref: "#" }, { type: "null" }] }, "#", "refers to itself"],
  ["what has no end", INFINITE_RECURSION, "#", "finite length"],
  ["what contradicts itself", { type: "string", minLength: 3, maxLength: 2 }, "#", "finite length"],
  ["types that exclude each other", { allOf: [{ type: "string" }, { type: "null" }] }, "#", "finite length"],
  ["false", false, "#", "finite length"],
  ["too many levels", nest(100_000), "#", "128 levels"],
  ["too many values", { enum: Array.from({ length: 100_000 }, (_, index) => index) }, "#", "2000 parts"],
  ["too many properties", { ...objectOf(2_001), required: names(2_001) }, "#", "2000 parts"],
  ["too many optional properties", objectOf(257), "#", "256 optional"],
  ["too many alternatives", { anyOf: names(257).map((name) => ({ const: name })) }, "#/anyOf", "256 alternatives"],
  [
    "too many combinations",
    { allOf: names(6).map(() => ({ anyOf: names(6).map(() => ({ minimum: 1 })) })) },
    "#",
    "2000 parts",
  ],
  ["too long a value", { const: "a".repeat(65_537) }, "#", "65536 characters"],
])("rejects %s with its place", (_name, schema, place, reason) => {
  const attempt = () => createSchemaGrammar(schema);
  expect(attempt).toThrow(UnusableSchemaError);
  expect(attempt).toThrow(reason);
  expect(attempt).toThrow(expect.toSatisfy(({ path }: UnusableSchemaError) => toPointer(path).startsWith(place)));
});

test("a grammar for objects takes no other value", () => {
  const isTaken = createTaker(createSchemaGrammar({}, { isObject: true, end: "\n" }).grammar);
  expect(['{"a":1}\n', "{}\n", "1\n", "{}"].map(isTaken)).toEqual([true, true, false, false]);
});
