import { describe, expect, test } from "vitest";
import { loadContract } from "./contract.ts";
import type { ContractDocument } from "./contract-document.ts";
import { createResolver, readRouteSchemas } from "./route-schemas.ts";

const KEY = { type: "object", properties: { name: { type: "string" } } };

/** A document with one operation, and what is left out of it. */
function documentOf(operation: object, item: object = {}): ContractDocument {
  const components = {
    parameters: {
      id: { name: "id", in: "path", required: true, schema: { type: "string" } },
      limit: { name: "limit", in: "query", schema: { type: "integer", default: 20 } },
    },
    schemas: { Key: KEY, KeyList: { type: "array", items: { $ref: "#/components/schemas/Key" } } },
  };
  const paths = { "/keys/{id}": { ...item, get: { operationId: "keys.get", ...operation } } };
  return { paths, components } as unknown as ContractDocument;
}

const schemasOf = (operation: object, item: object = {}) =>
  readRouteSchemas(documentOf(operation, item)).get("keys.get");

describe("the schemas of an operation", () => {
  test("parameters of the path and of the operation are put together by place", () => {
    const parameters = [
      { $ref: "#/components/parameters/limit" },
      { name: "X-Queue-Timeout", in: "header", required: true, schema: { type: "integer" } },
    ];
    const found = schemasOf({ parameters }, { parameters: [{ $ref: "#/components/parameters/id" }] });
    expect(found).toEqual({
      params: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
      querystring: { type: "object", properties: { limit: { type: "integer", default: 20 } }, required: [] },
      headers: {
        type: "object",
        properties: { "x-queue-timeout": { type: "integer" } },
        required: ["x-queue-timeout"],
      },
      response: {},
    });
  });

  test("an operation without parameters and body has no schemas for them", () =>
    expect(schemasOf({})).toEqual({ response: {} }));

  test("values have schemas, texts and files have none", () => {
    const schema = { $ref: "#/components/schemas/Key" };
    const content = { "application/json": { schema }, "text/csv": { schema: { type: "string" } } };
    const found = schemasOf({ requestBody: { content }, responses: { 200: { content } } });
    const values = { content: { "application/json": { schema: KEY } } };
    expect(found).toEqual({ body: values, response: { 200: values } });
  });

  test("errors and responses without a body have no schemas", () => {
    const content = { "application/json": { schema: KEY } };
    expect(schemasOf({ responses: { 204: {}, 404: { content }, 500: { content } } })).toEqual({ response: {} });
  });

  test("every operation of the contract has schemas without references", () => {
    const { operations, schemas } = loadContract();
    expect([...schemas.keys()].sort()).toEqual([...operations.keys()].sort());
    expect(JSON.stringify([...schemas.values()])).not.toContain('"$ref":"');
  });
});

describe("references of a document", () => {
  const resolve = createResolver(documentOf({}));

  test("are replaced by what they name, inside of what they name too", () =>
    expect(resolve({ a: [{ $ref: "#/components/schemas/KeyList" }] })).toEqual({ a: [{ type: "array", items: KEY }] }));

  test("to the same part give the same object", () => {
    const both = [{ $ref: "#/components/schemas/Key" }, { $ref: "#/components/schemas/Key" }];
    const [first, second] = resolve(both) as object[];
    expect(first).toBe(second);
  });

  test("name parts with a slash and a tilde in their names", () =>
    expect(createResolver({ paths: { "/a~b": 1 } })({ $ref: "#/paths/~1a~0b" })).toBe(1));

  test("to nothing are refused", () =>
    expect(() => resolve({ $ref: "#/components/schemas/Kye" })).toThrow(
      "The contract has no #/components/schemas/Kye.",
    ));

  test("to a part that contains itself are refused", () => {
    const tree = { Tree: { properties: { parts: { items: { $ref: "#/Tree" } } } } };
    expect(() => createResolver(tree)({ $ref: "#/Tree" })).toThrow("The contract's #/Tree contains itself.");
  });
});
