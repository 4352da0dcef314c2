import OpenAI, { BadRequestError } from "openai";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTemporaryFolder, demoModelPath, type EngineProcess, startEngine } from "./testing/engine-process.ts";
import { writeReasoningModel, writeToolModel } from "./testing/toy-models.ts";

const folder = createTemporaryFolder();
let demo: EngineProcess;
let tools: EngineProcess;
let reasoning: EngineProcess;

beforeAll(async () => {
  const toolModel = `${folder.path}/tools.gguf`;
  writeToolModel(toolModel);
  demo = startEngine(["serve", demoModelPath(), "--port", "0", "--model-id", "feather/demo"]);
  tools = startEngine(["serve", toolModel, "--port", "0"]);
  const reasoningModel = `${folder.path}/reasoning.gguf`;
  writeReasoningModel(reasoningModel);
  reasoning = startEngine(["serve", reasoningModel, "--port", "0"]);
  await Promise.all([demo.ready, tools.ready, reasoning.ready]);
});
afterAll(async () => {
  for (const { child } of [demo, tools, reasoning]) child.kill("SIGKILL");
  await Promise.all([demo.exit, tools.exit, reasoning.exit]);
  folder[Symbol.dispose]();
});

async function clientOf({ ready }: EngineProcess): Promise<OpenAI> {
  const { port } = await ready;
  return new OpenAI({ baseURL: `http://127.0.0.1:${port}/v1`, apiKey: "none", maxRetries: 0 });
}

const messages = [{ role: "user" as const, content: "Hi" }];

/** Fields that OpenAI's client doesn't type. */
const ask = async (engine: EngineProcess, more: object) =>
  (await clientOf(engine)).chat.completions.create({ model: "m", messages, temperature: 0, ...more });

test("chat, at once and streamed, gives the same reply", async () => {
  const client = await clientOf(demo);
  const body = { model: "feather/demo", messages, seed: 3 };
  const whole = await client.chat.completions.create(body);
  const stream = client.chat.completions.stream({ ...body, stream_options: { include_usage: true } });
  const final = await stream.finalChatCompletion();
  expect(final.choices[0]?.message.content).toBe(whole.choices[0]?.message.content);
  expect(final.usage).toEqual(whole.usage);
});

test("several choices can be streamed side by side", async () => {
  const client = await clientOf(demo);
  const stream = client.chat.completions.stream({ model: "m", messages, n: 3, seed: 1 });
  const { choices } = await stream.finalChatCompletion();
  expect(choices.map((choice) => choice.finish_reason)).toEqual(["stop", "stop", "stop"]);
  for (const { message } of choices) expect(message.content).toMatch(/^[A-Z].*\.$/);
});

test("embeddings are decoded from the client's default encoding", async () => {
  const client = await clientOf(demo);
  const { data } = await client.embeddings.create({ model: "m", input: "text" });
  expect(data[0]?.embedding.length).toBeGreaterThan(100);
  expect(data[0]?.embedding.some((value) => value !== 0)).toBe(true);
});

test("models can be listed and retrieved", async () => {
  const client = await clientOf(demo);
  const { data } = await client.models.list();
  expect(await client.models.retrieve("feather/demo")).toMatchObject({ id: data[0]?.id });
});

test("maps errors to the client's error classes", async () => {
  const client = await clientOf(demo);
  const failing = client.chat.completions.create({ model: "m", messages: [] });
  await expect(failing).rejects.toThrow(BadRequestError);
  await expect(failing).rejects.toMatchObject({
    code: "invalid_request",
    param: "messages",
    requestID: expect.any(String),
  });
});

const lookup = {
  type: "function" as const,
  function: {
    name: "lookup",
    description: "The weather in a city",
    parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  },
};

test("returns a tool call, buffered and streamed", async () => {
  const client = await clientOf(tools);
  const body = { model: "m", messages, tools: [lookup], temperature: 0 };
  const call = { type: "function", function: { name: "lookup", arguments: '{"city":"Paris"}' } };
  const whole = await client.chat.completions.create(body);
  const streamed = await client.chat.completions.stream(body).finalChatCompletion();
  for (const { choices } of [whole, streamed]) {
    expect(choices).toMatchObject([{ finish_reason: "tool_calls", message: { tool_calls: [call] } }]);
    expect(choices[0]?.message.content).toBeFalsy();
  }
});

