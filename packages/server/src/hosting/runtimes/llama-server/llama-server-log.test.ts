import { expect, test } from "vitest";
import { createLlamaServerLog } from "./llama-server-log.ts";

function lastWordsOf(lines: readonly string[]): string {
  const log = createLlamaServerLog();
  for (const line of lines) log.add(line);
  return log.lastWords();
}

test.each<[string, string, string[]]>([
  [
    "an architecture that it does not know",
    "unknown model architecture: 'qwen9'",
    [
      "0.00.008.385 I srv    load_model: loading model '/models/new.gguf'",
      "0.00.193.294 E llama_model_load: error loading model: unknown model architecture: 'qwen9'",
      "0.00.193.297 E llama_model_load_from_file_impl: failed to load model",
      "0.00.193.344 E srv    load_model: failed to load model, '/models/new.gguf'",
      "0.00.009.270 E srv  llama_server: exiting due to model loading error",
    ],
  ],
  [
    "a header that lacks a field, in a version that prints no times",
    "key not found in model: bert.context_length",
    [
      "llama_model_load: error loading model: error loading model hyperparameters: key not found in model: bert.context_length",
      "srv    load_model: failed to load model, '/models/odd.gguf'",
    ],
  ],
  [
    "a graphics card without memory",
    "ggml_backend_cuda_buffer_type_alloc_buffer: allocating 8192.00 MiB on device 0: cudaMalloc failed: out of memory",
    [
      "0.01.000.000 E ggml_backend_cuda_buffer_type_alloc_buffer: allocating 8192.00 MiB on device 0: cudaMalloc failed: out of memory",
      "0.01.000.001 E llama_model_load: error loading model: unable to allocate CUDA0 buffer",
      "0.01.000.002 E srv  llama_server: exiting due to model loading error",
    ],
  ],
  [
    "a missing library",
    "llama-server: error while loading shared libraries: libmtmd.so.0: cannot open shared object file",
    ["llama-server: error while loading shared libraries: libmtmd.so.0: cannot open shared object file"],
  ],
  ["an option that it does not know", "error: invalid argument: --jinja", ["error: invalid argument: --jinja"]],
  [
    "a failed check",
    "/src/ggml.c:12: GGML_ASSERT(a) failed",
    ["0.00.000.000 I srv init", "/src/ggml.c:12: GGML_ASSERT(a) failed"],
  ],
  ["nothing", "", []],
])("the log of llama-server tells that it ended because of %s", (_cause, expected, lines) => {
  expect(lastWordsOf(lines)).toBe(expected);
});
