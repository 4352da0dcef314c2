import { expect, test } from "vitest";
import { readRouterFacts } from "./llama-router.ts";

const factsOf = (value: unknown, args?: unknown) => readRouterFacts({ status: { value, args } });

test.each([
  ["loaded", true],
  ["unloaded", false],
  ["loading", false],
  ["sleeping", false],
  ["downloading", false],
])("a model of a llama.cpp router with the status %s is in memory: %s", (value, isLoaded) => {
  expect(factsOf(value)?.isLoaded).toBe(isLoaded);
});

test.each([
  [["--ctx-size", "1024"], 1024],
  [["-c", "4096"], 4096],
  [["--ctx-size", "1024", "--ctx-size", "2048"], 2048],
  [["--ctx-size", "1024", "--parallel", "2"], 512],
  [["--ctx-size", "1024", "-np", "2", "--kv-unified"], 1024],
  [["--ctx-size", "1024", "--parallel", "-1"], 1024],
  [["--ctx-size", "0"], null],
  [["--ctx-size"], null],
  [["--ctx-size", "many"], null],
  [["--ctx-size", "1", "--parallel", "4"], null],
  [[], null],
  ["--ctx-size 1024", null],
])("the arguments %j of a model of a llama.cpp router state a context of %s tokens", (args, tokens) => {
  expect(factsOf("unloaded", args)?.contextLength).toBe(tokens);
});

test("the names of a model of a llama.cpp router are those of its file and its repository", () => {
  const args = ["llama-server", "--model", "/models/tiny-135M.gguf", "--hf-repo", "owner/tiny-GGUF:Q8_0"];
  expect(factsOf("unloaded", args)?.names).toEqual(["/models/tiny-135M.gguf", "owner/tiny-GGUF:Q8_0"]);
});

test.each([[{}], [{ status: "loaded" }], [{ status: {} }], [{ status: null }]])(
  "the entry %j is not one of a llama.cpp router",
  (entry) => {
    expect(readRouterFacts(entry)).toBeNull();
  },
);
