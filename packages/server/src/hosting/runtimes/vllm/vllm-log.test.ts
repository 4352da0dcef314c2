import { expect, test } from "vitest";
import { readLoadingShare } from "../processes/python-log.ts";
import { createVllmLog } from "./vllm-log.ts";

/** Returns what a log says about the end of vLLM. */
function lastWordsOf(lines: readonly string[]): string {
  const log = createVllmLog();
  for (const line of lines) log.add(line);
  return log.lastWords();
}

test("reads how much of the weights is loaded", () => {
  const line = "Loading safetensors checkpoint shards:  50% Completed | 2/4 [00:10<00:10,  5.26s/it]";
  expect(readLoadingShare(line)).toBe(0.5);
  expect(readLoadingShare(`(EngineCore_DP0 pid=12) ${line}`)).toBe(0.5);
  expect(readLoadingShare("INFO 11-20 10:00:01 [core.py:84] 50% of something else")).toBeNull();
});

test.each([
  [
    "the cause in another process, not the error that follows from it",
    [
      "(EngineCore_DP0 pid=17374) ERROR 09-28 15:47:24 [core.py:718] ValueError: Free memory on device (3.22/4.0 GiB) on startup is less than desired.",
      "(EngineCore_DP0 pid=17374) Process EngineCore_DP0:",
      "(APIServer pid=3653) RuntimeError: Engine core initialization failed. See root cause above. Failed core proc(s): {}",
    ],
    "ValueError: Free memory on device (3.22/4.0 GiB) on startup is less than desired.",
  ],
  [
    "the value that is not valid, without the list of all others",
    [
      "(APIServer pid=1) pydantic_core._pydantic_core.ValidationError: 1 validation error for ModelConfig",
      "(APIServer pid=1)   Value error, Model architectures ['Foo'] are not supported for now. Supported architectures: dict_keys(['A', 'B']) [type=value_error, input_value=x]",
      "(APIServer pid=1)     For further information visit https://errors.pydantic.dev/2.13/v/value_error",
    ],
    "Model architectures ['Foo'] are not supported for now.",
  ],
  [
    "the exception that ended the engine while it served",
    [
      "ERROR 11-20 10:01:00 [core.py:710] torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.50 GiB.",
      "vllm.v1.engine.exceptions.EngineDeadError: EngineCore encountered an issue. See stack trace (above) for the root cause.",
    ],
    "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.50 GiB.",
  ],
  [
    "an argument that an older version does not know",
    ["usage: vllm serve [model_tag] [options]", "vllm serve: error: unrecognized arguments: --uds /tmp/s"],
    "unrecognized arguments: --uds /tmp/s",
  ],
  ["the last line where it names no exception", ["INFO 11-20 10:00:00 [a.py:1] One", "Killed", ""], "Killed"],
  ["nothing of an empty log", [], ""],
])("the last words are %s", (_name, lines, words) => {
  expect(lastWordsOf(lines)).toBe(words);
});
