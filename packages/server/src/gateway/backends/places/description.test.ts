import { expect, test } from "vitest";
import { readDescription } from "./description.ts";

test.each([
  ["A model. It has more to say.", "A model."],
  ["Llama 3.1 8B is small. Very.", "Llama 3.1 8B is small."],
  ["See [the card](https://example.com/a) of it.\nMore", "See the card of it."],
  ["no end", "no end"],
  ["  two\n lines\u0000 ", "two lines"],
  ["x".repeat(500), `${"x".repeat(199)}…`],
  ["", null],
  [5, null],
])("the description %j is shown as %j", (description, text) => expect(readDescription({ description })).toBe(text));

test("the description of DeepInfra is in its metadata", () => {
  expect(readDescription({ metadata: { description: "From there." } })).toBe("From there.");
  expect(readDescription({ metadata: {} })).toBeNull();
});
