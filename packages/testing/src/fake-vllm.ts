import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Path of a stand-in for the command `vllm`, written from vLLM's documentation. It takes the arguments of `vllm serve`,
 * logs and fails as vLLM does, and answers `/health`, `/v1/models`, `/v1/chat/completions` and `/tokenize`. Of several nodes,
 * the workers join the leader over TCP, and end with each other.
 */
export const FAKE_VLLM_COMMAND = fileURLToPath(new URL("../bin/fake-vllm.mjs", import.meta.url));

/**
 * What the stand-in does with a model:
 * - `works`
 * - `slow_start`: it reads half of the weights, and the rest once a file `continue` is in the model's folder
 * - `out_of_memory`: the GPU has too little memory, so it ends at the start
 * - `worker_fails`: of several nodes, the GPUs of the workers have too little memory
 * - `port_taken`: its address is in use, so it ends at the start
 * - `hangs_at_start`: it never answers
 * - `crashes`: it ends at the first chat
 * - `hangs`: it gives no answer from the first chat on
 * - `ignores_sigterm`: it does not stop by itself
 */
export type FakeVllmMode =
  | "works"
  | "slow_start"
  | "out_of_memory"
  | "worker_fails"
  | "port_taken"
  | "hangs_at_start"
  | "crashes"
  | "hangs"
  | "ignores_sigterm";

/** A model for the stand-in. It does not know the architecture `UnknownForCausalLM`. */
export type FakeSafetensorsModel = { mode?: FakeVllmMode; architecture?: string; modelType?: string };

/** Writes a repository with safetensors files that only the stand-in can run. */
export function writeSafetensorsModel(
  folder: string,
  { mode = "works", architecture = "Qwen2ForCausalLM", modelType = "qwen2" }: FakeSafetensorsModel = {},
): void {
  mkdirSync(folder, { recursive: true });
  const config = {
    architectures: [architecture],
    model_type: modelType,
    max_position_embeddings: 4096,
    num_hidden_layers: 24,
    num_attention_heads: 14,
    num_key_value_heads: 2,
    hidden_size: 896,
    torch_dtype: "bfloat16",
    fake_vllm: mode,
  };
  writeFileSync(join(folder, "config.json"), JSON.stringify(config));
  writeFileSync(join(folder, "README.md"), "---\nlicense: apache-2.0\n---\n# A model\n");
  for (const part of [1, 2]) writeFileSync(join(folder, `model-0000${part}-of-00002.safetensors`), "x".repeat(1000));
}
