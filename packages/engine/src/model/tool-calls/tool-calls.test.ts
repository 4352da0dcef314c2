import { expect, test } from "vitest";
import { createDeepSeekParser } from "./deepseek.ts";
import { createHarmonyParser } from "./harmony.ts";
import { createLlamaParser } from "./llama.ts";
import { createMistralParser } from "./mistral.ts";
import { type CreateParser, mergeParts, type ReplyParser, type ReplyPart } from "./reply-parts.ts";
import { splitThoughts } from "./thoughts.ts";

const TOOLS = new Set(["lookup", "get_time"]);
const CITY = '{"city": "Zürich \\"}\\""}';

type Call = [name: string, argumentsJson: string];
type Reply = { text: string; reasoning: string; calls: Call[] };

function toReply(parts: readonly ReplyPart[]): Reply {
  const reply: Reply = { text: "", reasoning: "", calls: [] };
  for (const part of parts) {
    if (part.type === "call") reply.calls.push([part.name, ""]);
    else if (part.type !== "arguments") reply[part.type] += part.text;
    else {
      const call = reply.calls.at(-1);
      if (!call) throw new Error("Arguments come before their call.");
      call[1] += part.text;
    }
  }
  return reply;
}

function parse(parser: ReplyParser, pieces: readonly string[]): ReplyPart[] {
  return mergeParts([...pieces.flatMap((piece) => parser.push(piece)), ...parser.end()]);
}

/** Parses a text whole, cut at every place, and character by character, and expects the same each time. */
function expectParts(create: () => ReplyParser, text: string, expected: Partial<Reply>): void {
  const whole = parse(create(), [text]);
  expect(toReply(whole)).toEqual({ text: "", reasoning: "", calls: [], ...expected });
  for (let at = 1; at < text.length; at++)
    expect(parse(create(), [text.slice(0, at), text.slice(at)]), `cut at ${at}`).toEqual(whole);
  expect(parse(create(), [...text])).toEqual(whole);
}

type Case = [title: string, text: string, expected: Partial<Reply>];

function testFormat(family: string, createParser: CreateParser, cases: readonly Case[]): void {
  test.each(cases)(`${family}: %s`, (_title, text, expected) => {
    expectParts(() => createParser(TOOLS), text, expected);
  });
}

testFormat("Llama", createLlamaParser, [
  ["a call as the template writes it", `{"name": "lookup", "parameters": ${CITY}}`, { calls: [["lookup", CITY]] }],
  [
    "a call with a type, after white space",
    `\n\n{"type": "function", "name": "lookup", "parameters": ${CITY}}`,
    { calls: [["lookup", CITY]] },
  ],
  [
    "a call behind the python tag",
    `<|python_tag|>{"name":"lookup","parameters":${CITY}}`,
    { calls: [["lookup", CITY]] },
  ],
  ["arguments before the name", `{"parameters": ${CITY}, "name": "lookup"}`, { calls: [["lookup", CITY]] }],
  [
    "arguments within a string",
    `{"name": "lookup", "parameters": ${JSON.stringify(CITY)}}`,
    { calls: [["lookup", CITY]] },
  ],
  ["no arguments", '{"name": "get_time", "parameters": null}', { calls: [["get_time", "{}"]] }],
  [
    "several calls",
    `{"name": "lookup", "parameters": ${CITY}}; {"name": "get_time", "parameters": {}}`,
    {
      calls: [
        ["lookup", CITY],
        ["get_time", "{}"],
      ],
    },
  ],
  ["a text", " It is {so}.", { text: " It is {so}." }],
  ["a text that begins like the python tag", "<|pyth", { text: "<|pyth" }],
  [
    "code for a tool of Meta's is text",
    '<|python_tag|>brave_search.call(query="x")',
    { text: 'brave_search.call(query="x")' },
  ],
  [
    "a tool that there is not is text",
    '{"name": "other", "parameters": {}}',
    { text: '{"name": "other", "parameters": {}}' },
  ],
  ["an object that is no call is text", '{"name": "lookup", "age": 3}', { text: '{"name": "lookup", "age": 3}' }],
  ["what is no JSON is text", "{name: lookup}", { text: "{name: lookup}" }],
  ["a call that ends before its arguments is text", '{"name": "lookup", "para', { text: '{"name": "lookup", "para' }],
  [
    "a call that ends in its arguments is passed on as far as it came",
    '{"name": "lookup", "parameters": {"city',
    { calls: [["lookup", '{"city']] },
  ],
  [
    "a text behind a call",
    `{"name": "lookup", "parameters": ${CITY}}\nDone.`,
    { text: "Done.", calls: [["lookup", CITY]] },
  ],
]);

