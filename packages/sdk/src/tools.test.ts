import { sendJson } from "@feather/testing/http-server";
import { expect, test } from "vitest";
import { z } from "zod";
import { startTestClient } from "./testing/client.ts";
import { runTools, type Tool, toolResultText } from "./tools.ts";
import { zodTool } from "./zod.ts";

const ask = { model: "m/n", messages: [{ role: "user" as const, content: "Weather in Oslo?" }] };
const completion = (message: object, finish_reason = "stop") => ({
  id: "c",
  object: "chat.completion",
  created: 1,
  model: "m/n",
  choices: [{ index: 0, message: { role: "assistant", content: null, ...message }, finish_reason }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
});
const callsTool = (name: string, text: string) =>
  completion({ tool_calls: [{ id: "call_1", type: "function", function: { name, arguments: text } }] }, "tool_calls");

const weather = zodTool({
  name: "weather",
  description: "The weather of a city",
  parameters: z.object({ city: z.string() }),
  run: ({ city }) => ({ city, degrees: 4 }),
});
const failing: Tool = {
  name: "failing",
  description: "",
  parameters: {},
  run: () => Promise.reject(new Error("no network")),
};

test("runTools runs the model's tool calls until it returns a final message", async () => {
  using server = await startTestClient((_, response, nth) =>
    sendJson(
      response,
      200,
      nth === 1 ? callsTool("weather", '{"city":"Oslo"}') : completion({ content: "4 degrees." }),
    ),
  );
  const run = await runTools(server.feather, ask, [weather]);
  expect(run.content).toBe("4 degrees.");
  expect(run.calls.map(({ name, parsed }) => [name, parsed])).toEqual([["weather", { city: "Oslo" }]]);
  expect(run.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant"]);
  const [, second] = server.requests.map(({ body }) => JSON.parse(body) as { messages: unknown[]; tools: unknown[] });
  expect(second?.messages[2]).toEqual({ role: "tool", tool_call_id: "call_1", content: '{"city":"Oslo","degrees":4}' });
  expect(second?.tools).toMatchObject([
    { type: "function", function: { name: "weather", parameters: { required: ["city"] } } },
  ]);
});

test.each([
  ["a tool that does not exist", callsTool("other", "{}"), /no tool named other/],
  ["arguments that are not JSON", callsTool("weather", "{"), /not JSON/],
  ["arguments of another shape", callsTool("weather", "{}"), /city/],
  ["a tool that fails", callsTool("failing", "{}"), /Error: no network/],
])("the model receives an error for %s", async (_, first, message) => {
  using server = await startTestClient((_request, response, nth) =>
    sendJson(response, 200, nth === 1 ? first : completion({ content: "Sorry." })),
  );
  const { messages } = await runTools(server.feather, ask, [weather, failing]);
  expect(messages[2]?.content).toMatch(message);
});

test("runTools throws after maxRounds rounds", async () => {
  using server = await startTestClient((_, response) =>
    sendJson(response, 200, callsTool("weather", '{"city":"Oslo"}')),
  );
  await expect(runTools(server.feather, ask, [weather], { maxRounds: 2 })).rejects.toThrow(/more than 2 times/);
  expect(server.requests).toHaveLength(3);
});

test("the caller's signal aborts a run while a tool works", async () => {
  using server = await startTestClient((_, response) => sendJson(response, 200, callsTool("slow", "{}")));
  const abort = new AbortController();
  const slow: Tool = {
    name: "slow",
    description: "",
    parameters: {},
    run: (_, signal) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener("abort", () => reject(signal.reason));
        abort.abort(new Error("enough"));
      }),
  };
  await expect(runTools(server.feather, ask, [slow], { signal: abort.signal })).rejects.toThrow("enough");
});

test("runTools runs no tool whose result the model would never see", async () => {
  using server = await startTestClient((_, response) => sendJson(response, 200, callsTool("count", "{}")));
  let runs = 0;
  const count: Tool = {
    name: "count",
    description: "",
    parameters: {},
    run: () => {
      runs += 1;
    },
  };
  await expect(runTools(server.feather, ask, [count], { maxRounds: 2 })).rejects.toThrow(RangeError);
  expect(runs).toBe(2);
});

test.each<[string, unknown, string]>([
  ["text unchanged", "4 degrees", "4 degrees"],
  ["an object as JSON", { degrees: 4 }, '{"degrees":4}'],
  ["nothing as an empty text", undefined, ""],
  ["null as JSON", null, "null"],
  ["a value that JSON cannot hold as an error", 1n, "Error: Do not know how to serialize a BigInt"],
])("the model receives %s", async (_, result, content) => {
  using server = await startTestClient((_request, response, nth) =>
    sendJson(response, 200, nth === 1 ? callsTool("any", "") : completion({ content: "Done." })),
  );
  const any: Tool = { name: "any", description: "", parameters: {}, run: () => result };
  const { messages } = await runTools(server.feather, ask, [any]);
  expect(messages[2]).toEqual({ role: "tool", tool_call_id: "call_1", content });
});

test("runTools leaves the messages of its request as they are", async () => {
  using server = await startTestClient((_, response, nth) =>
    sendJson(response, 200, nth === 1 ? callsTool("weather", '{"city":"Oslo"}') : completion({ content: "4." })),
  );
  const messages = [...ask.messages];
  await runTools(server.feather, { ...ask, messages }, [weather]);
  expect(messages).toEqual(ask.messages);
});

test("toolResultText returns the texts of a tool's answer, and names its other parts", () => {
  const content = [
    { type: "text", text: "Found." },
    { type: "image", data: "aGk=", mimeType: "image/png" },
    { type: "resource_link", uri: "https://example.com/a", mimeType: "text/plain" },
    { type: "resource" },
  ];
  expect(toolResultText({ content })).toBe(
    "Found.\n[image: image/png]\n[resource_link: text/plain https://example.com/a]\n[resource]",
  );
  expect(toolResultText({ content: [] })).toBe("");
});
