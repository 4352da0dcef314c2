import { fileURLToPath } from "node:url";
import { buildGguf, type MadeUpTensor } from "./gguf-file.ts";

/**
 * Path of a stand-in for the command `llama-server`, written from the options, the log and the answers of its version
 * 0.1.0-dev of 2026. It reads the header of its model, logs and fails as llama-server does, and answers `/health`,
 * `/v1/models`, `/v1/chat/completions`, `/v1/rerank` and `/tokenize` on a Unix socket.
 */
export const FAKE_LLAMA_SERVER_COMMAND = fileURLToPath(new URL("../bin/fake-llama-server.mjs", import.meta.url));

/**
 * What the stand-in does with a model:
 * - `works`
 * - `slow_start`: it is loading until a file with the name of the model's file and `.continue` exists
 * - `out_of_memory`: the machine has too little memory, so it ends at the start
 * - `crashes`: it ends at the first chat
 * - `hangs`: it gives no answer from the first chat on
 */
export type FakeLlamaServerMode = "works" | "slow_start" | "out_of_memory" | "crashes" | "hangs";

type FakeModel = {
  mode?: FakeLlamaServerMode;
  /** The architecture in its header. The stand-in knows all but `unknown`. */
  architecture?: string;
  /** Whether it orders texts. */
  isReranker?: boolean;
};

const RANK_POOLING = 4;

/** Returns a GGUF file that only the stand-in can run. */
export function buildFakeGguf({ mode = "works", architecture = "llama", isReranker = false }: FakeModel = {}): Buffer {
  return buildGguf({
    "general.architecture": architecture,
    "general.name": `fake-llama-server ${mode}`,
    [`${architecture}.context_length`]: 2048,
    [`${architecture}.block_count`]: 2,
    [`${architecture}.embedding_length`]: 64,
    [`${architecture}.attention.head_count`]: 4,
    ...(isReranker && { [`${architecture}.pooling_type`]: RANK_POOLING }),
    "tokenizer.chat_template": "{{ messages }}",
  });
}

/**
 * Returns the projector of a tiny vision transformer, which llama.cpp loads. What it makes of an image means nothing to any
 * model. `width` is the embedding length of the model that it belongs to.
 */
export function buildProjector(width: number): Buffer {
  const [own, inner, blocks, image, patch] = [32, 64, 2, 56, 14];
  const layer = (name: string, inputs: number, outputs: number): MadeUpTensor[] => [
    { name: `${name}.weight`, dimensions: [inputs, outputs] },
    { name: `${name}.bias`, dimensions: [outputs] },
  ];
  const norm = (name: string): MadeUpTensor[] =>
    ["weight", "bias"].map((part) => ({ name: `${name}.${part}`, dimensions: [own] }));
  const block = (prefix: string) => [
    ...["attn_q", "attn_k", "attn_v", "attn_out"].flatMap((name) => layer(`${prefix}.${name}`, own, own)),
    ...["ln1", "ln2"].flatMap((name) => norm(`${prefix}.${name}`)),
    ...layer(`${prefix}.ffn_up`, own, inner),
    ...layer(`${prefix}.ffn_down`, inner, own),
  ];
  return buildGguf(
    {
      "general.architecture": "clip",
      "clip.has_vision_encoder": true,
      "clip.has_llava_projector": true,
      "clip.projector_type": "mlp",
      "clip.use_gelu": true,
      "clip.vision.image_size": image,
      "clip.vision.patch_size": patch,
      "clip.vision.embedding_length": own,
      "clip.vision.feed_forward_length": inner,
      "clip.vision.block_count": blocks,
      "clip.vision.projection_dim": width,
      "clip.vision.attention.head_count": 2,
      "clip.vision.attention.layer_norm_epsilon": { float: 1e-5 },
      "clip.vision.image_mean": [0.5, 0.5, 0.5],
      "clip.vision.image_std": [0.5, 0.5, 0.5],
    },
    [
      { name: "v.class_embd", dimensions: [own] },
      { name: "v.patch_embd.weight", dimensions: [patch, patch, 3, own] },
      { name: "v.position_embd.weight", dimensions: [own, (image / patch) ** 2 + 1] },
      ...["v.pre_ln", "v.post_ln"].flatMap(norm),
      ...Array.from({ length: blocks }, (_, index) => block(`v.blk.${index}`)).flat(),
      ...layer("mm.0", own, width),
      ...layer("mm.2", width, width),
    ],
  );
}
