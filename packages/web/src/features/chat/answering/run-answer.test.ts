// @vitest-environment node
import { expect, test } from "vitest";
import { runAnswer } from "./run-answer.ts";

type Delta = { reasoning_content?: string; content?: string; tool_calls?: object[] };

/** Runs an answer whose parts come at these times, in milliseconds since the request; the clock begins anywhere. */
async function run(parts: readonly (readonly [at: number, delta: Delta])[], prefix?: string) {
  const begin = 1_000_000;
  let now = begin;
  async function* events() {
    for (const [at, delta] of parts) {
      now = begin + at;
      yield { choices: [{ index: 0, delta, finish_reason: null }] };
    }
  }
  const stream = Object.assign(events(), { requestId: "req_1", streamId: null });
  const { figures } = await runAnswer({
    open: async () => stream as never,
    signal: new AbortController().signal,
    now: () => now,
    onProgress: () => {},
    ...(prefix !== undefined && { prefix }),
  });
  return figures;
}

test("the time that a model thinks is that from its first thought to its answer", async () => {
  const figures = await run([
    [300, { reasoning_content: "Feathers " }],
    [2_000, { reasoning_content: "hold air." }],
    [12_300, { content: "Air." }],
    [13_000, { content: " And down." }],
  ]);
  expect(figures).toMatchObject({ firstTokenMs: 300, thinkingMs: 12_000, totalMs: 13_000 });
});

test("a call of a tool ends the thinking, too", async () => {
  const call = { index: 0, id: "call_1", function: { name: "weather", arguments: "{}" } };
  const figures = await run([
    [100, { reasoning_content: "I need the weather." }],
    [900, { tool_calls: [call] }],
  ]);
  expect(figures.thinkingMs).toBe(800);
});

test("thoughts within the text are measured like thoughts beside it", async () => {
  const figures = await run([
    [100, { content: "<think>Feathers" }],
    [600, { content: " hold air.</think>" }],
    [700, { content: "Air." }],
  ]);
  expect(figures.thinkingMs).toBe(600);
});

test.each([
  ["does not think", [[100, { content: "Air." }]], undefined],
  ["only thinks", [[100, { reasoning_content: "Hm." }]], undefined],
  ["goes on with a text and only thinks", [[100, { reasoning_content: "Hm." }]], "Because of "],
] as const)("there is no such time for a model that %s", async (_case, parts, prefix) => {
  expect((await run(parts, prefix)).thinkingMs).toBeNull();
});
