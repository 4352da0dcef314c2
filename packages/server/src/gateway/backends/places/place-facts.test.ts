import { startHttpServer } from "@feather/testing/http-server";
import { describe, expect, test } from "vitest";
import { usdToFemto } from "../../../platform/core/money.ts";
import { listModels } from "../list-models.ts";
import { readPlaceFacts } from "./place-facts.ts";
import { readPrice } from "./prices.ts";
import { readQuantization } from "./quantization.ts";

const price = (prompt: string, completion: string, cachedPrompt: string | null = null) => ({
  prompt,
  completion,
  cachedPrompt,
});
const abilities = (stated: object = {}) => ({
  tools: null,
  images: null,
  structuredOutput: null,
  reasoning: null,
  ...stated,
});
const hosts = (...pricing: (object | undefined)[]) => ({
  providers: pricing.map((each) => ({ status: "live", supports_tools: true, pricing: each })),
});

test.each([
  [
    "OpenRouter",
    { pricing: { prompt: "0", completion: "0.0000006", image: "0.001238", request: "0" } },
    { ...price("0", "0.0000006"), image: "0.001238" },
  ],
  ["OpenRouter without a price of images", { pricing: { prompt: "0", completion: "0", image: "0" } }, price("0", "0")],
  [
    "LiteLLM for seconds of sound",
    { input_cost_per_token: null, output_cost_per_token: null, input_cost_per_second: 0.0001 },
    { ...price("0", "0"), audioSecond: "0.0001" },
  ],
  [
    "LiteLLM for characters",
    { input_cost_per_token: 0, output_cost_per_token: 0, input_cost_per_character: 1.5e-5 },
    { ...price("0", "0"), character: "0.000015" },
  ],
  [
    "LiteLLM for pictures",
    { input_cost_per_token: 0, output_cost_per_token: 0, output_cost_per_image: 0.04 },
    { ...price("0", "0"), image: "0.04" },
  ],
])("the price of %s has what is not charged by token", (_what, entry, expected) => {
  expect(readPrice(entry)).toEqual(expected);
});

describe("what lists of models say of a model", () => {
  test.each([
    [
      "OpenRouter",
      {
        pricing: { prompt: "0.00000015", completion: "0.0000006", request: "0", input_cache_read: "0.000000075" },
        architecture: { input_modalities: ["text", "image"] },
        supported_parameters: ["max_tokens", "tools", "response_format"],
      },
      {
        price: price("0.00000015", "0.0000006", "0.000000075"),
        abilities: abilities({ tools: true, images: true, structuredOutput: false, reasoning: false }),
      },
    ],
    [
      "Together",
      { pricing: { hourly: 0, input: 0.88, output: 0.9, base: 0, finetune: 0 } },
      { price: price("0.00000088", "0.0000009"), abilities: abilities() },
    ],
    [
      "DeepInfra",
      {
        metadata: {
          pricing: { input_tokens: 0.06, output_tokens: 0.24, cache_read_tokens: 0.015 },
          tags: ["vision", "prompt_cache"],
        },
      },
      { price: price("0.00000006", "0.00000024", "0.000000015"), abilities: abilities({ images: true }) },
    ],
    [
      "Hugging Face",
      {
        architecture: { input_modalities: ["text"] },
        providers: [
          {
            status: "live",
            pricing: { input: 0.1, output: 0.5 },
            supports_tools: true,
            supports_structured_output: true,
          },
          {
            status: "live",
            pricing: { input: 0.15, output: 0.4 },
            supports_tools: true,
            supports_structured_output: false,
          },
          { status: "staging", supports_tools: false },
        ],
      },
      { price: price("0.00000015", "0.0000005"), abilities: abilities({ tools: true, images: false }) },
    ],
    [
      "Fireworks",
      { supports_tools: true, supports_image_input: false, supports_chat: true },
      { price: null, abilities: abilities({ tools: true, images: false }) },
    ],
    [
      "Mistral",
      { capabilities: { completion_chat: true, function_calling: true, vision: false } },
      { price: null, abilities: abilities({ tools: true, images: false }) },
    ],
    [
      "Anthropic",
      {
        capabilities: {
          image_input: { supported: true },
          structured_outputs: { supported: false },
          thinking: { supported: true, types: {} },
        },
      },
      { price: null, abilities: abilities({ images: true, structuredOutput: false, reasoning: true }) },
    ],
    [
      "LiteLLM",
      {
        input_cost_per_token: 1.5e-7,
        output_cost_per_token: 6e-7,
        cache_read_input_token_cost: null,
        supports_function_calling: true,
        supports_vision: null,
        supports_response_schema: true,
        supports_reasoning: false,
      },
      {
        price: price("0.00000015", "0.0000006"),
        abilities: abilities({ tools: true, structuredOutput: true, reasoning: false }),
      },
    ],
  ])("%s states prices and abilities in its own fields", (_provider, entry, facts) => {
    expect(readPlaceFacts(entry, ["acme/model"])).toEqual({ quantization: null, ...facts });
  });

  test.each([
    ["only a name", {}],
    ["fields of other forms", { pricing: 5, metadata: "x", providers: [null, 1], capabilities: [], architecture: 0 }],
    ["hosts that are down", { providers: [{ status: "error", pricing: { input: 1, output: 1 } }] }],
  ])("%s says nothing", (_title, entry) => expect(readPlaceFacts(entry, ["acme/model"])).toBeNull());
});

