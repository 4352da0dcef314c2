import { expect, test } from "vitest";
import type { HubModel } from "../../hub/index.ts";
import { readSafetensorsFacts } from "./safetensors-facts.ts";

const CONFIG = {
  model_type: "qwen2",
  max_position_embeddings: 32_768,
  num_hidden_layers: 24,
  num_attention_heads: 14,
  num_key_value_heads: 2,
  hidden_size: 896,
};

function repository(files: Record<string, number>, fields: Partial<HubModel> = {}): HubModel {
  return {
    id: "acme/support",
    revision: "abc",
    gated: false,
    private: false,
    task: null,
    downloads: null,
    likes: null,
    license: null,
    tags: [],
    languages: [],
    baseModel: null,
    quantizedFrom: null,
    createdAt: null,
    updatedAt: null,
    readme: null,
    summary: "",
    ggufArchitecture: null,
    parameters: null,
    config: CONFIG,
    files: Object.entries(files).map(([path, size]) => ({ path, size, sha256: null })),
    ...fields,
  };
}

const FILES = { "model.safetensors": 988_000_000, "config.json": 600, "tokenizer.json": 7_000_000 };

test("reads what vLLM's memory depends on", () => {
  expect(readSafetensorsFacts(repository(FILES))).toMatchObject({
    weightFile: "model.safetensors",
    size: 988_000_000,
    downloadSize: 995_000_600,
    parameterSize: 494_000_000,
    contextLength: 32_768,
    // Keys and values of 24 layers with 2 heads of 64 numbers, in 16 bits.
    bytesPerToken: 2 * 24 * 2 * 64 * 2,
  });
});

test("reads the sizes of a model with several inputs from the configuration of its text part", () => {
  const config = { model_type: "gemma3", text_config: { ...CONFIG, head_dim: 128 } };
  const facts = readSafetensorsFacts(repository(FILES, { config, parameters: { BF16: 4_000_000_000 } }));
  expect(facts).toMatchObject({ bytesPerToken: 2 * 24 * 2 * 128 * 2, parameterSize: 4e9 });
});

test("estimates the context of a model from its parameters where the configuration does not say the sizes", () => {
  const facts = readSafetensorsFacts(repository(FILES, { config: {}, parameters: { BF16: 1e9 } }));
  expect(facts).toMatchObject({ bytesPerToken: 50_000, contextLength: null });
});

test.each(["n_positions", "max_seq_len", "max_sequence_length", "seq_length"])(
  "reads the context of a model from %s",
  (name) => {
    expect(readSafetensorsFacts(repository(FILES, { config: { [name]: 1024 } }))?.contextLength).toBe(1024);
  },
);

test("the size of a model leaves out copies of the weights in other formats and other folders", () => {
  const others = {
    "pytorch_model.bin": 1e9,
    "onnx/model.safetensors": 1e9,
    "original/params.json": 10,
    "image.png": 5,
  };
  const facts = readSafetensorsFacts(repository({ ...FILES, ...others }));
  expect(facts?.files.map(({ path }) => path)).toEqual(Object.keys(FILES));
});

test.each([
  ["without weights", { "config.json": 600 }, {}],
  ["without a configuration", FILES, { config: null }],
  ["with an adapter", { ...FILES, "adapter_model.safetensors": 5, "adapter_config.json": 5 }, {}],
])("a repository %s is nothing for vLLM", (_name, files, fields) => {
  expect(readSafetensorsFacts(repository(files, fields))).toBeNull();
});
