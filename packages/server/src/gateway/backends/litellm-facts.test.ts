import { expect, test } from "vitest";
import { readLitellmFacts } from "./litellm-facts.ts";

const deployment = (model_name: string, model: unknown, max_input_tokens?: unknown) => ({
  model_name,
  litellm_params: { model },
  model_info: { id: "1", max_input_tokens },
});

test.each([
  [
    "the model behind it",
    [deployment("a", "openai/Qwen3-8B", 32_768)],
    { contextLength: 32_768, parameterSize: 8e9, place: null },
  ],
  [
    "nothing where none is known",
    [deployment("a", "openai/gpt-4o")],
    { contextLength: null, parameterSize: null, place: null },
  ],
  [
    "nothing for a wildcard of an odd form",
    [deployment("a", null, -1)],
    { contextLength: null, parameterSize: null, place: null },
  ],
  [
    "the largest of several models, with the shortest context",
    [deployment("a", "ollama/llama3:8b", 8_192), deployment("a", "openai/Llama-3-70B", 4_096)],
    { contextLength: 4_096, parameterSize: 70e9, place: null },
  ],
  [
    "nothing where one of several is unknown",
    [deployment("a", "ollama/llama3:8b", 8_192), deployment("a", "openai/gpt-4o")],
    { contextLength: null, parameterSize: null, place: null },
  ],
])("a name of LiteLLM has the size and context of %s", async (_title, data, facts) => {
  expect((await readLitellmFacts(async () => ({ data }))).get("a")).toEqual(facts);
});

test.each([[null], [{}], [{ data: "none" }], [{ data: [null, {}, { model_name: "a" }] }]])(
  "the answer %j tells nothing of models",
  async (answer) => {
    expect((await readLitellmFacts(async () => answer)).size).toBe(0);
  },
);

test("a name of LiteLLM has the highest price of its models, and the abilities in which they agree", async () => {
  const priced = (input_cost_per_token: number, supports_vision: boolean) => ({
    model_name: "a",
    litellm_params: { model: "openai/x" },
    model_info: {
      input_cost_per_token,
      output_cost_per_token: 1e-6,
      supports_vision,
      supports_function_calling: true,
      ...(supports_vision && { input_cost_per_image: 0.001 }),
    },
  });
  const facts = await readLitellmFacts(async () => ({ data: [priced(1e-7, true), priced(3e-7, false)] }));
  expect(facts.get("a")?.place).toEqual({
    price: { prompt: "0.0000003", completion: "0.000001", cachedPrompt: null, image: "0.001" },
    quantization: null,
    abilities: { tools: true, images: null, structuredOutput: null, reasoning: null },
  });
});
