import { expect, test } from "vitest";
import { createTestRuntimes } from "../../testing/runtimes.ts";
import { chooseRuntime, type KnowsArchitecture, type ModelNeeds, usesProjectors } from "./choose-runtime.ts";
import { createMemoryBudget } from "./memory/memory-budget.ts";

const runtimes = createTestRuntimes({ memory: createMemoryBudget(1), gpuMemory: createMemoryBudget(1) });
const withoutLlamaServer = { ...runtimes, "llama-server": { unavailable: "It is not installed." } };
const PLAIN: ModelNeeds = { files: "gguf", architecture: "llama", hasProjector: false, isReranker: false };
const knowsAll: KnowsArchitecture = async () => true;
const onlyLlamaServerKnows: KnowsArchitecture = async (runtime) => runtime === "llama-server";
const nobodyKnows: KnowsArchitecture = async () => false;

test.each<[string, Partial<ModelNeeds>, KnowsArchitecture, string]>([
  ["one that generates texts", {}, knowsAll, "llama.cpp"],
  ["one that reads images", { hasProjector: true }, knowsAll, "llama-server"],
  ["one that orders texts", { isReranker: true }, knowsAll, "llama-server"],
  ["one whose architecture only llama-server knows", {}, onlyLlamaServerKnows, "llama-server"],
  ["one whose architecture no program knows", {}, nobodyKnows, "llama.cpp"],
  [
    "one that reads images, with an architecture that only the engine knows",
    { hasProjector: true },
    async (name) => name === "llama.cpp",
    "llama.cpp",
  ],
  ["one of an unknown architecture", { architecture: null }, nobodyKnows, "llama.cpp"],
  ["one in safetensors files", { files: "safetensors", architecture: null }, knowsAll, "vllm"],
])("of the models in files, %s runs with the program that can do it", async (_which, needs, knows, expected) => {
  expect(await chooseRuntime(runtimes, { ...PLAIN, ...needs }, knows)).toBe(expected);
});

test("without llama-server all models in GGUF files run with the engine, which is not asked for architectures", async () => {
  const questions: string[] = [];
  const knows: KnowsArchitecture = async (_name, architecture) => questions.push(architecture) > 0;
  for (const needs of [{}, { hasProjector: true }, { isReranker: true }])
    expect(await chooseRuntime(withoutLlamaServer, { ...PLAIN, ...needs }, knows)).toBe("llama.cpp");
  expect(questions).toEqual([]);
});

test("projectors are used where llama-server is available", () => {
  expect([usesProjectors(runtimes), usesProjectors(withoutLlamaServer)]).toEqual([true, false]);
});