describe("prices", () => {
  test.each([
    ["-1", "-1"],
    ["free", "0.1"],
    ["", "0.1"],
    [Number.NaN, 0.1],
    [Number.POSITIVE_INFINITY, 0.1],
    [null, null],
    ["0.1", undefined],
    ["2", "0.1"],
    ["1e99", "0.1"],
    [["0.1"], "0.1"],
    ["0x10", "0.1"],
  ])("no price is read from %j for input and %j for output", (prompt, completion) => {
    expect(readPrice({ pricing: { prompt, completion } })).toBeNull();
  });

  test.each([
    [0.1, 0.3, "0.0000001", "0.0000003"],
    [0.28, 1.13, "0.00000028", "0.00000113"],
    [15, 75, "0.000015", "0.000075"],
    [0.007, 1e-7, "0.000000007", "0.0000000000001"],
  ])("%d and %d USD per million tokens are exact decimals per token", (input, output, prompt, completion) => {
    expect(readPrice({ pricing: { input, output } })).toEqual(price(prompt, completion));
    expect(usdToFemto(prompt)).toBe(BigInt(Math.round(input * 1e9)));
  });

  test("a price with errors of binary fractions is rounded to 15 places", () => {
    const rates = { input_cost_per_token: 7e-8 * (1 + Number.EPSILON), output_cost_per_token: 3e-7 };
    expect(readPrice(rates)).toEqual(price("0.00000007", "0.0000003"));
  });

  test("a price of zero is kept where it is stated for models that cost nothing", () => {
    expect(readPrice({ pricing: { prompt: "0", completion: "0" } })).toEqual(price("0", "0"));
    expect(readPrice({ pricing: { hourly: 3, input: 0, output: 0 } })).toBeNull();
    expect(readPrice({ input_cost_per_token: 0, output_cost_per_token: 0 })).toBeNull();
  });

  test("a price of several hosts is unknown if that of one is", () => {
    expect(readPrice(hosts({ input: 1, output: 2 }, undefined))).toBeNull();
  });
});

test.each([
  ["Qwen/Qwen3-Coder-480B-A35B-Instruct-FP8", "FP8"],
  ["/models/tiny.Q4_K_M.gguf", "Q4_K_M"],
  ["hf.co/someone/smol-GGUF:q8_0", "Q8_0"],
  ["Qwen/Qwen2.5-7B-Instruct-AWQ", "AWQ"],
  ["nvidia/Llama-3.3-70B-Instruct-NVFP4", "NVFP4"],
  ["Qwen/Qwen3-8B", null],
  ["acme/fp8er", null],
])("the name %s states the weights' format %s", (name, format) => expect(readQuantization([name])).toBe(format));

test("a list of 100,000 models is read, and takes memory only for those of which it says something", async () => {
  const data = Array.from({ length: 100_000 }, (_, index) => ({ id: `acme/m${index}` }));
  const [first] = data;
  const list = { data: [{ ...first, pricing: { input: 1, output: 2 } }, ...data.slice(1)] };
  const provider = await startHttpServer((_request, response) => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(list));
  });
  const answer = await listModels(`${provider.url}/v1`, undefined, { timeoutMs: 60_000 });
  const places = answer.ok ? answer.models.map(({ place }) => place) : [];
  expect([places.length, places.filter((place) => place !== null).length]).toEqual([100_000, 1]);
  await provider.close();
});
