import { describe, expect, test } from "vitest";
import {
  EMPTY_MODEL_FORM,
  MODEL_ID_PATTERN,
  type ModelFormValues,
  modelFormSchema,
  toModelUpdate,
} from "./model-fields.ts";

describe("the body of a model update", () => {
  test.each<[string, Partial<ModelFormValues>, object]>([
    ["nothing where nothing changed", {}, {}],
    ["a number", { context_length: "40,960" }, { context_length: 40_960 }],
    ["nothing instead of a number", { parameter_size: " " }, { parameter_size: null }],
    ["a list", { tags: "chat, reasoning, chat" }, { tags: ["chat", "reasoning"] }],
    ["plans", { plan_ids: "feather_max" }, { plan_ids: ["feather_max"] }],
    ["images", { image_input: true }, { input_modalities: ["text", "image"] }],
    ["a switch", { disabled: true }, { disabled: true }],
    ["a class", { model_class: " qwen3-8b " }, { model_class: "qwen3-8b" }],
    ["a blank class is none", { model_class: " " }, {}],
    ["hostile words are words", { description: "<script>" }, { description: "<script>" }],
  ])("the body of a model update contains the changed value: %s", (_, change, body) => {
    expect(toModelUpdate(EMPTY_MODEL_FORM, { ...EMPTY_MODEL_FORM, ...change })).toEqual(body);
  });

  test("the body of a model update clears values that were removed", () => {
    const before = { ...EMPTY_MODEL_FORM, family: "qwen", plan_ids: "a, b", readme: "# x", is_gated: true };
    expect(toModelUpdate(before, EMPTY_MODEL_FORM)).toEqual({
      family: null,
      plan_ids: null,
      readme: null,
      is_gated: false,
    });
  });
});

test.each<[keyof ModelFormValues, string, boolean]>([
  ["parameter_size", "0", false],
  ["parameter_size", "7,600,000,000", true],
  ["context_length", "100000001", false],
  ["tags", Array.from({ length: 31 }, (_, index) => `t${index}`).join(), false],
  ["tags", "a".repeat(41), false],
  ["languages", "e", false],
  ["languages", "en, zh", true],
  ["description", "a".repeat(2001), false],
])("validates the field %s %#", (name, value, good) => {
  expect(modelFormSchema.safeParse({ ...EMPTY_MODEL_FORM, [name]: value }).success).toBe(good);
});

test.each([
  ["acme/support-8b", true],
  ["acme", false],
  ["acme/", false],
  ["/x", false],
  ["../etc/passwd", false],
  ["a/b/c", false],
  ["a b/c", false],
  ["<a>/b", false],
])("%j is a valid model id: %j", (id, good) => {
  expect(MODEL_ID_PATTERN.test(id)).toBe(good);
});
