import { expect, test } from "vitest";
import { createChatChunks } from "./chat-chunks.ts";

const IDENTITY = { id: "chatcmpl-1", created: 1700000000, model: "owner/name" };
const plain = () => createChatChunks(IDENTITY, { includeUsage: false, logprobs: false, newId: () => "abc" });

test("every chunk carries the identity of the reply", () => {
  const chunks = plain();
  const all = [chunks.start(0), ...chunks.delta(0, { type: "text", text: "a", logprobs: [] }), chunks.usage(1, 2)];
  for (const chunk of all) {
    expect(chunk).toMatchObject({ ...IDENTITY, object: "chat.completion.chunk" });
  }
});

test("the first chunk names the role, the last one the reason", () => {
  const chunks = plain();
  expect(chunks.start(1).choices).toEqual([
    { index: 1, delta: { role: "assistant", content: "" }, logprobs: null, finish_reason: null },
  ]);
  expect(chunks.end(1, { reason: "length", completionTokens: 5 }).choices).toEqual([
    { index: 1, delta: {}, logprobs: null, finish_reason: "length" },
  ]);
});

test("usage is in a chunk without choices, and is null in other chunks only if it was requested", () => {
  const chunks = createChatChunks(IDENTITY, { includeUsage: true, logprobs: false, newId: () => "abc" });
  expect(chunks.start(0)).toHaveProperty("usage", null);
  expect(chunks.usage(3, 4)).toMatchObject({
    choices: [],
    usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
  });
  expect(plain().start(0)).not.toHaveProperty("usage");
});

test("a tool call opens with id, type and name, and its arguments follow without them", () => {
  const chunks = plain();
  const deltas = [
    ...chunks.delta(0, { type: "toolCall", index: 2, name: "lookup" }),
    ...chunks.delta(0, { type: "toolCallArguments", index: 2, text: '{"a":1}' }),
  ].map((chunk) => chunk.choices);
  const opening = { index: 2, id: "call_abc", type: "function", function: { name: "lookup", arguments: "" } };
  expect(deltas[0]).toMatchObject([{ delta: { tool_calls: [opening] } }]);
  expect(deltas[1]).toMatchObject([{ delta: { tool_calls: [{ index: 2, function: { arguments: '{"a":1}' } }] } }]);
});

test("log probabilities list each token with its bytes and alternatives", () => {
  const chunks = createChatChunks(IDENTITY, { includeUsage: false, logprobs: true, newId: () => "abc" });
  const logprobs = [{ text: "é", logprob: -0.5, top: [{ text: "\uFFFD", logprob: -1 }] }];
  expect(chunks.delta(0, { type: "text", text: "é", logprobs })[0]?.choices).toMatchObject([
    {
      logprobs: {
        content: [
          {
            token: "é",
            logprob: -0.5,
            bytes: [195, 169],
            top_logprobs: [{ token: "\uFFFD", logprob: -1, bytes: null }],
          },
        ],
      },
    },
  ]);
});
