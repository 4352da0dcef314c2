import { expect, test } from "vitest";
import { parseModelReference, quantizationOf } from "./quantizations.ts";

test.each([
  ["Qwen3-8B-Q4_K_M.gguf", "Q4_K_M"],
  ["q8_0/qwen2.5-0.5b-instruct-q8_0.gguf", "Q8_0"],
  ["Llama-3.1-8B.IQ4_XS.gguf", "IQ4_XS"],
  ["model.UD-Q4_K_XL.gguf", "Q4_K_XL"],
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
