import { expect, test } from "vitest";
import { setupCli } from "../../testing/setup-cli.ts";

const tool = (name: string) => ({
  ...{ name, server: "docs", title: null, description: "Searches." },
  input_schema: { type: "object", properties: { query: { type: "string" } } },
  ...{ output_schema: null, annotations: null, fingerprint: "f1" },
});
const call = { id: "call_1", type: "function", function: { name: "docs__search", arguments: '{"query":"air"}' } };
const longCall = { ...call, function: { ...call.function, arguments: JSON.stringify({ query: "a".repeat(2000) }) } };
const answerOf = (message: object, finish_reason: string) => ({
  body: {
    id: "c",
    object: "chat.completion",
    created: 1,
    model: "a/b",
    choices: [{ index: 0, message, finish_reason }],
  },
});
let isError = false;
let requested: object = call;
const { run, requests } = setupCli({
  "GET /tools": () => ({ body: { items: [tool("docs__search"), tool("docs__a.b")], problems: [] } }),
  "POST /tools/docs__search/call": () => ({
    body: {
      ...{ content: [{ type: "text", text: "Air insulates." }], structured_content: null },
      ...{ is_error: isError, duration_ms: 3 },
    },
  }),
  "POST /v1/chat/completions": ({ body }) =>
    JSON.stringify(body).includes('"role":"tool"')
      ? answerOf({ role: "assistant", content: "Because of air." }, "stop")
      : answerOf({ role: "assistant", content: null, tool_calls: [requested] }, "tool_calls"),
});
const PROMPT = ["chat", "-m", "a/b", "--tools", "docs__search", "Why do feathers insulate?"];
const sentToModel = () => requests().filter(({ url }) => url.includes("chat/completions"));
const calls = () => requests().filter(({ url }) => url.includes("/call"));

test("the model calls the named tools and answers with what they return", async () => {
  isError = false;
  const { code, out, err } = await run([...PROMPT, "--yes"]);
  expect([code, out]).toEqual([0, "Because of air.\n"]);
  expect(err).toContain('docs__search {"query":"air"}');
  expect(calls().map(({ body }) => body)).toEqual([{ arguments: { query: "air" } }]);
  const [first, second] = sentToModel().map(({ body }) => body as { tools: object[]; messages: object[] });
  expect(first?.tools).toEqual([
    {
      type: "function",
      function: { name: "docs__search", description: "Searches.", parameters: tool("docs__search").input_schema },
    },
  ]);
  expect(second?.messages.at(-1)).toEqual({ role: "tool", tool_call_id: "call_1", content: "Air insulates." });
});

test("long arguments are shown with how much of them is left out", async () => {
  requested = longCall;
  const { err } = await run([...PROMPT, "--yes"]);
  requested = call;
  expect(err).toMatch(/docs__search \{"query":"a+ … and 1,712 more characters/);
});

test("an error of the tool is what the model reads", async () => {
  isError = true;
  expect((await run([...PROMPT, "--yes"])).code).toBe(0);
  expect(JSON.stringify(sentToModel().at(-1)?.body)).toContain("Error: Air insulates.");
});

test("with --json, all messages and calls are printed", async () => {
  const { out } = await run([...PROMPT, "--yes", "--json"]);
  expect(JSON.parse(out)).toMatchObject({ content: "Because of air.", calls: [{ name: "docs__search" }] });
});

test("nothing is sent where nobody can allow the calls", async () => {
  const { code, err } = await run(PROMPT);
  expect([code, requests().length]).toEqual([2, 0]);
  expect(err).toContain("--yes allows all calls");
});

test.each<[string[], number, string]>([
  [["chat", "-m", "a/b", "--yes", "--tools", "docs__serch", "Why?"], 3, "did you mean docs__search?"],
  [["chat", "-m", "a/b", "--yes", "--tools", "docs__a.b", "Why?"], 2, "models take no tool with the name docs__a.b"],
  [["chat", "-m", "a/b", "--yes", "--tools", "a,,b", "Why?"], 2, "names by comma"],
  [["chat", "-m", "a/b", "--yes", "--tools", "docs__search"], 2, "--tools needs a prompt"],
])("%j exits with %i, without a call of the model", async (line, code, message) => {
  const result = await run(line);
  expect([result.code, result.out]).toEqual([code, ""]);
  expect(result.err).toContain(message);
  expect(sentToModel()).toEqual([]);
});
