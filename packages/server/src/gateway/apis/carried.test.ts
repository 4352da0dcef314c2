import { describe, expect, test } from "vitest";
import { messagesToChat } from "../formats/messages/request.ts";
import { toHiddenData, toHiddenThought } from "../formats/reasoning-details.ts";
import { APIS } from "./apis.ts";

const cache_control = { type: "ephemeral" };
const REQUEST = {
  model: "a/b",
  max_tokens: 5,
  system: [
    { type: "text", text: "One." },
    { type: "text", text: "Two.", cache_control },
  ],
  thinking: { type: "enabled", budget_tokens: 1024 },
  output_config: { effort: "max" },
  messages: [
    {
      role: "user",
      content: [
        { type: "text", text: "Look" },
        { type: "text", text: "here", cache_control },
      ],
    },
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "Hm.", signature: "c2ln" },
        { type: "redacted_thinking", data: "aGlk" },
        { type: "text", text: "Yes." },
      ],
    },
    { role: "user", content: "And now?" },
  ],
};

function toRequest(api: keyof typeof APIS, model = REQUEST.model) {
  const { body, carried } = messagesToChat({ ...REQUEST, model });
  const { body: sent } = APIS[api].toRequest({ kind: "chat", body, carried, maxAnswerTokens: null });
  return sent as { messages: unknown[]; [field: string]: unknown };
}

describe("what only some APIs have a place for", () => {
  test("is named by its path in the caller's format", () => {
    expect(messagesToChat(REQUEST).carried?.paths).toEqual([
      "thinking.budget_tokens",
      "system.cache_control",
      "messages.cache_control",
      "messages.signature",
      "messages.redacted_thinking",
    ]);
  });

  test("is left out for OpenAI's API, and texts that it kept apart are joined as without it", () => {
    expect(toRequest("openai")).toEqual({
      model: "a/b",
      max_tokens: 5,
      reasoning_effort: "high",
      chat_template_kwargs: { enable_thinking: true },
      messages: [
        { role: "system", content: "One.\n\nTwo." },
        { role: "user", content: "Look\nhere" },
        { role: "assistant", content: "Yes.", reasoning_content: "Hm." },
        { role: "user", content: "And now?" },
      ],
    });
  });

  test("reaches Anthropic's API as it came", () => {
    const { model, max_tokens, system, thinking, output_config, messages } = REQUEST;
    const [first, second] = messages;
    const last = { role: "user", content: [{ type: "text", text: "And now?" }] };
    expect(toRequest("anthropic")).toEqual({
      model,
      max_tokens,
      system,
      thinking,
      output_config,
      messages: [first, second, last],
    });
  });

  test("reaches Anthropic's models at Bedrock in the form of its API", () => {
    const cachePoint = { type: "default" };
    expect(toRequest("bedrock", "eu.anthropic.b")).toEqual({
      inferenceConfig: { maxTokens: 5 },
      system: [{ text: "One." }, { text: "Two." }, { cachePoint }],
      additionalModelRequestFields: { thinking: REQUEST.thinking },
      outputConfig: REQUEST.output_config,
      messages: [
        { role: "user", content: [{ text: "Look" }, { text: "here" }, { cachePoint }] },
        {
          role: "assistant",
          content: [
            { reasoningContent: { reasoningText: { text: "Hm.", signature: "c2ln" } } },
            { reasoningContent: { redactedContent: "aGlk" } },
            { text: "Yes." },
          ],
        },
        { role: "user", content: [{ text: "And now?" }] },
      ],
    });
  });

  test("of one provider is not sent to another one", () => {
    expect(JSON.stringify(toRequest("gemini"))).not.toMatch(/c2ln|aGlk|cache_control/);
    expect(JSON.stringify(toRequest("bedrock"))).not.toMatch(/c2ln|aGlk|cache_control|cachePoint/);
    expect(toRequest("gemini").generationConfig).toMatchObject({ thinkingConfig: { thinkingBudget: 1024 } });
  });
});

test.each([
  { type: "reasoning.encrypted", data: "aGlk", format: "anthropic-claude-v1" },
  { type: "reasoning.encrypted", data: "c2ln:with=signs", format: "google-gemini-v1", id: "call_1" },
  { type: "reasoning.encrypted", data: "c2ln", format: "google-gemini-v1" },
])("hidden reasoning is the same after it was a block of Messages: %o", (detail) => {
  expect(toHiddenThought(toHiddenData(detail))).toEqual(detail);
});
