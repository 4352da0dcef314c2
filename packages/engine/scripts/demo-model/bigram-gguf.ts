import { type BigramTable, bigramTensors } from "./bigram-tensors.ts";
import type { GgufFile, GgufValue } from "./gguf-writer.ts";

/** A model that is defined by a table of word pairs. */
export type BigramModel = {
  name: string;
  description: string;
  /** A Jinja template, as Hugging Face models have. */
  chatTemplate: string;
  contextLength: number;
  /** Token texts in the byte alphabet; a token's id is its place. No text may occur twice. */
  vocabulary: readonly string[];
  /** Those of the vocabulary that steer the conversation and never are text. */
  controlTokens: readonly string[];
  beginToken: string;
  endToken: string;
  merges: readonly (readonly [left: string, right: string])[];
  table: BigramTable;
};

const TOKEN_TYPE = { normal: 1, control: 3 };

/** A GGUF file of the LLaMA architecture with a GPT-2 tokenizer that speaks by a table of word pairs. */
export function bigramGguf(model: BigramModel): GgufFile {
  const { shape, tensors } = bigramTensors(model.table);
  const { vocabulary, controlTokens } = model;
  const metadata = new Map<string, GgufValue>([
    ["general.architecture", { type: "string", value: "llama" }],
    ["general.name", { type: "string", value: model.name }],
    ["general.description", { type: "string", value: model.description }],
    ["general.license", { type: "string", value: "apache-2.0" }],
    ["llama.block_count", { type: "uint32", value: 1 }],
    ["llama.context_length", { type: "uint32", value: model.contextLength }],
    ["llama.embedding_length", { type: "uint32", value: shape.width }],
    ["llama.feed_forward_length", { type: "uint32", value: shape.feedForward }],
    ["llama.attention.head_count", { type: "uint32", value: shape.heads }],
    ["llama.attention.layer_norm_rms_epsilon", { type: "float32", value: 1e-6 }],
    ["llama.rope.dimension_count", { type: "uint32", value: shape.width / shape.heads }],
    ["tokenizer.ggml.model", { type: "string", value: "gpt2" }],
    ["tokenizer.ggml.pre", { type: "string", value: "gpt-2" }],
    ["tokenizer.ggml.tokens", { type: "strings", value: vocabulary }],
    [
      "tokenizer.ggml.token_type",
      {
        type: "int32s",
        value: vocabulary.map((token) => (controlTokens.includes(token) ? TOKEN_TYPE.control : TOKEN_TYPE.normal)),
      },
    ],
    ["tokenizer.ggml.merges", { type: "strings", value: model.merges.map((pair) => pair.join(" ")) }],
    ["tokenizer.ggml.bos_token_id", { type: "uint32", value: vocabulary.indexOf(model.beginToken) }],
    ["tokenizer.ggml.eos_token_id", { type: "uint32", value: vocabulary.indexOf(model.endToken) }],
    ["tokenizer.ggml.add_bos_token", { type: "bool", value: false }],
    ["tokenizer.chat_template", { type: "string", value: model.chatTemplate }],
  ]);
  return { metadata, tensors };
}
