import { ANTHROPIC_KEY, startFakeAnthropic } from "@feather/testing/fake-anthropic";
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

test("the models of Google's API that generate or embed are listed with their limits", async () => {
  const models = [
    {
      name: "models/gemini-a",
      inputTokenLimit: 1_048_576,
      outputTokenLimit: 65_536,
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
      { name: "gemini-a", contextLength: 1_048_576, maxAnswerTokens: 65_536 },
      { name: "embedding-b", contextLength: 2048, maxAnswerTokens: null },
    ],
  });
  await backend.close();
});

test("a list in the form of another API is told apart", async () => {
  const backend = await startFakeAnthropic();
  const { ok } = await listModels(backend.baseUrl, ANTHROPIC_KEY, { api: "gemini" });
  expect(ok).toBe(false);
  await backend.close();
});
