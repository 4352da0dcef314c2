import { expect, test } from "vitest";
import { createTestRuntimes } from "../../../testing/runtimes.ts";
import type { HostedModel } from "../../runtimes/hosted-model.ts";
import { createMemoryBudget } from "../../runtimes/memory/memory-budget.ts";
import { createFitEstimate, type SizedModel } from "./fit.ts";

const GIGABYTE = 1e9;
const BILLION = 1e9;

function estimateFor(availableGigabytes: number, hosted: HostedModel[] = [], gpuGigabytes = 0) {
  const runtimes = createTestRuntimes({
    memory: createMemoryBudget(availableGigabytes * GIGABYTE),
    gpuMemory: gpuGigabytes === 0 ? null : createMemoryBudget(gpuGigabytes * GIGABYTE),
  });
  const byId = new Map(hosted.map((model) => [model.id, model]));
  return createFitEstimate({
    availableBytes: availableGigabytes * GIGABYTE,
    maxFileBytes: availableGigabytes * GIGABYTE * 0.8,
    contextTokens: 8_192,
    host: { find: (key) => byId.get(key) ?? null, ids: () => [...byId.keys()] },
    runtimes,
  });
}
const sized = (billions: number | null, contextLength: number | null = 32_768): SizedModel => ({
  key: "acme/model",
  parameterSize: billions === null ? null : billions * BILLION,
  contextLength,
});
const hostedFile = (fileName: string, size: number): HostedModel => ({
  id: "acme/model",
  file: "/models/x",
  fileName,
  size,
  contextLength: 8_192,
  bytesPerToken: 131_072,
});

test.each([
  [0.6, "fits", "Q8_0"],
  [8, "fits", "Q8_0"],
  [14, "fits_quantized", "Q6_K"],
  [20, "fits_quantized", "Q4_K_M"],
  [32, "too_large", "Q4_K_M"],
])("on a machine with 16 GB for models, a model of %iB is judged %s", (billions, verdict, quantization) => {
  const fit = estimateFor(16).of(sized(billions));
  expect(fit).toMatchObject({ verdict, file: null, availableBytes: 16 * GIGABYTE });
  expect(fit.reason).toContain(quantization);
});

test("a model that fits takes no more than there is, and gets the context that is left", () => {
  for (const billions of [0.1, 0.6, 3, 8, 14, 20]) {
    const fit = estimateFor(16).of(sized(billions));
    expect(fit.memoryBytes).toBeLessThanOrEqual(16 * GIGABYTE);
    expect(fit.context).toBeGreaterThanOrEqual(2_048);
    expect(fit.context).toBeLessThanOrEqual(8_192);
  }
});

test("a model that is too large says the least that it would take", () => {
  const fit = estimateFor(16).of(sized(70));
  expect(fit.context).toBeNull();
  expect(fit.memoryBytes).toBeGreaterThan(40 * GIGABYTE);
  expect(fit.reason).toMatch(
    /^It takes 4\d\.\d\d GB of memory or more as Q4_K_M, and models may take 16\.00 GB here\.$/,
  );
});

test("a model of unknown size is unknown", () => {
  const fit = estimateFor(16).of(sized(null));
  expect(fit).toMatchObject({ verdict: "unknown", memoryBytes: null, context: null });
});

test("the bounds by which the catalogue filters agree with the verdict of each model", () => {
  for (const gigabytes of [0.5, 2, 16, 80]) {
    const estimate = estimateFor(gigabytes);
    const { fits, fits_quantized } = estimate.maxParameters;
    for (const parameterSize of [fits, fits + 1, fits_quantized, fits_quantized + 1]) {
      const { verdict } = estimate.of({ ...sized(1), parameterSize });
      const expected =
        parameterSize <= fits ? "fits" : parameterSize <= fits_quantized ? "fits_quantized" : "too_large";
      expect([gigabytes, parameterSize, verdict]).toEqual([gigabytes, parameterSize, expected]);
    }
  }
});

test.each([
  ["model-Q8_0.gguf", 5, "fits"],
  ["model-Q4_K_M.gguf", 5, "fits_quantized"],
  ["model.gguf", 5, "fits"],
  ["model-Q4_K_M.gguf", 50, "too_large"],
])("a file that is here, %s of %i GB, is judged by itself: %s", (fileName, gigabytes, verdict) => {
  const estimate = estimateFor(16, [hostedFile(fileName, gigabytes * GIGABYTE)]);
  expect(estimate.of(sized(400))).toMatchObject({ verdict, file: fileName });
  expect([...estimate.hosted()]).toEqual([["acme/model", verdict]]);
});

