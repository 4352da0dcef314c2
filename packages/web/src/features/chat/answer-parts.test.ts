import type { ChatCompletionChunk } from "@feather/sdk";
import { describe, expect, test } from "vitest";
import { createCollector, splitThinking } from "./answer-parts.ts";

const chunk = (delta: Record<string, unknown>, finish: string | null = null): ChatCompletionChunk => ({
  id: "c",
  object: "chat.completion.chunk",
  created: 1,
  model: "m",
  choices: [{ index: 0, delta, finish_reason: finish }],
});

test("text, thoughts and the end are put together", () => {
  const collector = createCollector();
  expect(collector.add(chunk({ role: "assistant", content: "" }))).toBe(false);
  for (const delta of [{ reasoning_content: "Hm." }, { reasoning: " Yes." }, { content: "Be" }, { content: "cause" }])
    expect(collector.add(chunk(delta))).toBe(true);
  collector.add(chunk({}, "stop"));
  expect(collector.parts()).toEqual({ text: "Because", reasoning: "Hm. Yes.", toolCalls: [], finish: "stop" });
});

test("thoughts that come under both names count once", () => {
  const collector = createCollector();
  collector.add(chunk({ reasoning_content: "Hm.", reasoning: "Hm." }));
  expect(collector.parts().reasoning).toBe("Hm.");
});

test("an answer that is gone on with keeps what it had", () => {
  const collector = createCollector("Be");
  collector.add(chunk({ content: "cause" }));
  expect(collector.parts().text).toBe("Because");
});

test("calls of tools come in pieces, side by side, and never under a number that is not theirs", () => {
  const collector = createCollector();
  const call = (index: number, rest: Record<string, unknown>) =>
    collector.add(chunk({ tool_calls: [{ index, ...rest }] }));
  call(0, { id: "a", function: { name: "one", arguments: "{" } });
  call(1, { id: "b", function: { name: "two", arguments: "[]" } });
  call(0, { function: { arguments: "}" } });
  call(-1, { id: "x" });
  call(1e9, { id: "x" });
  collector.add(chunk({ tool_calls: "no list" }));
  expect(collector.parts().toolCalls).toEqual([
    { id: "a", name: "one", arguments: "{}" },
    { id: "b", name: "two", arguments: "[]" },
  ]);
});

describe("thinking aloud", () => {
  test.each([
    ["Plain.", "Plain.", ""],
    ["<thi", "", ""],
    ["<think>Hm", "", "Hm"],
    ["<think>Hm</thi", "", "Hm"],
    ["<think>\nHm.\n</think>\n\nAir.", "Air.", "Hm."],
    ["  <think></think>Air.", "Air.", ""],
    ["Say <think> aloud", "Say <think> aloud", ""],
  ])("%j", (raw, text, reasoning) => {
    expect(splitThinking(raw)).toEqual({ text, reasoning });
  });

  test("shows the same in any pieces", () => {
    const whole = "<think>Hm. Yes.</think>Air.";
    for (let size = 1; size < whole.length; size++) {
      const collector = createCollector();
      for (let at = 0; at < whole.length; at += size) collector.add(chunk({ content: whole.slice(at, at + size) }));
      expect(collector.parts()).toMatchObject({ text: "Air.", reasoning: "Hm. Yes." });
    }
  });
});