testFormat("Mistral", createMistralParser, [
  [
    "an array of calls",
    `[TOOL_CALLS][{"name": "lookup", "arguments": ${CITY}, "id": "a1b2c3d4e"}, {"name": "get_time", "arguments": {}}]`,
    {
      calls: [
        ["lookup", CITY],
        ["get_time", "{}"],
      ],
    },
  ],
  [
    "an array behind a space and a text",
    `Let me see. [TOOL_CALLS] [{"name": "lookup", "arguments": ${CITY}}]`,
    { text: "Let me see. ", calls: [["lookup", CITY]] },
  ],
  [
    "names and arguments without an array",
    `[TOOL_CALLS]lookup[ARGS]${CITY}[TOOL_CALLS]get_time[CALL_ID]123456789[ARGS]{}`,
    {
      calls: [
        ["lookup", CITY],
        ["get_time", "{}"],
      ],
    },
  ],
  ["a name with the arguments right behind it", `[TOOL_CALLS]lookup${CITY}`, { calls: [["lookup", CITY]] }],
  ["a text with brackets", "An array [TOOL] [1, 2].", { text: "An array [TOOL] [1, 2]." }],
  ["a text that ends like the mark", "See [TOOL_CA", { text: "See [TOOL_CA" }],
  [
    "a tool that there is not is text",
    '[TOOL_CALLS][{"name": "other", "arguments": {}}]',
    { text: '{"name": "other", "arguments": {}}]' },
  ],
  ["a name that there is not is text", "[TOOL_CALLS]other[ARGS]{}", { text: "other[ARGS]{}" }],
]);

const DEEPSEEK = (...calls: string[]) =>
  `<｜tool▁calls▁begin｜>${calls.map((call) => `<｜tool▁call▁begin｜>${call}<｜tool▁call▁end｜>`).join("\n")}<｜tool▁calls▁end｜>`;

testFormat("DeepSeek", createDeepSeekParser, [
  [
    "calls in the form of V3 and R1",
    DEEPSEEK(
      `function<｜tool▁sep｜>lookup\n\`\`\`json\n${CITY}\n\`\`\``,
      "function<｜tool▁sep｜>get_time\n```json\n{}\n```",
    ),
    {
      calls: [
        ["lookup", CITY],
        ["get_time", "{}"],
      ],
    },
  ],
  [
    "calls in the form of V3.1, behind a text",
    `I look it up.${DEEPSEEK(`lookup<｜tool▁sep｜>${CITY}`, "get_time<｜tool▁sep｜>{}")}`,
    {
      text: "I look it up.",
      calls: [
        ["lookup", CITY],
        ["get_time", "{}"],
      ],
    },
  ],
  ["a text", "It is <so>.", { text: "It is <so>." }],
  ["a text that ends like a mark", "It is <｜tool", { text: "It is <｜tool" }],
  [
    "a tool that there is not is text",
    "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>other<｜tool▁sep｜>{}",
    { text: "other<｜tool▁sep｜>{}" },
  ],
]);

testFormat("gpt-oss", createHarmonyParser, [
  [
    "a thought and an answer",
    "<|channel|>analysis<|message|>Let me see.<|end|><|start|>assistant<|channel|>final<|message|>It is so.<|return|>",
    { reasoning: "Let me see.", text: "It is so." },
  ],
  [
    "a thought and a call",
    `<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>commentary to=functions.lookup <|constrain|>json<|message|>${CITY}<|call|>`,
    { reasoning: "Hm.", calls: [["lookup", CITY]] },
  ],
  [
    "a call that names the tool before the channel",
    ` to=functions.lookup<|channel|>commentary json<|message|>${CITY}`,
    { calls: [["lookup", CITY]] },
  ],
  [
    "words to the reader before a call",
    `<|channel|>commentary<|message|>I look it up.<|end|><|start|>assistant<|channel|>commentary to=functions.get_time<|message|>{}<|call|>`,
    { text: "I look it up.", calls: [["get_time", "{}"]] },
  ],
  [
    "a message whose end is missing",
    "<|channel|>analysis<|message|>Hm.<|channel|>final<|message|>Yes.",
    { reasoning: "Hm.", text: "Yes." },
  ],
  [
    "a call of a tool that there is not is text",
    "<|channel|>commentary to=functions.other<|message|>{}<|call|>",
    { text: "{}" },
  ],
  ["a reply without a channel", "It is so.", { text: "It is so." }],
]);

test.each<[string, boolean, string, Partial<Reply>]>([
  [
    "that the template opened",
    true,
    `Let me see.\n</think>\n\n${DEEPSEEK(`lookup<｜tool▁sep｜>${CITY}`)}`,
    { reasoning: "Let me see.", calls: [["lookup", CITY]] },
  ],
  [
    "that the model opens",
    false,
    "<think>\nLet me\n see.\n</think>\n\nIt is so.",
    { reasoning: "Let me\n see.", text: "It is so." },
  ],
  ["that does not end", true, "Let me see. </thi", { reasoning: "Let me see. </thi" }],
  ["that is empty", false, "<think>\n\n</think>\n\nIt is so.", { text: "\n\nIt is so." }],
])("a thought %s is no part of the text", (_title, isOpen, text, expected) => {
  expectParts(() => splitThoughts(["<think>", "</think>"], isOpen, createDeepSeekParser(TOOLS)), text, expected);
});

test("arguments are passed on as they come, once the name is known", () => {
  const parser = createLlamaParser(TOOLS);
  expect(parser.push('{"name": "lookup", "parameters": {"ci')).toEqual([
    { type: "call", name: "lookup" },
    { type: "arguments", text: '{"ci' },
  ]);
  expect(parser.push('ty": "Par')).toEqual([{ type: "arguments", text: 'ty": "Par' }]);
  expect(parser.push('is"}}')).toEqual([{ type: "arguments", text: 'is"}' }]);
  expect(parser.end()).toEqual([]);
});
