import { expect, test } from "vitest";
import { z } from "zod";
import { serve } from "./testing/client.ts";
import { json } from "./testing/server.ts";
import { runTools, type Tool } from "./tools.ts";
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
const wants = (name: string, text: string) =>
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
  using server = await serve((_, response, nth) =>
    json(response, 200, nth === 1 ? wants("weather", '{"city":"Oslo"}') : completion({ content: "4 degrees." })),
  );
  const run = await runTools(server.feather, ask, [weather]);
  expect(run.content).toBe("4 degrees.");
  expect(run.calls.map(({ name, parsed }) => [name, parsed])).toEqual([["weather", { city: "Oslo" }]]);
  expect(run.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant"]);
  const [, second] = server.seen.map(({ body }) => JSON.parse(body) as { messages: unknown[]; tools: unknown[] });
  expect(second?.messages[2]).toEqual({ role: "tool", tool_call_id: "call_1", content: '{"city":"Oslo","degrees":4}' });
  expect(second?.tools).toMatchObject([
    { type: "function", function: { name: "weather", parameters: { required: ["city"] } } },
  ]);
});

test.each([
  ["a tool that does not exist", wants("other", "{}"), /no tool named other/],
  ["arguments that are not JSON", wants("weather", "{"), /not JSON/],
  ["arguments of another shape", wants("weather", "{}"), /city/],
  ["a tool that fails", wants("failing", "{}"), /Error: no network/],
])("the model receives an error for %s", async (_, first, message) => {
  using server = await serve((_request, response, nth) =>
    json(response, 200, nth === 1 ? first : completion({ content: "Sorry." })),
  );
  const { messages } = await runTools(server.feather, ask, [weather, failing]);
  expect(messages[2]?.content).toMatch(message);
});

test("runTools throws after maxRounds rounds", async () => {
  using server = await serve((_, response) => json(response, 200, wants("weather", '{"city":"Oslo"}')));
  await expect(runTools(server.feather, ask, [weather], { maxRounds: 2 })).rejects.toThrow(/more than 2 times/);
  expect(server.seen).toHaveLength(3);
});

test("the caller's signal aborts a run while a tool works", async () => {
  using server = await serve((_, response) => json(response, 200, wants("slow", "{}")));
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
