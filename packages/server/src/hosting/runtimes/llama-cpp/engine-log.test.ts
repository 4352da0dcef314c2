import { expect, test } from "vitest";
import { createEngineLog } from "./engine-log.ts";

function lastWordsOf(...lines: string[]) {
  const log = createEngineLog();
  for (const line of lines) log.add(line);
  return log.lastWords();
}

test("the last words of an engine are its own, not lines of a stack", () => {
  expect(lastWordsOf()).toBe("");
  expect(lastWordsOf("Killed")).toBe("Killed");
  expect(lastWordsOf("feather-engine: The file is no GGUF file.", "/lib/libc.so.6(+0x129ecc)[0x7ff7]")).toBe(
    "The file is no GGUF file.",
  );
});

test("an error of the graphics card's driver is the reason, whatever llama.cpp prints after it", () => {
  // Printed on an NVIDIA H200 with a driver for CUDA 13.0, by bindings that were built with a newer CUDA.
  const words = lastWordsOf(
    "/home/runner/ggml/src/ggml-cuda/ggml-cuda.cu:108: CUDA error",
    "feather-engine: llama.cpp error: CUDA error: the provided PTX was compiled with an unsupported toolchain.",
    "feather-engine: llama.cpp error:   current device: 0, in function ggml_cuda_kernel_can_use_pdl",
    "feather-engine: llama.cpp error:   cudaFuncGetAttributes(&attr, kernel)",
    "/lib/x86_64-linux-gnu/libc.so.6(+0x129ecc)[0x7ff77c529ecc]",
  );
  expect(words).toBe("CUDA error: the provided PTX was compiled with an unsupported toolchain.");
});
