import { describe, expect, test } from "vitest";
import { createValidators, validationError } from "./validation.ts";

/** Returns the error for a body of a call, or for the value of a header. */
function errorOf(schema: object, data: unknown) {
  const validate = createValidators().forRequest(schema, "body");
  expect(validate(data)).toBe(false);
  return validationError(validate.errors ?? [], "body");
}

const text = { type: ["string", "null"] };
const list = {
  type: "array",
  items: { type: "object", required: ["type"], properties: { source: { type: "object" } } },
};
const content = { type: "object", properties: { content: { anyOf: [text, { ...list, minItems: 1, maxItems: 2 }] } } };

describe("the message for a value that fits no alternative", () => {
  test.each<[string, unknown, string, string]>([
    ["a list that is too short", [], "content", "content is not valid: it must have 1 item or more."],
    [
      "a list that is too long",
      [{}, {}, {}].map(() => ({ type: "x" })),
      "content",
      "content is not valid: it must have 2 items at most.",
    ],
    ["an item that lacks a field", [{}], "content.0.type", "content.0.type is required."],
    [
      "an item with a wrong field",
      [{ type: "x", source: "y" }],
      "content.0.source",
      "content.0.source is not valid: it must be an object.",
    ],
    ["another type", 5, "content", "content is not valid: it must be a text or a list."],
  ])(
    "the message for a value that fits no alternative names what is wrong by the one that fits best: %s",
    (_what, value, param, message) => {
      expect(errorOf(content, { content: value })).toMatchObject({ param, message });
    },
  );
});

test("the message for a value that is none of those allowed lists them", () => {
  const schema = { type: "object", properties: { size: { type: ["string", "null"], enum: ["s", "m", "l", null] } } };
  expect(errorOf(schema, { size: "xl" }).message).toBe("size is not valid: it must be s, m or l.");
});

test("the message for a text that does not match a pattern is that of the contract", () => {
  const path = { type: "string", pattern: "^/", "x-pattern-message": "must begin with /" };
  const schema = { type: "object", properties: { path, other: { type: "array", items: path } } };
  expect(errorOf(schema, { path: "x" })).toMatchObject({
    param: "path",
    message: "path is not valid: it must begin with /.",
  });
  expect(errorOf(schema, { other: ["/", "x"] })).toMatchObject({
    param: "other.1",
    message: "other.1 is not valid: it must begin with /.",
  });
});
