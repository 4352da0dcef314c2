import { type Llama, type LlamaModel, SpecialToken } from "node-llama-cpp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTemporaryFolder } from "../../testing/engine-process.ts";
import {
  DEEPSEEK_R1_TEMPLATE,
  DEEPSEEK_V31_TEMPLATE,
  LLAMA_TEMPLATE,
  MISTRAL_TEMPLATE,
  XML_TEMPLATE,
} from "../../testing/tool-templates.ts";
import { TOOL_TEMPLATE, writeSpeakingModel } from "../../testing/toy-models.ts";
import type { ChatTurn, Tool } from "../engine-model.ts";
import { parseExactJson } from "../exact-numbers.ts";
import { historyOptionsOf, toChatHistory, toModelFunctions, withDescribedTools } from "./chat-history.ts";
import { type ChatSupport, createChatSupport } from "./chat-wrapper.ts";
import { openLlama } from "./open-llama.ts";
import { RENDER_LIMIT, type RenderLimit } from "./template-renderer.ts";

const folder = createTemporaryFolder();
const models: LlamaModel[] = [];
let llama: Llama;
beforeAll(async () => {
  llama = await openLlama({ gpu: undefined, log: () => {} });
});
afterAll(async () => {
  for (const model of models) await model.dispose();
  await llama.dispose();
  folder[Symbol.dispose]();
});

const TOOL: Tool = {
  name: "get_weather",
  description: "Returns the weather, <b>now</b>.",
  parameters: parseExactJson(
    `{"type":"object","properties":{"city":{"type":"string","description":"The city's name"},"scale":{"type":"number","default":1.0}},"required":["city"]}`,
  ),
};
const QUESTION: ChatTurn[] = [
  { role: "system", text: "Be short." },
  { role: "user", text: "The weather?" },
];
const CALL = {
  id: "a",
  name: TOOL.name,
  arguments: parseExactJson('{"city": "Paris", "scale": 1.0, "now": true, "units": null, "days": [1, 2]}'),
};
const CALL_AND_RESULT: ChatTurn[] = [
  ...QUESTION,
  { role: "assistant", reasoning: "", text: "", toolCalls: [CALL] },
  { role: "tool", callId: CALL.id, text: "Sunny" },
];

/** Returns the chat support of a model with this template, and what is logged about it. */
async function load(template: string, limit: RenderLimit = RENDER_LIMIT): Promise<ChatSupport & { logged: string[] }> {
  const modelPath = `${folder.path}/template.gguf`;
  writeSpeakingModel(modelPath, { template, start: "\n", pieces: ["Yes", "."] });
  const model = await llama.loadModel({ modelPath });
  models.push(model);
  const logged: string[] = [];
  return { ...createChatSupport(model, { limit, log: (message) => logged.push(message) }), logged };
}

function render({ wrapperFor, toolFormat }: ChatSupport, turns: readonly ChatTurn[], tools: readonly Tool[]): string {
  const wrapper = wrapperFor({}, tools.length > 0);
  const { contextText } = wrapper.generateContextState({
    chatHistory: toChatHistory(withDescribedTools({ turns, tools }, toolFormat), historyOptionsOf(wrapper)),
    ...(tools.length > 0 && { availableFunctions: toModelFunctions(tools), documentFunctionParams: true }),
  });
  return contextText
    .mapValues((value) => (value instanceof SpecialToken ? `<${value.value}>` : value))
    .toString()
    .replaceAll(/fc_\d_\d{4}/g, "ID");
}

