import { describe, expect, test } from "vitest";
import { describeAccess, describeLimits, describeType, flattenSchema, listFields, listParameters } from "./resolve.ts";
import type { Components, Operation, Schema } from "./types.ts";

const components: Components = {
  schemas: {
    Key: {
      type: "object",
      required: ["id"],
      properties: { id: { type: "string" }, at: { type: "string", format: "date-time" } },
    },
    More: {
      allOf: [
        { $ref: "#/components/schemas/Key" },
        { properties: { secret: { type: "string" } }, required: ["secret"] },
      ],
    },
    Tree: { type: "object", properties: { children: { type: "array", items: { $ref: "#/components/schemas/Tree" } } } },
  },
  parameters: { page: { name: "page", in: "query", schema: { type: "integer" } } },
};

test.each<[Schema, string]>([
  [{ type: "string" }, "string"],
  [{ type: ["string", "null"] }, "string or null"],
  [{ type: "string", format: "date-time" }, "date and time"],
  [{ type: "string", format: "date" }, "date"],
  [{ type: "array", items: { type: "integer" } }, "list of integer"],
  [{ type: "array", items: { $ref: "#/components/schemas/Key" } }, "list of Key"],
  [{ $ref: "#/components/schemas/More" }, "More"],
  [{ $ref: "#/components/schemas/None" }, "any"],
  [{ anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] }, "string or list of string"],
  [{ const: "x" }, '"x"'],
  [{}, "any"],
])("describes the type of %j as %s", (schema, expectedText) => {
  expect(describeType(schema, components)).toBe(expectedText);
});

test.each<[Schema, string[]]>([
  [{}, []],
  [{ minLength: 1, maxLength: 200 }, ["1 to 200 characters"]],
  [{ maximum: 8 }, ["at most 8"]],
  [{ maxLength: 1 }, ["at most 1 character"]],
  [{ minItems: 1 }, ["at least 1 entry"]],
  [{ minLength: 8, maxLength: 8 }, ["exactly 8 characters"]],
  [{ minimum: 0 }, ["at least 0"]],
  [{ exclusiveMinimum: 0, maximum: 1 }, ["at most 1", "above 0"]],
  [{ maxItems: 10 }, ["at most 10 entries"]],
  [{ pattern: "^a$" }, ["form ^a$"]],
  [{ pattern: "^[^\\u0000]*$" }, []],
])("describes the limits of %j", (schema, expectedText) => {
  expect(describeLimits(schema)).toEqual(expectedText);
});

describe("the fields of a schema", () => {
  test("the fields of a schema are merged for allOf", () => {
    const names = listFields({ $ref: "#/components/schemas/More" }, components).map(({ name, required }) => [
      name,
      required,
    ]);
    expect(names).toEqual([
      ["id", true],
      ["at", false],
      ["secret", true],
    ]);
  });
  test("the fields of a schema are those of a list's items, or of the only alternative with fields", () => {
    const list: Schema = { type: "array", items: { $ref: "#/components/schemas/Key" } };
    expect(listFields(list, components)).toHaveLength(2);
    expect(listFields({ anyOf: [{ type: "string" }, { $ref: "#/components/schemas/Key" }] }, components)).toHaveLength(
      2,
    );
    expect(listFields({ type: "string" }, components)).toEqual([]);
  });
  test("the fields of a schema are finite for a recursive schema", () => {
    expect(listFields({ $ref: "#/components/schemas/Tree" }, components)).toHaveLength(1);
  });
  test("a description beside a reference takes precedence", () => {
    expect(flattenSchema({ $ref: "#/components/schemas/Key", description: "mine" }, components).description).toBe(
      "mine",
    );
  });
});

test("known parameters are resolved, unknown ones are left out", () => {
  const operation = {
    parameters: [{ $ref: "#/components/parameters/page" }, { $ref: "#/components/parameters/none" }],
  };
  expect(listParameters(operation as unknown as Operation, components).map(({ name }) => name)).toEqual(["page"]);
});

test.each([
  [[], "Everybody."],
  [undefined, "Everybody."],
  [[{ session: [] }], "A signed-in browser."],
  [
    [{ session: [] }, { bearer: ["api.access"] }],
    "A signed-in browser, or an API key or access token with the scope api.access.",
  ],
  [[{}, { session: [] }], "Everybody. More is answered to a signed-in browser."],
  [
    [{ session: ["admin"] }, { bearer: ["admin"] }],
    "A signed-in admin, or an API key or access token of an admin with the scope admin.",
  ],
  [[{}, { client: [] }], "Everybody. More is answered to an application's id and secret."],
])("describes the access of %j as %s", (security, expectedText) => {
  expect(describeAccess(security as never)).toBe(expectedText);
});
