import { afterAll, expect, test } from "vitest";
import { createTemporaryFolder } from "./testing/engine-process.ts";
import { createSpeaker, lookup, type Speech } from "./testing/speaker.ts";
import {
  DEEPSEEK_R1_TEMPLATE,
  DEEPSEEK_V31_TEMPLATE,
  HARMONY_TEMPLATE,
  LLAMA_TEMPLATE,
  MISTRAL_TEMPLATE,
} from "./testing/tool-templates.ts";

const folder = createTemporaryFolder();
afterAll(() => folder[Symbol.dispose]());
const reply = createSpeaker(folder.path);
const tools = [lookup];

/** The last character of the prompt, after which the toy model speaks. */
const LLAMA = { template: LLAMA_TEMPLATE, start: "\n", specialTokens: ["<|python_tag|>"] };
const MISTRAL = { template: MISTRAL_TEMPLATE, start: "]", specialTokens: ["[TOOL_CALLS]"] };
const DEEPSEEK_TOKENS = ["begin", "sep", "end"].flatMap((end) =>
  end === "sep" ? ["<｜tool▁sep｜>"] : [`<｜tool▁calls▁${end}｜>`, `<｜tool▁call▁${end}｜>`],
);
const R1 = { template: DEEPSEEK_R1_TEMPLATE, start: "\n", specialTokens: [...DEEPSEEK_TOKENS, "</think>"] };
const V31 = { template: DEEPSEEK_V31_TEMPLATE, start: ">", specialTokens: DEEPSEEK_TOKENS };
// With the tokens that end a turn, llama.cpp sees that `<|end|>` is none of them.
const HARMONY_TOKENS = ["channel", "message", "start", "end", "constrain", "call", "return"].map(
  (name) => `<|${name}|>`,
);
const HARMONY = { template: HARMONY_TEMPLATE, start: "t", specialTokens: HARMONY_TOKENS };
const CITY = ["Par", 'is"}'];

test.each<[string, Speech, object]>([
  [
    "Llama's",
    { ...LLAMA, pieces: ['{"name": "lookup"', ', "parameters": {"city": "', ...CITY, "}"] },
    { calls: [["lookup", '{"city": "Paris"}']], argumentPieces: 3, tokens: 5 },
  ],
  [
    "Llama's, behind the python tag",
    { ...LLAMA, pieces: ["<|python_tag|>", '{"name": "lookup", "parameters": {"city": "', ...CITY, "}"] },
    { calls: [["lookup", '{"city": "Paris"}']] },
  ],
  [
    "Mistral's",
    { ...MISTRAL, pieces: ["Sure.", "[TOOL_CALLS]", '[{"name": "lookup", "arguments": {"city": "', ...CITY, "}]"] },
    { text: "Sure.", calls: [["lookup", '{"city": "Paris"}']], argumentPieces: 3 },
  ],
  [
    "DeepSeek R1's",
    {
      ...R1,
      pieces: [
        ...["Let me see.", "</think>", "<｜tool▁calls▁begin｜>", "<｜tool▁call▁begin｜>", "function", "<｜tool▁sep｜>"],
        ...["lookup", '\n```json\n{"city": "', ...CITY, "\n```", "<｜tool▁call▁end｜>", "<｜tool▁calls▁end｜>"],
      ],
    },
    { reasoning: "Let me see.", calls: [["lookup", '{"city": "Paris"}']], argumentPieces: 3 },
  ],
  [
    "DeepSeek V3.1's",
    {
      ...V31,
      pieces: [
        ...["I look.", "<｜tool▁calls▁begin｜>", "<｜tool▁call▁begin｜>", "lookup", "<｜tool▁sep｜>"],
        ...['{"city": "', ...CITY, "<｜tool▁call▁end｜>", "<｜tool▁calls▁end｜>"],
      ],
    },
    { text: "I look.", calls: [["lookup", '{"city": "Paris"}']], argumentPieces: 3 },
  ],
  [
    "gpt-oss's",
    {
      ...HARMONY,
      pieces: [
        ...["<|channel|>", "analysis", "<|message|>", "Hm.", "<|end|>", "<|start|>", "assistant to=functions.lookup"],
        ...[" commentary ", "<|constrain|>", "json<|message|>", '{"city": "', ...CITY],
      ],
    },
    { reasoning: "Hm.", calls: [["lookup", '{"city": "Paris"}']], argumentPieces: 3 },
  ],
])("a tool call in the form of %s is found, with its arguments in pieces", async (_name, speech, expected) => {
  expect(await reply(speech, { tools })).toMatchObject({ text: "", reasoning: "", reason: "toolCalls", ...expected });
});

