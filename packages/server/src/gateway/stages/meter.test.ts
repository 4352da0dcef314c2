import { describe, expect, test } from "vitest";
import type { CallBody, CallKind } from "../formats/parsed-request.ts";
import type { CallableModel } from "../ports.ts";
import { estimateMaxTokens, withCost } from "./meter.ts";

const model = { contextLength: 10_000 } as CallableModel;
const most = (body: object, kind: CallKind = "chat") =>
  estimateMaxTokens({ kind, model, body: { model: "o/n", ...body } as CallBody });
const say = (content: unknown) => [{ role: "user", content }];

describe("the reservation for a call", () => {
  test.each([
    ["the requested maximum length", { messages: say("Hi"), max_tokens: 100 }, 100],
    ["the default length without max_tokens", { messages: say("Hi") }, 4096],
    ["no more than the rest of the context", { messages: say("x".repeat(15_000)), max_tokens: 9_000 }, 4968],
    ["several answers", { messages: say("Hi"), max_tokens: 100, n: 3 }, 300],
    ["several prompts", { prompt: ["a", "b"], max_tokens: 100, n: 2 }, 400],
    ["one prompt in tokens", { prompt: [1, 2, 3], max_tokens: 100 }, 100],
  ])("the reservation for a call covers %s", (_what, body, tokens) => expect(most(body).completionTokens).toBe(tokens));

  test("the reservation for a call covers no completion tokens for embeddings", () => {
    expect(most({ input: "Hi" }, "embedding")).toMatchObject({ completionTokens: 0, promptTokens: expect.any(Number) });
  });

  test.each([
    ["words", { messages: say("word ".repeat(1_000)) }, 1_000],
    ["another script", { messages: say("漢字".repeat(500)) }, 1_000],
    ["a text", { prompt: "word ".repeat(1_000) }, 1_000],
    ["tokens", { prompt: Array<number>(1_000).fill(12_345) }, 1_000],
    ["tools", { messages: say("Hi"), tools: Array(100).fill({ function: { name: "a tool of many" } }) }, 500],
  ])("the reservation for a call covers a prompt of %s", (_what, body, tokens) => {
    expect(most(body).promptTokens).toBeGreaterThanOrEqual(tokens);
  });

  test("the reservation for a call counts images separately from their encoded text", () => {
    const image = { type: "image_url", image_url: { url: `data:image/png;base64,${"A".repeat(90_000)}` } };
    const { images, promptTokens } = most({ messages: say([{ type: "text", text: "Hi" }, image, image]) });
    expect(images).toBe(2);
    expect(promptTokens).toBeLessThan(200);
  });
});

describe("the cost of a call without a price", () => {
  test("the cost of a call without a price is unavailable, and nothing is charged", () => {
    const row = { outcome: "completed", prompt_tokens: 5 } as Parameters<typeof withCost>[0];
    expect(
      withCost(row, { backends: [], price: null, images: 0, characters: 0, audioMs: 0, ownKeyFeePercent: 0 }),
    ).toEqual({
      ...row,
      billing_mode: "request_pricing",
      cost_status: "unavailable",
    });
  });
});
