import { expect, test } from "vitest";
import { addPlainTextRule, PLAIN_TEXT } from "./plain-texts.ts";

/** Adds the rule to a contract with one call, which takes a schema as its body, and returns the schema with the rule. */
function addRule<T extends object>(schema: T, path = "/keys"): T {
  const requestBody = { content: { "application/json": { schema } } };
  addPlainTextRule({ paths: { [path]: { post: { requestBody } } } });
  return schema;
}
const ruled = { pattern: PLAIN_TEXT, "x-pattern-message": "must hold no NUL character" };

test.each<[string, object]>([
  ["a text", { type: "string" }],
  ["a text that may be null", { type: ["string", "null"] }],
])("the rule against NUL is added to %s", (_what, schema) => {
  const before = { ...schema };
  expect(addRule(schema)).toEqual({ ...before, ...ruled });
});

test.each<[string, object]>([
  ["a text with a pattern", { type: "string", pattern: "^a$" }],
  ["a text with a format", { type: "string", format: "email" }],
  ["a text with values", { type: "string", enum: ["a"] }],
  ["a number", { type: "integer" }],
])("the rule against NUL is not added to %s", (_what, schema) => {
  const before = { ...schema };
  expect(addRule(schema)).toEqual(before);
});

test("the rule against NUL is added to the texts in fields, lists, maps and alternatives", () => {
  const text = () => ({ type: "string" });
  const schema = {
    properties: { name: text(), tags: { items: text() } },
    additionalProperties: text(),
    oneOf: [text()],
  };
  expect(addRule(schema)).toEqual({
    properties: { name: { type: "string", ...ruled }, tags: { items: { type: "string", ...ruled } } },
    additionalProperties: { type: "string", ...ruled },
    oneOf: [{ type: "string", ...ruled }],
  });
});

test("the rule against NUL is added to queries and shared schemas, but not to responses", () => {
  const schemas = { Name: { type: "string" }, Answer: { type: "string" } };
  const query = { in: "query", schema: { $ref: "#/components/schemas/Name" } };
  const responses = { 200: { content: { "application/json": { schema: { $ref: "#/components/schemas/Answer" } } } } };
  addPlainTextRule({ paths: { "/keys": { parameters: [query], get: { responses } } }, components: { schemas } });
  expect(schemas).toEqual({ Name: { type: "string", ...ruled }, Answer: { type: "string" } });
});

test("the rule against NUL is not added to calls to models, nor to what they share with others", () => {
  expect(addRule({ type: "string" }, "/v1/completions")).toEqual({ type: "string" });
  const schemas = { Text: { type: "string" } };
  const requestBody = { content: { "application/json": { schema: { $ref: "#/components/schemas/Text" } } } };
  const paths = { "/keys": { post: { requestBody } }, "/deployments/{id}/v1/completions": { post: { requestBody } } };
  addPlainTextRule({ paths, components: { schemas } });
  expect(schemas.Text).toEqual({ type: "string" });
});
