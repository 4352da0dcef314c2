import { describe, expect, test } from "vitest";
import { type CompatibilityFacts, checkCompatibility, type SupportedBase } from "./compatibility.ts";
import type { HubFile } from "./hub.ts";

const BASES: SupportedBase[] = [
  base("Qwen/Qwen3-8B", "qwen3-8b", "Qwen3ForCausalLM", 8_190_735_360, 40_960),
  base("Qwen/Qwen3-14B", "qwen3-14b", "Qwen3ForCausalLM", 14_768_307_200, 40_960),
  base("meta/Llama-3-8B", "llama3-8b-8k", "LlamaForCausalLM", 8_030_261_248, 8_192),
  base("meta/Llama-3.1-8B", "llama31-8b-16k", "LlamaForCausalLM", 8_030_261_248, 131_072),
];

function base(id: string, modelClass: string, architecture: string, parameterSize: number, contextLength: number) {
  return { id, modelClass, architecture, parameterSize, contextLength };
}
const file = (path: string, size = 1_000): HubFile => ({ path, size, sha256: null });
const shards = (count: number, of = count) =>
  Array.from({ length: count }, (_, index) =>
    file(`model-${String(index + 1).padStart(5, "0")}-of-${String(of).padStart(5, "0")}.safetensors`),
  );
const CONFIG = { architectures: ["Qwen3ForCausalLM"], max_position_embeddings: 40_960, torch_dtype: "bfloat16" };
const GOOD: CompatibilityFacts = {
  files: [file("README.md"), file("config.json"), ...shards(3)],
  config: CONFIG,
  readme: "# A model",
  parameters: { BF16: 8_190_735_360 },
  baseModel: null,
};
const judge = (facts: Partial<CompatibilityFacts> = {}) => checkCompatibility({ ...GOOD, ...facts }, BASES);
const broken = (facts: Partial<CompatibilityFacts>) =>
  judge(facts)
    .checks.filter(({ ok }) => !ok)
    .map(({ id }) => id);

describe("a repository", () => {
  test("a repository that passes all six rules is compatible and gets the class of its shape", () => {
    const result = judge();
    expect(result).toMatchObject({
      compatible: true,
      model_class: "qwen3-8b",
      candidates: ["qwen3-8b"],
      detected: {
        architecture: "Qwen3ForCausalLM",
        parameter_size: 8_190_735_360,
        format: "safetensors",
        dtype: "bf16",
      },
    });
    expect(result.checks.map(({ id }) => id)).toEqual([
      "model_card",
      "full_weights",
      "safetensors",
      "dtype",
      "architecture",
      "tensor_shapes",
    ]);
  });

  test.each<[string, Partial<CompatibilityFacts>, string[]]>([
    ["no model card", { readme: null }, ["model_card"]],
    ["an empty model card", { readme: " \n" }, ["model_card"]],
    ["an adapter", { files: [...GOOD.files, file("adapter_config.json")] }, ["full_weights"]],
    ["an adapter's weights", { files: [...GOOD.files, file("adapter_model.safetensors")] }, ["full_weights"]],
    ["a shard missing", { files: shards(2, 3) }, ["full_weights"]],
    ["an empty weight file", { files: [file("model.safetensors", 0)] }, ["full_weights"]],
    ["no weights", { files: [file("README.md")] }, ["full_weights", "safetensors"]],
    ["GGUF alone", { files: [file("model.Q4_K_M.gguf")] }, ["safetensors"]],
    ["pickles alone", { files: [file("pytorch_model.bin")] }, ["safetensors"]],
    ["weights in a folder", { files: [file("original/model.safetensors")] }, ["full_weights", "safetensors"]],
    ["32 bits", { parameters: { F32: 8_190_735_360 } }, ["dtype"]],
    ["8 bits", { parameters: { F8_E4M3: 8_190_735_360 } }, ["dtype"]],
    ["a mixture of widths", { parameters: { BF16: 4_095_367_680, F32: 4_095_367_680 } }, ["dtype"]],
    ["quantization", { config: { ...CONFIG, quantization_config: { quant_method: "awq" } } }, ["dtype"]],
    ["quantization of an unknown kind", { config: { ...CONFIG, quantization_config: {} } }, ["dtype"]],
    ["no configuration", { config: null }, ["architecture", "tensor_shapes"]],
    ["another architecture", { config: { ...CONFIG, architectures: ["Mystery"] } }, ["architecture", "tensor_shapes"]],
    ["an architecture that is no text", { config: { architectures: [7] } }, ["architecture", "tensor_shapes"]],
    ["another size", { parameters: { BF16: 5_000_000_000 } }, ["tensor_shapes"]],
    ["a layer more", { parameters: { BF16: 8_600_000_000 } }, ["tensor_shapes"]],
  ])("a repository with %s fails %j", (_what, facts, rules) => {
    expect(broken(facts)).toEqual(rules);
    expect(judge(facts).compatible).toBe(false);
    for (const { detail } of judge(facts).checks) expect(detail.length).toBeGreaterThan(5);
  });

  test.each<[string, Partial<CompatibilityFacts>]>([
    ["one weight file", { files: [file("model.safetensors")] }],
    ["GGUF beside safetensors", { files: [...GOOD.files, file("model.gguf")] }],
    ["a few norms in 32 bits", { parameters: { BF16: 8_190_000_000, F32: 735_360 } }],
    ["a few tokens more", { parameters: { BF16: 8_200_000_000 } }],
    ["fp16", { parameters: { F16: 8_190_735_360 } }],
    ["leftovers of training", { files: [...GOOD.files, file("training_args.bin"), file("optimizer.pt")] }],
    [
      "the type in the text part",
      { config: { ...CONFIG, torch_dtype: undefined, text_config: { dtype: "bfloat16" } } },
    ],
  ])("a repository with %s is compatible", (_what, facts) => expect(broken(facts)).toEqual([]));

  test("derives the number of parameters of a repository from the size of its weights", () => {
    const result = judge({ parameters: null, files: [file("model.safetensors", 2 * 8_190_735_360)] });
    expect(result).toMatchObject({ compatible: true, detected: { parameter_size: 8_190_735_360 } });
    expect(broken({ parameters: null, files: [file("model.safetensors", 2 * 5e9)] })).toEqual(["tensor_shapes"]);
  });
});

describe("the class", () => {
  const llama = (context: number, baseModel: string | null = null) =>
    judge({
      config: { architectures: ["LlamaForCausalLM"], max_position_embeddings: context, torch_dtype: "float16" },
      parameters: { F16: 8_030_261_248 },
      baseModel,
    });

  test("the context length decides between classes of the same shape", () => {
    expect(llama(8_192).model_class).toBe("llama3-8b-8k");
    expect(llama(131_072).model_class).toBe("llama31-8b-16k");
  });

  test("the declared base model decides the class whatever the context", () => {
    expect(llama(131_072, "META/llama-3-8b").model_class).toBe("llama3-8b-8k");
    expect(llama(8_192, "somebody/else").model_class).toBe("llama3-8b-8k");
  });

  test("returns no class for a repository when more than one fits", () => {
    expect(llama(16_384)).toMatchObject({
      compatible: true,
      model_class: null,
      candidates: ["llama3-8b-8k", "llama31-8b-16k"],
    });
  });

  test("returns no class for a repository when none fits", () => {
    expect(judge({ config: null })).toMatchObject({ model_class: null, candidates: [] });
    expect(checkCompatibility(GOOD, [])).toMatchObject({ compatible: false, model_class: null, candidates: [] });
  });
});