// The expected prompts are what Jinja2 3.1.6 prints with the settings of transformers.
test.each([
  [
    "Qwen and Hermes",
    TOOL_TEMPLATE,
    [
      "<|im_start|>system",
      "Be short.",
      "",
      "# Tools",
      "",
      "<tools>",
      '{"type": "function", "function": {"name": "get_weather", "description": "Returns the weather, <b>now</b>.", "parameters": {"type": "object", "properties": {"city": {"type": "string", "description": "The city\'s name"}, "scale": {"type": "number", "default": 1.0}}, "required": ["city"]}}}',
      "</tools>",
      "",
      "Call as <tool_call>",
      '{"name": <function-name>, "arguments": <args-json-object>}',
      "</tool_call><|im_end|>",
      "<|im_start|>user",
      "The weather?<|im_end|>",
      "<|im_start|>assistant",
      "<tool_call>",
      '{"name": "get_weather", "arguments": {"city": "Paris", "scale": 1.0, "now": true, "units": null, "days": [1, 2]}}',
      "</tool_call><|im_end|>",
      "<|im_start|>user",
      "<tool_response>",
      "Sunny",
      "</tool_response><|im_end|>",
      "<|im_start|>assistant",
      "",
    ],
  ],
  [
    "Qwen3-Coder",
    XML_TEMPLATE,
    [
      "<|im_start|>system",
      "Be short.",
      "# Tools",
      '<function name="get_weather">Returns the weather, <b>now</b>.',
      '<parameter name="city" type="string">The city\'s name</parameter>',
      '<parameter name="scale" type="number"> Default: 1.0</parameter>',
      "</function><|im_end|>",
      "<|im_start|>user",
      "The weather?<|im_end|>",
      "<|im_start|>assistant",
      "<tool_call>",
      "<function=get_weather>",
      "<parameter=city>",
      "Paris",
      "</parameter>",
      "<parameter=scale>",
      "1.0",
      "</parameter>",
      "<parameter=now>",
      "True",
      "</parameter>",
      "<parameter=units>",
      "None",
      "</parameter>",
      "<parameter=days>",
      "[1, 2]",
      "</parameter>",
      "</function>",
      "</tool_call><|im_end|>",
      "<|im_start|>user",
      "<tool_response>",
      "Sunny",
      "</tool_response><|im_end|>",
      "<|im_start|>assistant",
      "",
    ],
  ],
  [
    "Llama",
    LLAMA_TEMPLATE,
    [
      "<BOS><|start_header_id|>system<|end_header_id|>",
      "",
      "Environment: ipython",
      "Be short.<|eot_id|><|start_header_id|>user<|end_header_id|>",
      "",
      'Respond in the format {"name": function name, "parameters": dictionary of argument name and its value}.',
      "",
      "{",
      '    "type": "function",',
      '    "function": {',
      '        "name": "get_weather",',
      '        "description": "Returns the weather, <b>now</b>.",',
      '        "parameters": {',
      '            "type": "object",',
      '            "properties": {',
      '                "city": {',
      '                    "type": "string",',
      '                    "description": "The city\'s name"',
      "                },",
      '                "scale": {',
      '                    "type": "number",',
      '                    "default": 1.0',
      "                }",
      "            },",
      '            "required": [',
      '                "city"',
      "            ]",
      "        }",
      "    }",
      "}",
      "",
      "The weather?<|eot_id|><|start_header_id|>assistant<|end_header_id|>",
      "",
      '{"name": "get_weather", "parameters": {"city": "Paris", "scale": 1.0, "now": true, "units": null, "days": [1, 2]}}<|eot_id|><|start_header_id|>ipython<|end_header_id|>',
      "",
      '"Sunny"<|eot_id|><|start_header_id|>assistant<|end_header_id|>',
      "",
      "",
    ],
  ],
  [
    "Mistral",
    MISTRAL_TEMPLATE,
    [
      '<BOS>[INST]Be short.[/INST][AVAILABLE_TOOLS][{"type": "function", "function": {"name": "get_weather", "description": "Returns the weather, <b>now</b>.", "parameters": {"type": "object", "properties": {"city": {"type": "string", "description": "The city\'s name"}, "scale": {"type": "number", "default": 1.0}}, "required": ["city"]}}}][/AVAILABLE_TOOLS][INST]The weather?[/INST][TOOL_CALLS][{"name": "get_weather", "arguments": {"city": "Paris", "scale": 1.0, "now": true, "units": null, "days": [1, 2]}, "id": "ID"}]<EOS>[TOOL_RESULTS]{"content": Sunny}[/TOOL_RESULTS]',
    ],
  ],
  [
    "DeepSeek R1",
    DEEPSEEK_R1_TEMPLATE,
    [
      "<BOS>Be short.",
      "",
      "## Tools",
      "You have access to the following tools:",
      "",
      "### get_weather",
      "Description: Returns the weather, <b>now</b>.",
      "",
      'Parameters: {"type":"object","properties":{"city":{"type":"string","description":"The city\'s name"},"scale":{"type":"number","default":1.0}},"required":["city"]}',
      "",
      "IMPORTANT: ALWAYS adhere to this exact format for tool use:",
      "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>tool_call_name",
      "```json",
      "tool_call_arguments",
      "```<｜tool▁call▁end｜>{additional_tool_calls}<｜tool▁calls▁end｜>",
      "",
      "Where:",
      "- `tool_call_name` must be an exact match to one of the available tools",
      "- `tool_call_arguments` must be valid JSON that strictly follows the tool's Parameters Schema",
      "- For multiple tool calls, chain them directly without separators or spaces<｜User｜>The weather?<｜Assistant｜><｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather",
      "```json",
      '{"city": "Paris", "scale": 1.0, "now": true, "units": null, "days": [1, 2]}',
      "```<｜tool▁call▁end｜><｜tool▁calls▁end｜><｜end▁of▁sentence｜><｜tool▁outputs▁begin｜><｜tool▁output▁begin｜>Sunny<｜tool▁output▁end｜><｜tool▁outputs▁end｜>",
    ],
  ],
  [
    "DeepSeek V3.1",
    DEEPSEEK_V31_TEMPLATE,
    [
      "<BOS>Be short.",
      "",
      "## Tools",
      "You have access to the following tools:",
      "",
      "### get_weather",
      "Description: Returns the weather, <b>now</b>.",
      "",
      'Parameters: {"type":"object","properties":{"city":{"type":"string","description":"The city\'s name"},"scale":{"type":"number","default":1.0}},"required":["city"]}',
      "",
      "IMPORTANT: ALWAYS adhere to this exact format for tool use:",
      "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>tool_call_name<｜tool▁sep｜>tool_call_arguments<｜tool▁call▁end｜>{additional_tool_calls}<｜tool▁calls▁end｜>",
      "",
      "Where:",
      "- `tool_call_name` must be an exact match to one of the available tools",
      "- `tool_call_arguments` must be valid JSON that strictly follows the tool's Parameters Schema",
      '- For multiple tool calls, chain them directly without separators or spaces<｜User｜>The weather?<｜Assistant｜></think><｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{"city": "Paris", "scale": 1.0, "now": true, "units": null, "days": [1, 2]}<｜tool▁call▁end｜><｜tool▁calls▁end｜><｜end▁of▁sentence｜><｜tool▁output▁begin｜>Sunny<｜tool▁output▁end｜>',
    ],
  ],
])(
  "the prompt of %s with a tool, a call and its result is the one that Python renders",
  async (_name, template, lines) => {
    const support = await load(template);
    expect(support).toMatchObject({ supportsTools: true, logged: [] });
    expect(render(support, CALL_AND_RESULT, [TOOL])).toBe(lines.join("\n"));
  },
);

