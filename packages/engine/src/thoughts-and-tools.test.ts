import { afterAll, expect, test } from "vitest";
import { createSchemaGrammar } from "./json-schema-grammar/create-schema-grammar.ts";
import { createTemporaryFolder } from "./testing/engine-process.ts";
import { createSpeaker, lookup } from "./testing/speaker.ts";
import { TOOL_TEMPLATE } from "./testing/toy-models.ts";

const folder = createTemporaryFolder();
afterAll(() => folder[Symbol.dispose]());
const reply = createSpeaker(folder.path);

const MESSAGES = `{%- for message in messages %}{{- '<|im_start|>' + message.role + '\\n' }}
{%- if message.role == 'assistant' %}{{- THOUGHT }}{%- endif %}
{{- message.content + '<|im_end|>' + '\\n' }}{%- endfor %}
{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{{- OPENING }}{%- endif %}`;

/** A template whose past turns have a thought, and whose new turns begin with `opening`. */
function thinkingTemplate([begin, end]: readonly [string, string], opening = ""): string {
  const thought = `'${begin}' + (message.reasoning_content or '') + '${end}'`;
  const empty = `${begin}${end}`.replaceAll("\\n", "");
  const switched = `('${empty}' if enable_thinking is defined and enable_thinking is false else '${opening}')`;
  const tools = "{%- if tools %}{%- for tool in tools %}{{- tool | tojson }}{%- endfor %}{%- endif %}";
  return tools + MESSAGES.replace("THOUGHT", thought).replace("OPENING", switched);
}

const QWEN = thinkingTemplate(["<think>\\n", "\\n</think>\\n\\n"]);
const OPENED = thinkingTemplate(["<think>\\n", "\\n</think>\\n\\n"], "<think>\\n");
const MISTRAL = thinkingTemplate(["[THINK]", "[/THINK]"]);
const EXAONE = thinkingTemplate(["<thought>\\n", "\\n</thought>\\n\\n"]);

test.each([
  ["with Qwen's marks and line breaks", QWEN, ["<think>\n", "Let me", " see.", "\n</think>\n\n", "It is", " so."]],
  ["with line breaks in other pieces", QWEN, ["<think>", "\nLet me", " see.\n", "</think>", "\n\nIt is", " so."]],
  ["without line breaks", QWEN, ["<think>", "Let me", " see.", "</think>", "It is", " so."]],
  ["that the template opened", OPENED, ["Let me", " see.", "\n</think>\n\n", "It is", " so."]],
  ["that the template opened, without line breaks", OPENED, ["Let me", " see.", "</think>", "It is", " so."]],
  ["with Mistral's marks", MISTRAL, ["[THINK]", "Let me", " see.", "[/THINK]", "It is", " so."]],
  ["with EXAONE's marks", EXAONE, ["<thought>", "Let me", " see.", "</thought>", "It is", " so."]],
])("a thought %s is no part of the text", async (_name, template, pieces) => {
  const whole = { reasoning: "Let me see.", text: "It is so.", calls: [], reason: "stop", tokens: pieces.length };
  expect(await reply({ template, pieces })).toMatchObject(whole);
});

test.each([
  ["a model opens", QWEN, ["<think>", "Let me", " see.", "</think>", "It is so."]],
  ["a template opens", OPENED, ["Let me", " see.", " Hm.", "</think>", "It is so."]],
])("a thought that %s and the limit cuts is reasoning only", async (_name, template, pieces) => {
  const result = await reply({ template, pieces }, {}, { maxTokens: 3 });
  expect(result).toMatchObject({ text: "", reason: "length", tokens: 3, calls: [] });
  expect(result.reasoning).toMatch(/^Let me see\./);
});

test("a new turn begins with what the template writes for one, not with the empty thought of past turns", async () => {
  // Every control token is one, and so is every other byte.
  const prompt = 3 + "user\nHi\nassistant\n".length;
  expect((await reply({ template: QWEN, pieces: ["Yes."] })).promptTokens).toBe(prompt);
  expect((await reply({ template: OPENED, pieces: ["Yes."] })).promptTokens).toBe(prompt + "<think>\n".length);
});

