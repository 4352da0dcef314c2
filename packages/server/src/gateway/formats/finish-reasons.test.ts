import { expect, test } from "vitest";
import { readFinishReason } from "./finish-reasons.ts";

test.each([
  ["stop", { finish_reason: "stop" }],
  ["tool_calls", { finish_reason: "tool_calls" }],
  ["eos_token", { finish_reason: "stop", native_finish_reason: "eos_token" }],
  ["max_tokens", { finish_reason: "length", native_finish_reason: "max_tokens" }],
  ["abort", { finish_reason: "stop", native_finish_reason: "abort" }],
  ["MAX_TOKENS", { finish_reason: "length", native_finish_reason: "MAX_TOKENS" }],
  ["max_length", { finish_reason: "length", native_finish_reason: "max_length" }],
  ["incomplete", { finish_reason: "length", native_finish_reason: "incomplete" }],
  ["SAFETY", { finish_reason: "content_filter", native_finish_reason: "SAFETY" }],
  ["constructor", { finish_reason: "stop", native_finish_reason: "constructor" }],
  ["null", { finish_reason: null }],
  ["error", { finish_reason: "error" }],
  ["", { finish_reason: null }],
  [null, { finish_reason: null }],
  [7, { finish_reason: null }],
])("the reason %j of a backend becomes %j", (given, expected) => {
  expect(readFinishReason(given)).toEqual(expected);
});
