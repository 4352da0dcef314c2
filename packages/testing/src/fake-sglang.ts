import { fileURLToPath } from "node:url";

/**
 * Path of a stand-in for the command `sglang`, written from SGLang's documentation and source. It takes the arguments of
 * `sglang serve`, logs and fails as SGLang does, and answers `/health`, `/v1/models` and `/v1/chat/completions` on a port. It
 * runs the models of `@feather/testing/fake-vllm`, in the modes `works`, `slow_start`, `out_of_memory`, `crashes` and `hangs`.
 */
export const FAKE_SGLANG_COMMAND = fileURLToPath(new URL("../bin/fake-sglang.mjs", import.meta.url));
