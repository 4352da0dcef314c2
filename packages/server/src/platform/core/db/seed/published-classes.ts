/** A class with an established name, context and cost, and the criteria by which models belong to it. */
export type PublishedClass = {
  id: string;
  family: string;
  context: number;
  cost: number;
  parameters: number | null;
  architecture: string | null;
  /** A pattern for the id of the model or of its base model, for classes that size and architecture do not determine. */
  idPattern?: RegExp;
  moe?: boolean;
  vision?: boolean;
};

const BILLION = 1e9;
const LLAMA = "LlamaForCausalLM";
const MISTRAL = "MistralForCausalLM";
const QWEN2 = "Qwen2ForCausalLM";
const QWEN3 = "Qwen3ForCausalLM";

type Row = [
  id: string,
  context: number,
  cost: number,
  billions: number | null,
  architecture: string | null,
  idPattern?: RegExp,
];

function defineClasses(family: string, rows: Row[], overrides: Partial<PublishedClass> = {}): PublishedClass[] {
  return rows.map(([id, context, cost, billions, architecture, idPattern]) => ({
    id,
    family,
    context,
    cost,
    parameters: billions === null ? null : Math.round(billions * BILLION),
    architecture,
    ...(idPattern && { idPattern }),
    ...overrides,
  }));
}

/** The published classes by priority: a model belongs to the first class that it matches. */
export const PUBLISHED_CLASSES: readonly PublishedClass[] = [
  ...defineClasses("deepseek", [["deepseek-v3-lc", 32_768, 4, 671, "DeepseekV3ForCausalLM"]], { moe: true }),
  ...defineClasses("gemma", [["gemma2-2b", 8_192, 1, 2.614, "Gemma2ForCausalLM"]]),
  ...defineClasses(
    "gemma",
    [
      ["gemma3-12b", 16_384, 1, 12.187, "Gemma3ForConditionalGeneration"],
      ["gemma3-27b", 16_384, 2, 27.432, "Gemma3ForConditionalGeneration"],
    ],
    { vision: true },
  ),
  ...defineClasses("glm", [
    ["glm4-9b", 16_384, 1, 9.4, "Glm4ForCausalLM"],
    ["glm4-32b", 16_384, 4, 32.566, "Glm4ForCausalLM"],
  ]),
  ...defineClasses("llama", [
    ["tinyllama-1b1", 2_048, 1, 1.1, LLAMA, /tinyllama/i],
    ["llama2-7b", 4_096, 1, 6.738, LLAMA, /llama-?2|l2-/i],
    ["llama2-solar-10b7-4k", 4_096, 1, 10.732, LLAMA],
    ["llama2-13b-4k", 4_096, 1, 13.016, LLAMA],
    ["llama31-8b-16k", 16_384, 1, 8.03, LLAMA],
    ["llama3-8b-8k", 8_192, 1, 8.03, LLAMA],
    ["llama3-15b-8k", 8_192, 1, 15, LLAMA],
    ["llama33-70b-16k", 16_384, 4, 70.554, LLAMA, /3\.3/],
    ["llama31-70b-16k", 16_384, 4, 70.554, LLAMA],
    ["llama3-70b-8k", 8_192, 4, 70.554, LLAMA],
    ["llama32-1b", 32_768, 1, 1.236, LLAMA],
  ]),
  ...defineClasses("mistral", [
    ["mistral-v01-7b", 4_096, 1, 7.242, MISTRAL, /[/-]mistral-7b-v0\.1|openchat/i],
    ["mistral-v02-7b-std-lc", 8_192, 1, 7.242, MISTRAL],
    ["mistral-nemo-12b-lc", 16_384, 1, 12.248, MISTRAL],
    ["mistral-24b-lc", 16_384, 2, 23.572, MISTRAL],
  ]),
  ...defineClasses("mistral", [["mistral-24b-2503", 16_384, 2, 24.011, "Mistral3ForConditionalGeneration"]], {
    vision: true,
  }),
  ...defineClasses("mistral", [["mixtral-8x22b-lc", 16_384, 4, 140.63, "MixtralForCausalLM"]], { moe: true }),
  ...defineClasses("qwen", [
    ["qwen25-0b5", 32_768, 1, 0.494, QWEN2],
    ["qwen2-1b5", 32_768, 1, 1.544, QWEN2, /qwen2-/i],
    ["qwen25-1b5", 32_768, 1, 1.544, QWEN2],
    ["qwen25-1b8", 131_072, 1, 1.777, QWEN2],
    ["qwen15-7b-lc", 16_384, 1, 7.721, QWEN2],
    ["qwen2-7b-lc", 16_384, 1, 7.616, QWEN2, /qwen2-/i],
    ["qwen25-7b-lc", 16_384, 1, 7.616, QWEN2],
    ["qwen25-14b-lc", 16_384, 1, 14.77, QWEN2],
    ["qwen25-32b-lc", 16_384, 2, 32.764, QWEN2],
    ["qwen15-72b-lc", 16_384, 4, 72.288, QWEN2, /qwen1\.5/i],
    ["qwen2-72b-lc", 16_384, 4, 72.706, QWEN2, /qwen2-/i],
    ["qwen25-72b-lc", 16_384, 4, 72.706, QWEN2],
    ["qwen3-0b6", 40_960, 1, 0.752, QWEN3],
    ["qwen3-4b", 40_960, 1, 4.022, QWEN3],
    ["qwen3-8b", 16_384, 1, 8.191, QWEN3],
    ["qwen3-14b", 16_384, 1, 14.768, QWEN3],
    ["qwen3-32b", 16_384, 4, 32.762, QWEN3],
  ]),
  ...defineClasses("rwkv", [
    ["rwkv5-7b", 16_384, 1, 7.5, null, /rwkv-?5|v5-eagle-7b/i],
    ["rwkv6-7b", 16_384, 1, 7.6, null, /v6-finch-7b|rwkv-?6.*7b/i],
    ["rwkv6-14b", 16_384, 1, 14.1, null, /v6-finch-14b|rwkv-?6.*14b/i],
    ["qrwkv-32b-32k", 32_768, 1, 32, null, /(qrwkv|rwkv6qwen|qwerky).*32b/i],
    ["qrwkv-72b-32k", 32_768, 1, 72, null, /(qrwkv|rwkv6qwen|qwerky).*72b/i],
  ]),
  ...defineClasses("rwkv", [["rwkv6moe-37b", 16_384, 1, 37, null, /rwkv-?6-?moe/i]], { moe: true }),
];
