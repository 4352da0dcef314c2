import { expect, test } from "vitest";
import type { AssistantMessageDelta } from "../generated/schemas.ts";
import { addChunk, type Chunk, type PartialCompletion, toolCallsOf } from "./message.ts";

const head = { id: "c", created: 1, model: "m/n" };
const chunkOf = (delta: object, index = 0): Chunk => ({
  ...head,
  choices: [{ index, delta: delta as AssistantMessageDelta }],
});
const assemble = (...chunks: Chunk[]): PartialCompletion | undefined =>
  chunks.reduce<PartialCompletion | undefined>(addChunk, undefined);
const assembleCalls = (...deltas: object[]) =>
  toolCallsOf(assemble(...deltas.map((delta) => chunkOf({ tool_calls: [delta] })))?.choices[0]?.message);

test.each<[string, object]>([
  ["an index", { index: 0 }],
  ["its id", { id: "call_1" }],
  ["nothing", {}],
  ["an id of null", { id: null }],
  ["an empty id", { id: "" }],
])("arguments that follow with %s belong to the tool call before", (_, address) => {
  const calls = assembleCalls(
    { ...address, id: "call_1", function: { name: "weather", arguments: '{"city":' } },
    { ...address, function: { arguments: '"Oslo"}' } },
  );
  expect(calls).toEqual([{ id: "call_1", name: "weather", arguments: '{"city":"Oslo"}', parsed: { city: "Oslo" } }]);
});

test("tool calls without an index are told apart by their ids", () => {
  const calls = assembleCalls(
    { id: "a", function: { name: "one", arguments: "{" } },
    { id: "b", function: { name: "two", arguments: "[" } },
    { id: "a", function: { arguments: "}" } },
    { id: "b", function: { arguments: "]" } },
  );
  expect(calls.map(({ name, parsed }) => [name, parsed])).toEqual([
    ["one", {}],
    ["two", []],
  ]);
});

test("a tool call without arguments has an empty object, and one with broken arguments has none", () => {
  const [empty, broken] = assembleCalls(
    { index: 0, id: "a", function: { name: "now" } },
    { index: 1, id: "b", function: { name: "now", arguments: "{" } },
  );
  expect(empty).toMatchObject({ arguments: "", parsed: {} });
  expect(broken).toMatchObject({ arguments: "{", parsed: undefined });
});

test("each choice has its own text, whatever their order", () => {
  const completion = assemble(chunkOf({ content: "x" }, 1), chunkOf({ content: "a" }), chunkOf({ content: "y" }, 1));
  const byIndex = Object.fromEntries((completion?.choices ?? []).map(({ index, message }) => [index, message.content]));
  expect(byIndex).toEqual({ 0: "a", 1: "xy" });
});

test("reasoning is kept apart from the answer", () => {
  const completion = assemble(
    chunkOf({ reasoning_content: "Let me" }),
    chunkOf({ reasoning_content: " see" }),
    chunkOf({ content: "4" }),
  );
  expect(completion?.choices[0]?.message).toEqual({ role: "assistant", content: "4", reasoning_content: "Let me see" });
});

test("a chunk without choices adds its usage", () => {
  const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
  const completion = assemble(chunkOf({ content: "a" }), { ...head, usage }, { ...head, choices: [], usage: null });
  expect(completion).toMatchObject({ usage, choices: [{ message: { content: "a" } }] });
});
