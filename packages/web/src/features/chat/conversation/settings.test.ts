import { describe, expect, test } from "vitest";
import { type ChatSettings, DEFAULT_SETTINGS, toParameters, validateSettings } from "./settings.ts";
import { settingsSchema } from "./settings-schema.ts";

const defaults = { temperature: 0.7, max_tokens: 1024 };
const tool = '[{"type":"function","function":{"name":"weather","parameters":{}}}]';

describe("the parameters of a request", () => {
  test.each<[string, Partial<ChatSettings>, object]>([
    ["what is off is not sent", {}, {}],
    ["top p", { top_p: 0.9 }, { top_p: 0.9 }],
    ["top k", { top_k: 40 }, { top_k: 40 }],
    ["min p", { min_p: 0.05 }, { min_p: 0.05 }],
    ["repetition penalty", { repetition_penalty: 1.1 }, { repetition_penalty: 1.1 }],
    [
      "penalties below zero",
      { presence_penalty: -1, frequency_penalty: -0.5 },
      { presence_penalty: -1, frequency_penalty: -0.5 },
    ],
    ["min tokens", { min_tokens: 5 }, { min_tokens: 5 }],
    ["stop texts, with their blanks", { stop: "END\n\n User:" }, { stop: ["END", " User:"] }],
    ["a seed", { seed: " -7 " }, { seed: -7 }],
    ["stop token ids", { stop_token_ids: "2, 5 7" }, { stop_token_ids: [2, 5, 7] }],
    ["a bias", { logit_bias: "50256: -100\n12:0.5" }, { logit_bias: { 50256: -100, 12: 0.5 } }],
    ["the stop text in the answer", { include_stop_str_in_output: true }, { include_stop_str_in_output: true }],
    ["effort", { reasoning_effort: "high" }, { reasoning_effort: "high" }],
    ["no thinking", { thinking: "off" }, { chat_template_kwargs: { enable_thinking: false } }],
    ["JSON", { format: "json_object" }, { response_format: { type: "json_object" } }],
    [
      "JSON of a schema",
      { format: "json_schema", json_schema: '{"type":"object"}' },
      { response_format: { type: "json_schema", json_schema: { name: "answer", schema: { type: "object" } } } },
    ],
    ["tools", { tools: tool }, { tools: JSON.parse(tool) }],
    [
      "a choice of tools",
      { tools: tool, tool_choice: "required" },
      { tools: JSON.parse(tool), tool_choice: "required" },
    ],
    ["no choice where there are no tools", { tool_choice: "required" }, {}],
  ])("the parameters of a request contain %s", (_, settings, expected) => {
    expect(toParameters({ ...DEFAULT_SETTINGS, ...settings })).toEqual({ ...defaults, ...expected });
    expect(validateSettings({ ...DEFAULT_SETTINGS, ...settings })).toEqual({});
  });
});

test.each<[keyof ReturnType<typeof validateSettings>, string, string]>([
  ["seed", "seven", "Seed is not valid."],
  ["seed", "1.5", "Seed is not valid."],
  ["stop", Array.from({ length: 17 }, (_, at) => `${at}`).join("\n"), "Stop texts is not valid."],
  ["stop_token_ids", "2;5", "Stop token ids is not valid."],
  ["logit_bias", "5: 101", "Logit bias is not valid."],
  ["logit_bias", "word: 1", "Logit bias is not valid."],
  ["json_schema", "[]", "JSON schema is not valid."],
  ["json_schema", "{", "JSON schema is not valid."],
  ["tools", "{", "Tools is not valid."],
  ["tools", "[]", "Tools is not valid."],
  ["tools", '[{"type":"function","function":{}}]', "Tools is not valid."],
  ["tools", "[null]", "Tools is not valid."],
])("%s reports %j as invalid and does not send it", (name, text, message) => {
  const settings = { ...DEFAULT_SETTINGS, [name]: text };
  expect(validateSettings(settings)).toEqual({ [name]: message });
  expect(toParameters(settings)).toEqual(defaults);
});

test.each([
  [{}, DEFAULT_SETTINGS],
  [{ temperature: 9, top_p: "x", thinking: "maybe", stop: 5 }, DEFAULT_SETTINGS],
  [
    { temperature: 1, unknown: 1 },
    { ...DEFAULT_SETTINGS, temperature: 1 },
  ],
])("reads settings from the file %j", (given, expected) => {
  expect(settingsSchema.parse(given)).toEqual(expected);
});

test("requires a schema for the format JSON schema", () => {
  expect(validateSettings({ ...DEFAULT_SETTINGS, format: "json_schema" })).toEqual({
    json_schema: "JSON schema is missing.",
  });
});