test("past tool calls and their results become part of the prompt", async () => {
  const client = await clientOf(tools);
  const past = [
    ...messages,
    {
      role: "assistant" as const,
      content: null,
      tool_calls: [{ id: "c1", type: "function" as const, function: { name: "lookup", arguments: '{"city":"Rome"}' } }],
    },
    { role: "tool" as const, tool_call_id: "c1", content: "sunny" },
  ];
  const body = { model: "m", tools: [lookup], temperature: 0 };
  const without = await client.chat.completions.create({ ...body, messages });
  const withPast = await client.chat.completions.create({ ...body, messages: past });
  const added = (withPast.usage?.prompt_tokens ?? 0) - (without.usage?.prompt_tokens ?? 0);
  // Every byte is a token in this model.
  expect(added).toBeGreaterThan('{"name": "lookup", "arguments": {"city": "Rome"}}sunny'.length);
});

test("ignores tools for tool_choice none", async () => {
  const { choices } = await ask(tools, { tools: [lookup], tool_choice: "none", max_tokens: 5 });
  expect(choices[0]?.message.tool_calls).toBeUndefined();
});

const other = { type: "function" as const, function: { name: "other", parameters: { type: "object" } } };

test("only the named tool is called, while the prompt describes all", async () => {
  const named = (name: string) =>
    ask(tools, { tools: [lookup, other], tool_choice: { type: "function", function: { name } } });
  const [first, second] = await Promise.all([named("lookup"), named("other")]);
  expect(first.choices[0]?.message.tool_calls).toMatchObject([{ function: { name: "lookup" } }]);
  expect(second.choices[0]?.message.tool_calls).toMatchObject([{ function: { name: "other", arguments: "{}" } }]);
  expect(second.usage?.prompt_tokens).toBe(first.usage?.prompt_tokens);
});

test.each([
  ["a named tool that is not there", { tools: [lookup], tool_choice: { type: "function", function: { name: "x" } } }],
  ["a required tool where there is none", { tool_choice: "required" }],
])("rejects %s", async (_name, body) => {
  await expect(ask(tools, body)).rejects.toMatchObject({ status: 400, code: "invalid_request", param: "tool_choice" });
});

test("separates the reasoning of a model from its answer", async () => {
  const client = await clientOf(reasoning);
  const body = { model: "m", messages, temperature: 0 };
  const { choices, usage } = await client.chat.completions.create(body);
  expect(choices[0]?.message).toMatchObject({ content: "It is so.", reasoning_content: "Let me see." });
  // Six pieces: two tags, two of the thought, two of the answer.
  expect(usage?.completion_tokens).toBe(6);
  const deltas: { content?: string | null; reasoning_content?: string }[] = [];
  for await (const chunk of await client.chat.completions.create({ ...body, stream: true })) {
    deltas.push(chunk.choices[0]?.delta ?? {});
  }
  expect(deltas.map((delta) => delta.reasoning_content ?? "").join("")).toBe("Let me see.");
  expect(deltas.map((delta) => delta.content ?? "").join("")).toBe("It is so.");
});

test("values for the template reach it: thinking is switched off by it, and by no value it does not read", async () => {
  const messageWith = async (chat_template_kwargs: object) =>
    (await ask(reasoning, { chat_template_kwargs })).choices[0]?.message;
  expect(await messageWith({ enable_thinking: false, thinking: false })).toEqual({
    role: "assistant",
    content: "It is so.",
    refusal: null,
  });
  for (const values of [{ enable_thinking: true }, { unread: false }, { enable_thinking: null }]) {
    expect(await messageWith(values)).toMatchObject({ content: "It is so.", reasoning_content: "Let me see." });
  }
});

test("the reasoning effort becomes the template's variable, by both names", async () => {
  const promptTokens = async (more: object) => (await ask(reasoning, more)).usage?.prompt_tokens ?? 0;
  const without = await promptTokens({});
  const low = await promptTokens({ reasoning_effort: "low" });
  expect(low).toBeGreaterThan(without);
  expect(await promptTokens({ reasoning_effort: "medium" })).toBe(low + "medium".length - "low".length);
  expect(await promptTokens({ chat_template_kwargs: { reasoning_effort: "low" } })).toBe(low);
  expect(await promptTokens({ chat_template_kwargs: { unread: "low" } })).toBe(without);
});

test("reasoning counts towards the minimum, and a stop token ends it", async () => {
  const client = await clientOf(reasoning);
  const { usage, choices } = await ask(reasoning, { min_tokens: 9, max_tokens: 9 });
  expect([choices[0], usage]).toMatchObject([
    { finish_reason: "length", message: { reasoning_content: "Let me see." } },
    { completion_tokens: 9 },
  ]);
  const { tokens } = await client.post<{ tokens: number[] }>("/tokenize", { body: { text: "z" } });
  const [token = 0] = tokens;
  const unknown = 2_000_000_000;
  const logit_bias = { [token]: 100, [unknown]: 100 };
  const stopped = await ask(reasoning, { logit_bias, stop_token_ids: [unknown, ...tokens] });
  expect(stopped).toMatchObject({
    choices: [{ finish_reason: "stop", message: { content: "" } }],
    usage: { completion_tokens: 0 },
  });
});
