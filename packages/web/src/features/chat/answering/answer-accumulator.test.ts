import type { ChatCompletionChunk, FinishReason } from "@feather/sdk";
import { describe, expect, test } from "vitest";
import { createAnswerAccumulator, splitThinking } from "./answer-accumulator.ts";

const chunk = (delta: Record<string, unknown>, finish: FinishReason | null = null): ChatCompletionChunk => ({
  id: "c",
  object: "chat.completion.chunk",
  created: 1,
  model: "m",
  choices: [{ index: 0, delta, finish_reason: finish }],
});

test("assembles text, reasoning and finish reason from chunks", () => {
  const collector = createAnswerAccumulator();
  expect(collector.add(chunk({ role: "assistant", content: "" }))).toBe(false);
  for (const delta of [{ reasoning_content: "Hm." }, { reasoning: " Yes." }, { content: "Be" }, { content: "cause" }])
    expect(collector.add(chunk(delta))).toBe(true);
  collector.add(chunk({}, "stop"));
  expect(collector.content()).toEqual({ text: "Because", reasoning: "Hm. Yes.", toolCalls: [], finish: "stop" });
});

test("counts reasoning once when a chunk has it under both names", () => {
  const collector = createAnswerAccumulator();
  collector.add(chunk({ reasoning_content: "Hm.", reasoning: "Hm." }));
  expect(collector.content().reasoning).toBe("Hm.");
});

test("keeps the existing text when an answer is continued", () => {
  const collector = createAnswerAccumulator("Be");
  collector.add(chunk({ content: "cause" }));
  expect(collector.content().text).toBe("Because");
});

test("assembles tool calls from interleaved chunks and ignores invalid indexes", () => {
  const collector = createAnswerAccumulator();
  const call = (index: number, rest: Record<string, unknown>) =>
    collector.add(chunk({ tool_calls: [{ index, ...rest }] }));
  call(0, { id: "a", function: { name: "one", arguments: "{" } });
  call(1, { id: "b", function: { name: "two", arguments: "[]" } });
  call(0, { function: { arguments: "}" } });
  call(-1, { id: "x" });
  call(1e9, { id: "x" });
  collector.add(chunk({ tool_calls: "no list" }));
  expect(collector.content().toolCalls).toEqual([
    { id: "a", name: "one", arguments: "{}" },
    { id: "b", name: "two", arguments: "[]" },
  ]);
});

describe("splitThinking", () => {
  test.each([
    ["Plain.", "Plain.", ""],
    ["<thi", "", ""],
    ["<think>Hm", "", "Hm"],
    ["<think>Hm</thi", "", "Hm"],
    ["<think>\nHm.\n</think>\n\nAir.", "Air.", "Hm."],
    ["  <think></think>Air.", "Air.", ""],
    ["Say <think> aloud", "Say <think> aloud", ""],
  ])("splitThinking separates reasoning from text in %j", (raw, text, reasoning) => {
    expect(splitThinking(raw)).toEqual({ text, reasoning });
  });

  test("splitThinking returns the same result however the text is split into chunks", () => {
    const whole = "<think>Hm. Yes.</think>Air.";
    for (let size = 1; size < whole.length; size++) {
      const collector = createAnswerAccumulator();
      for (let at = 0; at < whole.length; at += size) collector.add(chunk({ content: whole.slice(at, at + size) }));
      expect(collector.content()).toMatchObject({ text: "Air.", reasoning: "Hm. Yes." });
    }
  });
});