test("a text without a thought stays as it is", async () => {
  expect(await reply({ template: QWEN, pieces: [" \n It is", " so. \n"] })).toMatchObject({ reasoning: "" });
});

test.each([
  ["opens a thought itself", OPENED, "\n"],
  ["leaves thoughts to the model", QWEN, "\n"],
])("thinking is switched off where the template %s", async (_name, template) => {
  const switchedOff = { templateValues: { enable_thinking: false } };
  const speech = { template, start: ">", pieces: ["It is", " so."] };
  expect(await reply(speech, switchedOff)).toMatchObject({ reasoning: "", text: "It is so.", tokens: 2 });
});

const city = JSON.stringify({ city: "" });

test.each([
  ["as the template writes it", ['<tool_call>\n{"name": "', "lookup"], "", [["lookup", city]]],
  ["without a line break", ['<tool_call>{"name": "', "lookup"], "", [["lookup", city]]],
  ["without any white space", ["<tool_call>", '{"name":"', "lookup"], "", [["lookup", city]]],
  ["after a text", ["Sure.", '\n<tool_call>\n{"name": "', "lookup"], "Sure.", [["lookup", city]]],
  ["that is not JSON", ["<tool_call>\n{name: ", "lookup"], "<tool_call>\n{name: lookup", []],
])("a tool call %s is found, or stays text", async (_name, pieces, text, calls) => {
  const result = await reply({ template: TOOL_TEMPLATE, pieces }, { tools: [lookup] });
  expect(result).toMatchObject({ text, calls, reason: calls.length > 0 ? "toolCalls" : "stop" });
});

test.each([
  ["a template that opens a thought", OPENED, ["Let me", " see."]],
  ["a model that would think", QWEN, ["<think>", "Let me see."]],
  ["a model that would answer", QWEN, ["It is", " so."]],
])("a required tool is called first, with %s", async (_name, template, pieces) => {
  const result = await reply({ template, pieces }, { tools: [lookup], toolChoice: "required" });
  expect(result).toMatchObject({
    reasoning: "",
    text: "",
    calls: [["lookup", expect.any(String)]],
    reason: "toolCalls",
  });
  expect(JSON.parse(result.calls[0]?.[1] ?? "")).toEqual({ city: expect.any(String) });
});

test.each([
  ["a template that opens a thought", OPENED],
  ["a model that would think", QWEN],
])("a reply in JSON has no thought, with %s", async (_name, template) => {
  const json = { output: { type: "grammar" as const, ...createSchemaGrammar({ type: "object" }) } };
  const pieces = ["<think>", "Let me see."];
  const result = await reply({ template, pieces }, { skipsThought: true }, { ...json, maxTokens: 20 });
  expect(result).toMatchObject({ reasoning: "", text: expect.stringMatching(/^[{["]/) });
  const { promptTokens } = await reply({ template, pieces }, {}, json);
  expect(result.promptTokens - promptTokens).toBe(template === OPENED ? "</think>\n".length : 0);
});

test.each([
  ["since the last question reach the template", MISTRAL, [], "Hm.".length],
  ["before the last question are left out", MISTRAL, [{ role: "user" as const, text: "And?" }], 0],
  ["are left out where the template marks none", TOOL_TEMPLATE, [], 0],
])("past thoughts %s", async (_name, template, later, length) => {
  const past = (reasoning: string) => ({
    turns: [
      { role: "user" as const, text: "Hi" },
      { role: "assistant" as const, reasoning, text: "Yes.", toolCalls: [] },
      ...later,
    ],
  });
  const speech = { template, pieces: ["Yes."] };
  const without = await reply(speech, past(""));
  const withThought = await reply(speech, past("Hm."));
  expect(withThought.promptTokens - without.promptTokens).toBe(length);
});
