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
  ["HuggingFaceTB/SmolLM2-135M-Instruct", 135e6],
  ["ggml-org/gemma-3-270m-it-GGUF", 270e6],
  ["EleutherAI/pythia-14m", 14e6],
  ["acme/TinyMistral-6x248M", 1_488e6],
  ["facebook/m2m100_418M", 418e6],
  ["Qwen/Qwen2.5-14B-Instruct-1M", 14e9],
  ["qwen/qwen-turbo-1m", null],
  ["meta/llama-4-10M", null],
  ["acme/tiny-64MB", null],
  ["acme/tiny-3.35M", null],
])("the name %s states %s parameters", (name, parameters) => {
  expect(parseSizeInName(name)).toBe(parameters);
});
