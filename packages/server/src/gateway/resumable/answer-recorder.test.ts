import { formatChunk, formatEvent, formatUsage } from "@feather/testing/chat-events";
import { describe, expect, test } from "vitest";
import { errors } from "../../platform/core/errors/index.ts";
import { createAnswerRecorder } from "./answer-recorder.ts";

/** Records a stream whose events come 100 ms after each other. */
function record(...events: string[]) {
  let at = 1_000;
  const recorder = createAnswerRecorder({ requestId: "req_1", nowMs: () => at });
  for (const event of events) {
    at += 100;
    recorder.add(event);
  }
  return recorder;
}
const toolCall = (index: number, id: string | undefined, part: { name?: string; arguments?: string }) =>
  formatChunk({ tool_calls: [{ index, ...(id && { id }), function: part }] });
const DONE = "data: [DONE]\n\n";

describe("the record of a stream", () => {
  test("has the text, the counts of the backend, and times from the beginning of the call", () => {
    const usage = formatUsage({ prompt_tokens: 7, completion_tokens: 2, total_tokens: 9 });
    const recorder = record(": keep-alive\n\n", formatChunk({ role: "assistant" }), formatChunk({ content: "One" }));
    for (const event of [formatChunk({ content: " two" }), formatChunk({}, "stop"), usage, DONE]) recorder.add(event);
    expect(recorder.end()).toEqual({
      text: "One two",
      reasoning: "",
      tool_calls: [],
      state: "done",
      finish_reason: "stop",
      error: null,
      metrics: { prompt_tokens: 7, tokens: 2, first_token_ms: 300, total_ms: 300 },
      request_id: "req_1",
    });
  });

  test.each([
    ["reasoning_content", [{ reasoning_content: "Hm" }, { content: "Yes" }], "Hm", "Yes"],
    ["reasoning", [{ reasoning: "Hm" }, { content: "Yes" }], "Hm", "Yes"],
    ["a block before the text", [{ content: "<th" }, { content: "ink>Hm </think>\n\nYes" }], "Hm", "Yes"],
    ["a block without an end", [{ content: "<think>Hm" }], "Hm", ""],
    ["a tag in the middle of the text", [{ content: "Use <think>a</think>" }], "", "Use <think>a</think>"],
  ])("keeps thoughts in %s apart from the text", (_where, deltas, reasoning, text) => {
    expect(record(...deltas.map((delta) => formatChunk(delta))).end()).toMatchObject({ reasoning, text });
  });

  test("puts the parts of several tool calls together, with names that can be seen", () => {
    const recorder = record(
      toolCall(0, "call_a", { name: "wea\u202ether", arguments: '{"city":' }),
      toolCall(1, undefined, { name: "time", arguments: "{}" }),
      toolCall(0, undefined, { arguments: '"Rome"}' }),
      toolCall(128, "call_z", { name: "one too many" }),
    );
    expect(recorder.end()?.tool_calls).toEqual([
      { id: "call_a", name: "wea ther", arguments: '{"city":"Rome"}' },
      { id: "call_1", name: "time", arguments: "{}" },
    ]);
  });

  test("has texts with separators of lines and paragraphs, which JSON holds as they are", () => {
    const content = "One\u2028two\u2029three";
    expect(record(formatChunk({ content }), formatChunk({ content: "!" })).end()?.text).toBe(`${content}!`);
  });

  test("lacks characters of the code 0, which conversations may not hold", () => {
    const deltas = [{ content: "a\0b" }, { reasoning: "c\0d" }].map((delta) => formatChunk(delta));
    expect(record(...deltas, toolCall(0, "x", { name: "y", arguments: '"e\0f"' })).end()).toMatchObject({
      text: "ab",
      reasoning: "cd",
      tool_calls: [{ arguments: '"ef"' }],
    });
  });

  test("has the first of several answers", () => {
    const chunk = (index: number, content: string) =>
      formatEvent({ choices: [{ index, delta: { content }, finish_reason: null }] });
    expect(record(chunk(0, "One"), chunk(1, "Two"), chunk(0, " more"), chunk(1, " more")).end()?.text).toBe("One more");
  });

  test.each(['data: {"choices":[\n\n', "data: {}\n\n", 'data: {"choices":[]}\n\n', "data: 5\n\n", "event: ping\n\n"])(
    "has nothing of the event %j, which has no part of an answer, and goes on",
    (event) =>
      expect(record(formatChunk({ content: "One" }), event, formatChunk({ content: " two" })).end()?.text).toBe(
        "One two",
      ),
  );

  test("of a stream that breaks off it has the text until then and the error", () => {
    const error = { code: "upstream_error", message: "The backend broke off.", details: { backend: "a" } };
    expect(record(formatChunk({ content: "Half" }), formatEvent({ error })).end()).toMatchObject({
      text: "Half",
      state: "failed",
      finish_reason: null,
      error: { ...error, status: 502, request_id: "req_1" },
    });
  });

  test("of a stream that its caller stopped it is no failure", () => {
    const error = { code: "request_stopped", message: "Stopped." };
    expect(record(formatChunk({ content: "Half" }), formatEvent({ error })).end()).toMatchObject({
      text: "Half",
      state: "stopped",
      error: null,
    });
  });

  test("of a call that was refused it has the refusal", () => {
    expect(record().end(errors.streams.tooMany({ limit: 200 }))).toMatchObject({
      text: "",
      state: "failed",
      error: { code: "streams.too_many", status: 429, request_id: "req_1" },
      metrics: { first_token_ms: null, tokens: null },
    });
  });

  test.each([
    ["text", [formatChunk({ content: "x".repeat(1_000_001) }), formatChunk({ content: "x".repeat(1_000_000) })]],
    ["arguments", [toolCall(0, "call_a", { name: "f", arguments: "x".repeat(1_000_001) })]],
  ])("there is none for an answer whose %s is longer than conversations take", (_what, events) => {
    expect(record(...events).end()).toBeNull();
  });
});