test.each<[string, Speech, object]>([
  ["Llama's", { ...LLAMA, pieces: ["It is", " so."] }, { text: "It is so." }],
  ["Mistral's", { ...MISTRAL, pieces: ["It is", " so."] }, { text: "It is so." }],
  [
    "DeepSeek R1's",
    { ...R1, pieces: ["Hm.", "</think>", "\n\nIt is", " so."] },
    { text: "It is so.", reasoning: "Hm." },
  ],
  ["DeepSeek V3.1's", { ...V31, pieces: ["It is", " so."] }, { text: "It is so." }],
  [
    "gpt-oss's",
    {
      ...HARMONY,
      pieces: [
        ...["<|channel|>", "analysis", "<|message|>", "Hm.", "<|end|>", "<|start|>", "assistant"],
        ...["<|channel|>final<|message|>", "It is", " so."],
      ],
    },
    { text: "It is so.", reasoning: "Hm." },
  ],
])("a reply without a call in the form of %s is text, its thought apart", async (_name, speech, expected) => {
  expect(await reply(speech, { tools })).toMatchObject({ reasoning: "", calls: [], reason: "stop", ...expected });
});

test.each<[string, Speech]>([
  ["Llama's", { ...LLAMA, pieces: ["It is", " so."] }],
  ["Mistral's", { ...MISTRAL, pieces: ["It is", " so."] }],
  ["DeepSeek R1's", { ...R1, pieces: ["It is", " so."] }],
  ["DeepSeek V3.1's", { ...V31, pieces: ["It is", " so."] }],
  ["gpt-oss's", { ...HARMONY, pieces: ["It is", " so."] }],
])("a required tool is called in the form of %s", async (_name, speech) => {
  const result = await reply(speech, { tools, toolChoice: "required" });
  expect(result).toMatchObject({ text: "", calls: [["lookup", expect.any(String)]], reason: "toolCalls" });
  expect(JSON.parse(result.calls[0]?.[1] ?? "")).toEqual({ city: expect.any(String) });
});

test("a second call ends the reply where calls may not be parallel", async () => {
  const pieces = ["[TOOL_CALLS]", '[{"name": "lookup", "arguments": {}}', ', {"name": "lookup", "arguments": {}}]'];
  const speech = { ...MISTRAL, pieces };
  expect((await reply(speech, { tools })).calls).toHaveLength(2);
  expect(await reply(speech, { tools, parallelToolCalls: false })).toMatchObject({
    calls: [["lookup", "{}"]],
    reason: "toolCalls",
  });
});

test("a call that the token limit cuts is passed on as far as it came", async () => {
  const speech = { ...LLAMA, pieces: ['{"name": "lookup", "parameters": {"city": "', ...CITY, "}"] };
  expect(await reply(speech, { tools }, { maxTokens: 2 })).toMatchObject({
    calls: [["lookup", '{"city": "Par']],
    reason: "length",
  });
});

test.each([
  ["Llama's", LLAMA_TEMPLATE, '"name": "lookup"'],
  ["Mistral's", MISTRAL_TEMPLATE, '[AVAILABLE_TOOLS][{"type"'],
  ["DeepSeek R1's", DEEPSEEK_R1_TEMPLATE, "### lookup\nDescription: "],
  ["DeepSeek V3.1's", DEEPSEEK_V31_TEMPLATE, "### lookup\nDescription: "],
  ["gpt-oss's", HARMONY_TEMPLATE, "type lookup = "],
])("%s template describes tools, past calls and results as the family does", async (_name, template) => {
  const speech = { template, start: "\0", pieces: ["Yes."] };
  const plain = await reply(speech);
  const described = await reply(speech, { tools });
  const past = await reply(speech, {
    tools,
    turns: [
      { role: "user", text: "Hi" },
      {
        role: "assistant",
        reasoning: "",
        text: "",
        toolCalls: [{ id: "a", name: "lookup", arguments: { city: "Rome" } }],
      },
      { role: "tool", callId: "a", text: "sunny" },
    ],
  });
  expect(described.promptTokens).toBeGreaterThan(plain.promptTokens);
  expect(past.promptTokens).toBeGreaterThan(described.promptTokens);
});
