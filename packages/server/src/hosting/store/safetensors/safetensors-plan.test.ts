import { describe, expect, test } from "vitest";
import { createTestRuntimes } from "../../../testing/runtimes.ts";
import type { HubModel } from "../../hub/index.ts";
import { type RuntimeLimits, smallestEngineBytes } from "../../runtimes/index.ts";
import { createMemoryBudget } from "../../runtimes/memory/memory-budget.ts";
import { buildHubFile, buildRepository } from "../testing/rows.ts";
import { contextLengthOf, explainUnfit, planSafetensors, toSafetensorsSource } from "./safetensors-plan.ts";

const FILES = [buildHubFile("model.safetensors", 2e9), buildHubFile("config.json")];
const CONTEXT_TOKENS = 8_192;
const memory = createMemoryBudget(1e12);

type Options = { runtimes?: RuntimeLimits; isKnown?: boolean };
const depsOf = ({ runtimes = createTestRuntimes({ memory, gpuMemory: memory }), isKnown = true }: Options = {}) => ({
  runtimes,
  isKnownArchitecture: async () => isKnown,
  contextTokens: CONTEXT_TOKENS,
});
const withGpuBytes = (bytes: number) => createTestRuntimes({ memory, gpuMemory: createMemoryBudget(bytes) });
const repositoryWith = (fields: Partial<HubModel> = {}) => buildRepository({ files: FILES, ...fields });

/** Returns the error for a repository that cannot run. */
async function explain(options: Options, fields: Partial<HubModel> = {}) {
  const source = toSafetensorsSource(repositoryWith(fields));
  if (source === null) throw new Error("It has no safetensors files.");
  return explainUnfit(depsOf(options), source);
}

/** The bytes that the smallest engine of the repository takes. */
async function readSmallestBytes(): Promise<number> {
  const facts = toSafetensorsSource(repositoryWith())?.facts;
  if (!facts) throw new Error("It has no safetensors files.");
  return smallestEngineBytes({ runtime: "vllm", ...facts, contextLength: contextLengthOf(null, CONTEXT_TOKENS) });
}

describe("the plan for safetensors files", () => {
  test("files that vLLM can run are planned with their sizes", async () => {
    expect(await planSafetensors(depsOf(), repositoryWith())).toMatchObject({
      facts: { size: 2e9, downloadSize: 2e9 + 100 },
    });
    expect(await explain({})).toBeNull();
  });

  test("a repository with a GGUF file is not planned", async () => {
    const files = [...FILES, buildHubFile("tiny.gguf")];
    expect(await planSafetensors(depsOf(), repositoryWith({ files }))).toBeNull();
    expect(toSafetensorsSource(repositoryWith({ files }))).toBeNull();
  });

  test("a repository without weights is not planned", async () => {
    expect(await planSafetensors(depsOf(), repositoryWith({ files: [buildHubFile("config.json")] }))).toBeNull();
  });

  test("a server without vLLM says why it has none", async () => {
    const runtimes = createTestRuntimes({ memory, missing: "vLLM is not installed." });
    expect(await planSafetensors(depsOf({ runtimes }), repositoryWith())).toEqual({
      problem: "vLLM is not installed.",
    });
    expect(await explain({ runtimes })).toMatchObject({
      code: "store.needs_vllm",
      status: 422,
      message: expect.stringContaining("vLLM is not installed."),
    });
  });

  test("an architecture that vLLM does not know is named", async () => {
    const problem = "The vLLM of this server does not know the architecture TinyForCausalLM.";
    expect(await planSafetensors(depsOf({ isKnown: false }), repositoryWith())).toEqual({ problem });
    expect(await explain({ isKnown: false })).toMatchObject({ code: "store.needs_vllm" });
  });

  test("a model whose configuration names no architecture is tried", async () => {
    expect(await explain({ isKnown: false }, { config: {} })).toBeNull();
  });

  test("a model needs the memory of its smallest engine, and not a byte less", async () => {
    const bytes = await readSmallestBytes();
    expect(await explain({ runtimes: withGpuBytes(bytes) })).toBeNull();
    expect(await explain({ runtimes: withGpuBytes(bytes - 1) })).toMatchObject({ code: "store.too_large_for_gpu" });
  });

  test("a model that is too large says what it needs and what is there", async () => {
    const plan = await planSafetensors(depsOf({ runtimes: withGpuBytes(1e9) }), repositoryWith());
    expect(plan).toEqual({
      problem: expect.stringMatching(
        /^It needs \d+\.\d\d GB of GPU memory or more with vLLM, and models may take 1\.00 GB here\.$/,
      ),
    });
  });
});

test.each([
  ["its own context", 2_048, 2_048],
  ["the largest context here if its own is longer", 131_072, CONTEXT_TOKENS],
  ["4,096 tokens if it states none", null, 4_096],
])("a model gets %s", (_what, own, expected) => {
  expect(contextLengthOf(own, CONTEXT_TOKENS)).toBe(expected);
});

test("a model that states no context gets no more than the largest one here", () => {
  expect(contextLengthOf(null, 1_024)).toBe(1_024);
});
