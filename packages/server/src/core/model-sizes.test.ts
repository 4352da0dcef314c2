import { expect, test } from "vitest";
import { parseSizeInName, unitsOfSize } from "./model-sizes.ts";

test.each([
  [null, 4],
  [0.5e9, 1],
  [15.5e9, 1],
  [15.6e9, 2],
  [34.5e9, 2],
  [70e9, 4],
])("a request to a model of %s parameters takes %s units", (parameters, units) => {
  expect(unitsOfSize(parameters)).toBe(units);
});

test.each([
  ["Qwen/Qwen2.5-7B-Instruct-1M", 7e9],
  ["ollama/llama3.2:3b", 3e9],
  ["mistralai/Mixtral-8x7B-Instruct-v0.1", 56e9],
  ["Qwen/Qwen3-30B-A3B", 30e9],
  ["acme/tiny-1.5b", 1.5e9],
  ["acme/tiny-4bit", null],
  ["acme/b", null],
])("the name %s states %s parameters", (name, parameters) => {
  expect(parseSizeInName(name)).toBe(parameters);
});
