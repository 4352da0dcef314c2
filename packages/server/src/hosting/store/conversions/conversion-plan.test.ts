import { describe, expect, test } from "vitest";
import type { HubModel } from "../../hub/index.ts";
import { buildHubFile, buildRepository } from "../testing/rows.ts";
import { asksForConversion, nameConvertedFile, planConversion } from "./conversion-plan.ts";

const WEIGHTS = [buildHubFile("model.safetensors", 2e9), buildHubFile("config.json")];
const FILE = "tiny-Q8_0.gguf";

/** Returns the plan for a repository with weights of one billion parameters. */
function plan(fields: Partial<HubModel> = {}, { problem = null as string | null, maxFileBytes = 1e12 } = {}) {
  const converter = { findProblem: async () => problem } as Parameters<typeof planConversion>[0]["converter"];
  return planConversion({ converter, maxFileBytes }, buildRepository({ files: WEIGHTS, ...fields }));
}

describe("the plan of a conversion", () => {
  test("the converted file has 8.5 bits for each parameter", async () => {
    expect(await plan()).toMatchObject({ file: FILE, size: 1_062_500_000, facts: { weightFile: "model.safetensors" } });
  });

  test("the number of parameters that the hub counts decides the size", async () => {
    expect(await plan({ parameters: { BF16: 8 } })).toMatchObject({ size: 9 });
  });

  test("a repository that has a GGUF file is not converted", async () => {
    expect(await plan({ files: [...WEIGHTS, buildHubFile("tiny-Q4_K_M.gguf")] })).toBeNull();
  });

  test("a repository without weights is not converted", async () => {
    expect(await plan({ files: [buildHubFile("README.md")] })).toBeNull();
  });

  test("the converter says why it cannot convert, before anything else is checked", async () => {
    const problem = "The converter is not installed.";
    expect(await plan({ config: { quantization_config: {} } }, { problem, maxFileBytes: 1 })).toEqual({ problem });
  });

  test("quantized weights are not converted", async () => {
    const config = { quantization_config: { quant_method: "fp8" } };
    expect(await plan({ config })).toEqual({ problem: expect.stringContaining("quantized") });
  });

  test("a file that cannot be loaded here is not made, and the sentence says both sizes", async () => {
    expect(await plan({}, { maxFileBytes: 1_062_500_000 })).toMatchObject({ file: FILE });
    expect(await plan({}, { maxFileBytes: 1_062_499_999 })).toEqual({
      problem: `${FILE} would have about 1.06 GB, and a file may have 1.06 GB here.`,
    });
  });
});

test.each([
  ["neither a file nor a quantization", {}, true],
  ["the converted file", { file: FILE }, true],
  ["another file", { file: "tiny-Q4_K_M.gguf" }, false],
  ["the converted file in another folder", { file: `gguf/${FILE}` }, false],
  ["the quantization of conversions", { quantization: "Q8_0" }, true],
  ["another quantization", { quantization: "Q4_K_M" }, false],
  ["the converted file and another quantization", { file: FILE, quantization: "Q4_K_M" }, true],
])("a request that names %s allows a conversion: %s is %s", (_what, fields, allowed) => {
  expect(asksForConversion("acme/tiny", { quantization: null, ...fields })).toBe(allowed);
});

test.each([
  ["acme/tiny", "tiny-Q8_0.gguf"],
  ["tiny", "tiny-Q8_0.gguf"],
  ["acme/Tiny.v2", "Tiny.v2-Q8_0.gguf"],
])("the converted file of %s is %s", (id, file) => {
  expect(nameConvertedFile(id)).toBe(file);
});
