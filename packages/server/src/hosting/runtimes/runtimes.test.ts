import { expect, test } from "vitest";
import { createMemoryBudget, estimateEngineBytes } from "./memory/memory-budget.ts";
import { programOf, RUNTIME_NAMES, runtimeNameOf } from "./runtime-list.ts";
import { explainMissingRuntime, findRuntime, listRuntimes, type Runtime, type Runtimes } from "./runtimes.ts";

const NO_CARD = "vLLM is installed, but nvidia-smi lists no graphics card.";
const EMPTY_MODEL = { size: 0, contextLength: 0, bytesPerToken: 0 };

const createRuntime = (): Runtime => ({
  start: () => ({ stop: async () => {} }),
  memory: createMemoryBudget(1),
  memoryName: "memory",
  memorySetting: "FEATHER_MODEL_MEMORY",
});

test("a model runs on the engine unless it names another runtime", () => {
  expect([runtimeNameOf({}), programOf({})]).toEqual(["llama.cpp", "engine"]);
  expect([runtimeNameOf({ runtime: "vllm" }), programOf({ runtime: "vllm" })]).toEqual(["vllm", "vllm"]);
});

test.each(RUNTIME_NAMES)("a process of %s takes memory in addition to its model", (runtime) => {
  expect(estimateEngineBytes({ runtime, ...EMPTY_MODEL })).toBeGreaterThan(0);
});

test("runtimes that are available are listed in the order of the list", () => {
  const runtimes: Runtimes = { vllm: createRuntime(), "llama.cpp": createRuntime() };
  expect(listRuntimes(runtimes).map(({ name }) => name)).toEqual(RUNTIME_NAMES);
});

test("a runtime that is not available is not listed, and says why", () => {
  const runtimes: Runtimes = { "llama.cpp": createRuntime(), vllm: { unavailable: NO_CARD } };
  expect(listRuntimes(runtimes).map(({ name }) => name)).toEqual(["llama.cpp"]);
  expect(findRuntime(runtimes, { runtime: "vllm" })).toBeNull();
  expect(findRuntime(runtimes, {})).toBe(runtimes["llama.cpp"]);
  expect([explainMissingRuntime(runtimes, {}), explainMissingRuntime(runtimes, { runtime: "vllm" })]).toEqual([
    null,
    NO_CARD,
  ]);
});
