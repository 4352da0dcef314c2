import { expect, test } from "vitest";
import { isPrecise, parseModelReference, quantizationOf, rankOf } from "./quantizations.ts";

test.each([
  ["Qwen3-8B-Q4_K_M.gguf", "Q4_K_M"],
  ["q8_0/qwen2.5-0.5b-instruct-q8_0.gguf", "Q8_0"],
  ["Llama-3.1-8B.IQ4_XS.gguf", "IQ4_XS"],
  ["model.UD-Q4_K_XL.gguf", "UD-Q4_K_XL"],
  ["Qwen3-8B-UD-IQ2_M.gguf", "UD-IQ2_M"],
  ["model.i1-Q4_K_M.gguf", "Q4_K_M"],
  ["model-NVFP4.gguf", "NVFP4"],
  ["gpt-oss-20b-MXFP4_MOE.gguf", "MXFP4_MOE"],
  ["qwen2.5-0.5b-instruct-fp16.gguf", "F16"],
  ["model-F32-00001-of-00002.gguf", "F32"],
  ["nvfp4-notes/model.gguf", null],
  ["fp8-model.gguf", null],
  ["gpt-oss-20b-mxfp4.gguf", "MXFP4"],
  ["gemma-3-270m-bf16.gguf", "BF16"],
  ["Q4_0-tests/model.gguf", null],
  ["strange.gguf", null],
])("the quantization of %s is %s", (path, quantization) => {
  expect(quantizationOf(path)).toBe(quantization);
});

test.each([
  ["Qwen/Qwen3-8B", "Qwen/Qwen3-8B", null],
  ["Qwen/Qwen3-8B:Q5_K_M", "Qwen/Qwen3-8B", "Q5_K_M"],
  ["Qwen/Qwen3-8B:q5_k_m", "Qwen/Qwen3-8B", "Q5_K_M"],
  ["Qwen/Qwen3-8B:latest", "Qwen/Qwen3-8B:latest", null],
  [`a/${":".repeat(100_000)}`, `a/${":".repeat(100_000)}`, null],
])("%.40s names a model and maybe a quantization", (reference, id, quantization) => {
  expect(parseModelReference(reference)).toEqual({ id, quantization });
});

/** What `llama-quantize` of llama.cpp makes, with what publishers add: `ftype` and the names of bartowski and unsloth. */
const TYPES = {
  precise: "Q8_0 Q8_K_XL UD-Q8_K_XL BF16 F16".split(" "),
  good: [
    ..."Q6_K Q6_K_L Q6_K_XL UD-Q6_K_XL Q5_K Q5_K_S Q5_K_M Q5_K_L Q5_K_XL UD-Q5_K_XL Q5_0 Q5_1".split(" "),
    ..."Q4_K Q4_K_S Q4_K_M UD-Q4_K_M Q4_K_L Q4_K_XL UD-Q4_K_XL Q4_0 Q4_1".split(" "),
    ..."IQ4_NL UD-IQ4_NL IQ4_XS UD-IQ4_XS MXFP4 MXFP4_MOE NVFP4".split(" "),
  ],
  small: [
    ..."Q3_K Q3_K_S Q3_K_M Q3_K_L Q3_K_XL UD-Q3_K_XL IQ3_XXS UD-IQ3_XXS IQ3_XS IQ3_S IQ3_M".split(" "),
    ..."Q2_K Q2_K_S Q2_K_L Q2_K_XL UD-Q2_K_XL Q2_0 IQ2_XXS UD-IQ2_XXS IQ2_XS IQ2_S IQ2_M UD-IQ2_M".split(" "),
    ..."IQ1_S UD-IQ1_S IQ1_M UD-IQ1_M Q1_0 TQ1_0 UD-TQ1_0 TQ2_0".split(" "),
  ],
  // Types that llama.cpp does not load any more.
  removed: "Q4_2 Q4_3 Q4_1_SOME_F16 Q4_0_4_4 Q4_0_4_8 Q4_0_8_8 IQ4_NL_4_4".split(" "),
};

test.each([...Object.values(TYPES).flat(), "F32"])(
  "%s is read in the name of a file and behind the id of a model",
  (name) => {
    expect(quantizationOf(`Some-Model-7B-${name}.gguf`)).toBe(name);
    expect(quantizationOf(`some-model.${name.toLowerCase()}.gguf`)).toBe(name);
    expect(quantizationOf(`${name}/Some-Model-${name}-00001-of-00003.gguf`)).toBe(name);
    expect(parseModelReference(`owner/name:${name}`)).toEqual({ id: "owner/name", quantization: name });
  },
);

test.each([
  ["are taken by themselves and count as precise", TYPES.precise, [true, true]],
  ["are taken by themselves and do not count as precise", TYPES.good, [true, false]],
  ["of less than four bits are only taken when they are asked for", TYPES.small, [false, false]],
  ["that llama.cpp does not load any more are only taken when they are asked for", TYPES.removed, [false, false]],
])("quantizations %s", (_title, names, expected) => {
  for (const name of names) expect([name, Number.isFinite(rankOf(name)), isPrecise(name)]).toEqual([name, ...expected]);
});

test("a quantization of more bits comes first, and larger variants of it before smaller ones", () => {
  const names = ["Q8_0", "Q6_K_XL", "Q6_K_L", "Q6_K", "Q5_K_M", "UD-Q4_K_XL", "Q4_K_L", "Q4_K_M", "Q4_0", "MXFP4_MOE"];
  expect(names.toSorted((a, b) => rankOf(a) - rankOf(b))).toEqual(names);
});
