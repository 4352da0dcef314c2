import { describe, expect, test } from "vitest";
import { answer, createLongConversation, passage, question } from "#/testing/conversations.ts";
import { DEFAULT_SETTINGS } from "../conversation/settings.ts";
import { buildTree, visibleTurns } from "../conversation/tree.ts";
import type { Entry } from "../conversation/types.ts";
import { estimateTokens, isTooLarge, takeNewestTurns, toMessages, toRequest } from "./request.ts";

const settings = { ...DEFAULT_SETTINGS, system: " Be brief. " };
const messagesOf = (entries: Entry[], over = {}) =>
  toMessages({
    turns: visibleTurns(buildTree(entries), {}),
    settings: DEFAULT_SETTINGS,
    model: "m/one",
    lane: 0,
    ...over,
  });
const image = {
  id: "i",
  kind: "image" as const,
  name: "a.png",
  type: "image/png",
  size: 3,
  data: "data:image/png;base64,AA==",
};
const text = { id: "t", kind: "text" as const, name: 'a"<b>.md', type: "text/plain", size: 3, data: "Inside." };

describe("the messages of a request", () => {
  test("the messages of a request consist of the system prompt, then questions and answers", () => {
    const entries = [question("q1"), answer("a1", "q1"), question("q2", { after: ["a1"], createdAt: 3 })];
    expect(messagesOf(entries, { settings })).toEqual([
      { role: "system", content: "Be brief." },
      { role: "user", content: "question q1" },
      { role: "assistant", content: "answer a1" },
      { role: "user", content: "question q2" },
    ]);
  });

  test("passages of a question go before it, also once tools have returned something, and those of earlier questions are left out", () => {
    const calls = [{ id: "c1", name: "f", arguments: "{}" }];
    const entries = [
      question("q1", { passages: [passage("Old.")] }),
      answer("a1", "q1"),
      question("q2", { after: ["a1"], createdAt: 3, passages: [passage("New.")] }),
      answer("a2", "q2", { createdAt: 4, text: "", toolCalls: calls }),
    ];
    const results = [{ callId: "c1", name: "f", text: "Rain" }];
    const afterTools = question("q3", { after: ["a2"], createdAt: 5, text: "", results });
    for (const sent of [messagesOf(entries), messagesOf([...entries, afterTools])]) {
      expect([sent[0]?.content, sent[1]?.content]).toEqual(["question q1", "answer a1"]);
      expect(sent[2]?.content).toMatch(/<passage 1: "rules.pdf, page 2">\nNew\.\n<\/passage 1>\n\nquestion q2$/);
    }
    const later = messagesOf([...entries, question("q4", { after: ["a2"], createdAt: 5 })]);
    expect(JSON.stringify(later)).not.toContain("passage 1");
  });

  test("the messages of a request leave out the answer that is being regenerated", () => {
    expect(messagesOf([question("q1"), answer("a1", "q1")])).toEqual([{ role: "user", content: "question q1" }]);
  });

  test("the messages of a request merge an unanswered question with the next one", () => {
    const failed = answer("a1", "q1", { text: "", state: "failed" });
    expect(messagesOf([question("q1"), failed, question("q2", { after: ["a1"], createdAt: 3 })])).toEqual([
      { role: "user", content: "question q1\n\nquestion q2" },
    ]);
  });

  test("the messages of a request contain text files as text and images as parts", () => {
    const [message] = messagesOf([question("q1", { attachments: [image, text] })]);
    expect(message?.content).toEqual([
      { type: "image_url", image_url: { url: image.data } },
      { type: "text", text: '<file name="a__b_.md">\nInside.\n</file>\n\nquestion q1' },
    ]);
    expect(messagesOf([question("q1", { attachments: [image], text: "" })])[0]?.content).toHaveLength(1);
  });

  test("the messages of a request contain tool calls only together with their results", () => {
    const call = { id: "call_1", name: "weather", arguments: "{}" };
    const createInput = [question("q1"), answer("a1", "q1", { text: "", toolCalls: [call], reasoning: "Hm." })];
    const given = question("q2", {
      after: ["a1"],
      text: "",
      results: [{ callId: "call_1", name: "weather", text: "rain" }],
      createdAt: 3,
    });
    expect(messagesOf([...createInput, given]).slice(1)).toEqual([
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "call_1", type: "function", function: { name: "weather", arguments: "{}" } }],
        reasoning_content: "Hm.",
      },
      { role: "tool", tool_call_id: "call_1", content: "rain" },
    ]);
    expect(messagesOf([...createInput, question("q2", { after: ["a1"], createdAt: 3 })])).toEqual([
      { role: "user", content: "question q1\n\nquestion q2" },
    ]);
  });

  test("the messages of a request end with the partial answer and the prompt to continue it", () => {
    const partial = answer("a1", "q1", { text: "Because of" });
    const messages = messagesOf([question("q1"), partial], { partial });
    expect(messages.slice(1).map(({ role }) => role)).toEqual(["assistant", "user"]);
    expect(messages[1]?.content).toBe("Because of");
  });
});

test("a request streams, requests usage and contains the samplers", () => {
  const turns = visibleTurns(buildTree([question("q1")]), {});
  expect(toRequest({ turns, settings: { ...settings, top_k: 40 }, model: "m/one", lane: 0 })).toMatchObject({
    model: "m/one",
    stream: true,
    stream_options: { include_usage: true },
    temperature: 0.7,
    top_k: 40,
  });
});

test.each([
  [1_000_000, 50],
  [60, 4],
  [1, 1],
])("keeps the newest messages that fit into %i tokens", (tokens, count) => {
  const turns = visibleTurns(buildTree(createLongConversation(50)), {});
  const kept = takeNewestTurns(turns, "m/one", 0, tokens);
  expect(kept.at(-1)?.question.id).toBe("q49");
  expect(kept).toHaveLength(count);
});

test.each([
  ["", 0],
  ["four", 1],
  ["漢字", 2],
])("estimates the tokens of %j as %i", (content, tokens) => {
  expect(estimateTokens(content)).toBe(tokens);
});

test.each([
  ["few words", "a", false],
  ["many words", "a".repeat(3_000_000), false],
  ["more than goes into a request", "a".repeat(16_000_000), true],
  ["what grows as JSON", "\u0000".repeat(2_700_000), true],
])("%s: the request is too large is %s", (_what, content, expected) => {
  expect(isTooLarge({ model: "a/b", messages: [{ role: "user", content }] })).toBe(expected);
});

test("a file of which only passages go with questions is named, without its text", () => {
  const file = { id: "f1", kind: "text" as const, name: "a.pdf", type: "application/pdf", size: 9, data: "Secret." };
  const [message] = messagesOf([question("q1", { attachments: [{ ...file, passages: 240 }] })]);
  expect(message?.content).toMatch(/^<file name="a\.pdf">\n\[The text is too long to be sent whole\./);
  expect(message?.content).not.toContain("Secret.");
});