const BROKEN = "tool_call.arguments | unheard_of";

test("a template that can't render a past call in the form of its family lacks tools, and goes on to render chats", async () => {
  const support = await load(LLAMA_TEMPLATE.replace("tool_call.arguments | tojson", BROKEN));
  expect(support.supportsTools).toBe(false);
  expect(support.logged).toEqual([expect.stringMatching(/can't be used with tools: /)]);
  expect(render(support, QUESTION, [])).toContain("The weather?<|eot_id|>");
});

test("a template that leaves out results lacks tools", async () => {
  const support = await load(LLAMA_TEMPLATE.replace("{{- message.content | tojson }}", ""));
  expect(support.supportsTools).toBe(false);
});

test.each([
  ["a past call", TOOL_TEMPLATE.replace("tool_call.arguments | tojson", BROKEN)],
  ["any chat", `${TOOL_TEMPLATE}{{ none.name.first }}`],
])(
  "tools are written without the template where it can't render %s and the family has no form",
  async (_what, template) => {
    const support = await load(template);
    const prompt = render(support, CALL_AND_RESULT, [TOOL]);
    for (const text of ["The weather?", "get_weather", "Paris", "Sunny"]) expect(prompt).toContain(text);
  },
);

test("a template that takes too long is replaced by the wrapper of the model's family when the model is loaded", async () => {
  let time = 0;
  const limit = { limitMs: 1000, now: () => (time += 10) };
  const support = await load(`{%- for i in range(9999) %}{%- endfor %}${TOOL_TEMPLATE}`, limit);
  expect(support.logged).toEqual([
    "The chat template can't be used: The model's chat template takes longer than 1000 ms.",
  ]);
  expect(support.supportsTools).toBe(false);
  expect(render(support, QUESTION, [])).toContain("The weather?");
});

test("a template that takes too long with one conversation refuses it, and renders the next one", async () => {
  let time = 0;
  const limit = { limitMs: 1000, now: () => (time += 10) };
  const slow = "{%- if messages | length > 6 %}{%- for i in range(4000) %}{%- endfor %}{%- endif %}";
  const support = await load(slow + TOOL_TEMPLATE, limit);
  const answer: ChatTurn = { role: "assistant", reasoning: "", text: "Sunny", toolCalls: [] };
  const long = [1, 2, 3, 4].flatMap((): ChatTurn[] => [{ role: "user", text: "The weather?" }, answer]);
  expect(() => render(support, long, [])).toThrow("The model's chat template takes longer than 1000 ms.");
  expect(render(support, QUESTION, [])).toContain("The weather?");
});
