import { expect, test } from "vitest";
import { createTestRuntimes } from "../../testing/runtimes.ts";
import { createMemoryBudget, estimateEngineBytes } from "./memory/memory-budget.ts";
import { filesOf, programOf, RUNTIME_NAMES, runtimeNameOf } from "./runtime-list.ts";
import {
  explainMissingRuntime,
  findRuntime,
  listMemories,
  listRuntimes,
  type Runtimes,
  runtimeForFiles,
} from "./runtimes.ts";

const NO_CARD = "vLLM is installed, but nvidia-smi lists no graphics card.";
const ONE_BYTE = createMemoryBudget(1);
const EMPTY_MODEL = { size: 0, contextLength: 0, bytesPerToken: 0 };

test("a model runs on the engine unless it names another runtime", () => {
  expect([runtimeNameOf({}), programOf({})]).toEqual(["llama.cpp", "engine"]);
  expect([runtimeNameOf({ runtime: "vllm" }), programOf({ runtime: "vllm" })]).toEqual(["vllm", "vllm"]);
});

test.each(RUNTIME_NAMES)("a process of %s takes memory in addition to its model", (runtime) => {
  expect(estimateEngineBytes({ runtime, ...EMPTY_MODEL })).toBeGreaterThan(0);
});

test("runtimes that are available are listed in the order of the list", () => {
  const { vllm, ...others } = createTestRuntimes({ memory: ONE_BYTE, gpuMemory: ONE_BYTE });
  const runtimes: Runtimes = { vllm, ...others };
  expect(listRuntimes(runtimes).map(({ name }) => name)).toEqual(RUNTIME_NAMES);
});

test("a runtime that is not available is not listed, and says why", () => {
  const runtimes = createTestRuntimes({ memory: ONE_BYTE, missing: NO_CARD });
  expect(listRuntimes(runtimes).map(({ name }) => name)).toEqual(["llama.cpp", "llama-server"]);
  expect(findRuntime(runtimes, { runtime: "vllm" })).toBeNull();
  expect(findRuntime(runtimes, {})).toBe(runtimes["llama.cpp"]);
  expect([explainMissingRuntime(runtimes, {}), explainMissingRuntime(runtimes, { runtime: "vllm" })]).toEqual([
    null,
    NO_CARD,
  ]);
});

test("a model runs with a program that reads its files, which says why if it is not available", () => {
  const withCard = createTestRuntimes({ memory: ONE_BYTE, gpuMemory: ONE_BYTE });
  const without = createTestRuntimes({ memory: ONE_BYTE, missing: NO_CARD });
  for (const runtimes of [withCard, without])
    for (const files of ["gguf", "safetensors"] as const)
      expect(filesOf({ runtime: runtimeForFiles(runtimes, files) })).toBe(files);
  const runtime = runtimeForFiles(without, "safetensors");
  expect(explainMissingRuntime(without, { runtime })).toBe(NO_CARD);
});

test("a memory that several runtimes share is listed once", () => {
  expect(listMemories(createTestRuntimes({ memory: ONE_BYTE, gpuMemory: ONE_BYTE }))).toEqual([ONE_BYTE]);
});