test.each([
  [{ preciseBytes: 8.5e9, smallestBytes: 4.9e9 }, "fits", "with its file of 8.50 GB"],
  [{ preciseBytes: 14e9, smallestBytes: 9e9 }, "fits_quantized", "with its file of 9.00 GB"],
  [{ preciseBytes: null, smallestBytes: 4.9e9 }, "fits_quantized", "with its file of 4.90 GB"],
  [{ preciseBytes: 26e9, smallestBytes: 14e9 }, "too_large", "with its file of 14.00 GB"],
])(
  "on a machine with 16 GB for models, a model whose files on the hub have %j is judged %s",
  (source, verdict, how) => {
    // The number of parameters alone would give another verdict, or none.
    for (const billions of [0.1, 300, null]) {
      const fit = estimateFor(16).of({ ...sized(billions), source });
      expect(fit).toMatchObject({ verdict, file: null });
      expect(fit.reason).toContain(how);
      expect(fit.context === null).toBe(verdict === "too_large");
    }
  },
);

test("the bounds by the size of a file agree with the verdicts", () => {
  const estimate = estimateFor(16);
  const { fits, fits_quantized } = estimate.maxSourceBytes;
  const verdictOf = (preciseBytes: number | null, smallestBytes: number) =>
    estimate.of({ ...sized(1), source: { preciseBytes, smallestBytes } }).verdict;
  expect([verdictOf(fits, 1e9), verdictOf(fits + 1, 1e9)]).toEqual(["fits", "fits_quantized"]);
  expect([verdictOf(null, fits_quantized), verdictOf(null, fits_quantized + 1)]).toEqual([
    "fits_quantized",
    "too_large",
  ]);
});

test("a model that vLLM runs is compared with the memory of the graphics card, and needs vLLM", () => {
  const model: HostedModel = { ...hostedFile("model.safetensors", 16 * GIGABYTE), runtime: "vllm" };
  expect(estimateFor(4, [model], 72).of(sized(8))).toMatchObject({
    verdict: "fits",
    file: "model.safetensors",
    availableBytes: 72 * GIGABYTE,
    reason: expect.stringMatching(/of GPU memory as safetensors/),
  });
  expect(estimateFor(4, [model]).of(sized(8))).toMatchObject({
    verdict: "too_large",
    reason: "vLLM is not installed.",
  });
});

test("a model in safetensors files that fits the graphics card is judged by its weights there", () => {
  const safetensors = { bytes: 16 * GIGABYTE, bytesPerToken: 147_456 };
  const source = { preciseBytes: 60 * GIGABYTE, smallestBytes: 40 * GIGABYTE };
  const fit = estimateFor(16, [], 24).of({ ...sized(8), source, safetensors });
  expect(fit).toMatchObject({ verdict: "fits", file: null, context: 8_192, availableBytes: 24 * GIGABYTE });
  expect(fit.reason).toMatch(/ of GPU memory as safetensors; models may take 24\.00 GB here\.$/);
});

test.each([
  ["that is too large for the graphics card", 24, 30],
  ["without vLLM", 0, 16],
])("a model %s is judged by its GGUF files", (_name, gpuGigabytes, gigabytes) => {
  const safetensors = { bytes: gigabytes * GIGABYTE, bytesPerToken: 147_456 };
  const source = { preciseBytes: null, smallestBytes: 5 * GIGABYTE };
  const fit = estimateFor(16, [], gpuGigabytes).of({ ...sized(8), source, safetensors });
  expect(fit).toMatchObject({ verdict: "fits_quantized", availableBytes: 16 * GIGABYTE });
});

test("the bound of weights in safetensors files leaves room for vLLM and some context", () => {
  const estimate = estimateFor(16, [], 24);
  const { bytes, contextTokens } = estimate.maxSafetensors ?? { bytes: 0, contextTokens: 0 };
  const bytesPerToken = 100_000;
  const verdictOf = (weights: number) =>
    estimate.of({ ...sized(200), safetensors: { bytes: weights, bytesPerToken } }).verdict;
  const most = bytes - contextTokens * bytesPerToken;
  expect([verdictOf(most), verdictOf(most + 1)]).toEqual(["fits", "too_large"]);
  expect(estimateFor(16).maxSafetensors).toBeNull();
});
