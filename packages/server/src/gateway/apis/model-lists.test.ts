import { ANTHROPIC_KEY, startFakeAnthropic } from "@feather/testing/fake-anthropic";
import { BEDROCK_KEY, BEDROCK_SIGNING_KEY, startFakeBedrock } from "@feather/testing/fake-bedrock";
import { GEMINI_KEY, startFakeGemini } from "@feather/testing/fake-gemini";
import { expect, test } from "vitest";
import { listModels } from "../backends/list-models.ts";

test("the models of Anthropic's API are listed with their limits", async () => {
  const models = [
    { type: "model", id: "claude-a", display_name: "A", max_input_tokens: 200_000, max_tokens: 64_000 },
    { type: "model", id: "claude-b", display_name: "B", max_input_tokens: null, max_tokens: null },
  ];
  const backend = await startFakeAnthropic({ models });
  expect(await listModels(backend.baseUrl, ANTHROPIC_KEY, { api: "anthropic" })).toMatchObject({
    ok: true,
    program: "anthropic",
    models: [
      { name: "claude-a", contextLength: 200_000, maxAnswerTokens: 64_000 },
      { name: "claude-b", contextLength: null, maxAnswerTokens: null },
    ],
  });
  expect(await listModels(backend.baseUrl, "wrong", { api: "anthropic" })).toMatchObject({
    ok: false,
    problem: "key",
  });
  await backend.close();
});

test("a model of Anthropic's API that reads images is listed with that, since its list has no modalities", async () => {
  const capabilities = { image_input: { supported: true }, thinking: { supported: true } };
  const models = [{ type: "model", id: "claude-a", display_name: "A", max_input_tokens: null, capabilities }];
  const backend = await startFakeAnthropic({ models });
  expect(await listModels(backend.baseUrl, ANTHROPIC_KEY, { api: "anthropic" })).toMatchObject({
    models: [{ inputModalities: ["text", "image"], place: { abilities: { images: true, reasoning: true } } }],
  });
  await backend.close();
});

test("the models of Google's API that generate or embed are listed with their limits", async () => {
  const models = [
    {
      name: "models/gemini-a",
      inputTokenLimit: 1_048_576,
      outputTokenLimit: 65_536,
      description: "Reads a lot. And more.",
      thinking: true,
      supportedGenerationMethods: ["generateContent", "countTokens"],
    },
    { name: "models/embedding-b", inputTokenLimit: 2048, supportedGenerationMethods: ["embedContent"] },
    { name: "models/video-c", supportedGenerationMethods: ["predictLongRunning"] },
    { name: 7 },
  ];
  const backend = await startFakeGemini({ models });
  expect(await listModels(`${backend.baseUrl}/`, GEMINI_KEY, { api: "gemini" })).toMatchObject({
    ok: true,
    program: "gemini",
    models: [
      {
        name: "gemini-a",
        contextLength: 1_048_576,
        maxAnswerTokens: 65_536,
        description: "Reads a lot.",
        place: { abilities: { reasoning: true } },
      },
      { name: "embedding-b", contextLength: 2048, maxAnswerTokens: null },
    ],
  });
  await backend.close();
});

test("the models of Bedrock that write text are listed, by themselves or by their inference profiles", async () => {
  const toModel = (modelId: string, output: string, inferenceTypesSupported: readonly string[]) => ({
    modelId,
    outputModalities: [output],
    inferenceTypesSupported,
  });
  const toProfile = (inferenceProfileId: string, model: string, others: object = {}) => ({
    inferenceProfileId,
    inferenceProfileArn: `arn:aws:bedrock:eu-central-1:1:application-inference-profile/${inferenceProfileId}`,
    models: [{ modelArn: `arn:aws:bedrock:eu-central-1::foundation-model/${model}` }],
    status: "ACTIVE",
    type: "SYSTEM_DEFINED",
    ...others,
  });
  const models = [
    toModel("anthropic.a-v1:0", "TEXT", ["ON_DEMAND", "INFERENCE_PROFILE"]),
    toModel("anthropic.b-v1:0", "TEXT", ["INFERENCE_PROFILE"]),
    toModel("meta.c-v1:0", "TEXT", ["PROVISIONED"]),
    toModel("stability.d-v1:0", "IMAGE", ["ON_DEMAND"]),
    toModel("cohere.e-v3", "EMBEDDING", ["ON_DEMAND"]),
    { modelId: "without the rest" },
  ];
  const profiles = [
    toProfile("eu.anthropic.b-v1:0", "anthropic.b-v1:0"),
    toProfile("eu.stability.d-v1:0", "stability.d-v1:0"),
    toProfile("eu.anthropic.a-v1:0", "anthropic.a-v1:0", { status: "GONE" }),
    toProfile("own", "anthropic.a-v1:0", { type: "APPLICATION" }),
  ];
  const backend = await startFakeBedrock({ models, profiles });
  const names = [
    "anthropic.a-v1:0",
    "eu.anthropic.b-v1:0",
    "arn:aws:bedrock:eu-central-1:1:application-inference-profile/own",
  ];
  for (const key of [BEDROCK_KEY, Object.values(BEDROCK_SIGNING_KEY).join(":")])
    expect(await listModels(backend.baseUrl, key, { api: "bedrock" })).toMatchObject({
      ok: true,
      program: "bedrock",
      models: names.map((name) => ({ name, contextLength: null })),
    });
  const refused = await listModels(backend.baseUrl, "wrong", { api: "bedrock" });
  expect(refused).toMatchObject({ ok: false, error: expect.stringContaining("status 403") });
  await backend.close();
});

test("a list in the form of another API is not taken for an empty one", async () => {
  const backend = await startFakeAnthropic();
  const { ok } = await listModels(backend.baseUrl, ANTHROPIC_KEY, { api: "gemini" });
  expect(ok).toBe(false);
  await backend.close();
});
