import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSseReader, type SseOptions } from "./sse.ts";

const event = (value: object) => `data: ${JSON.stringify(value)}\n\n`;
const delta = (content: string, model = "o/n") =>
  event({ id: "1", model, choices: [{ index: 0, delta: { content }, finish_reason: null }] });
const finish = (model = "o/n") => event({ id: "1", model, choices: [{ index: 0, delta: {}, finish_reason: "stop" }] });
const usage = event({
  id: "1",
  model: "o/n",
  choices: [],
  usage: { prompt_tokens: 5, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 1 } },
});
const DONE = "data: [DONE]\n\n";

function read(parts: readonly Uint8Array[], options: SseOptions = { passUsage: false }) {
  const reader = createSseReader(options);
  const text = parts.map((part) => reader.push(part)).join("");
  return { text, facts: reader.facts };
}
const whole = (text: string, options?: SseOptions) => read([Buffer.from(text)], options);

const RECORDED = `: ping\n\n${delta("Fédér")}${delta("羽 🪶")}${finish()}${usage}${DONE}`;

describe("a stream of events", () => {
  it("goes on as it came, without [DONE] and the usage nobody asked for", () => {
    const { text, facts } = whole(RECORDED);
    expect(text).toBe(`: ping\n\n${delta("Fédér")}${delta("羽 🪶")}${finish()}`);
    expect(facts).toEqual({ finished: true, usage: { prompt: 5, completion: 2, cached: 1 }, deltas: 3, failed: false });
  });

  it("is the same wherever it is cut in two", () => {
    const bytes = Buffer.from(RECORDED);
    const expected = whole(RECORDED);
    for (let at = 0; at <= bytes.length; at++)
      expect(read([bytes.subarray(0, at), bytes.subarray(at)])).toEqual(expected);
  });

  it("is the same byte by byte, and in any pieces", () => {
    for (const text of [RECORDED, RECORDED.replaceAll("\n", "\r\n")]) {
      const bytes = Buffer.from(text);
      const expected = whole(RECORDED);
      expect(read([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(expected);
      fc.assert(
        fc.property(fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 60 }), (sizes) => {
          const parts: Uint8Array[] = [];
          let at = 0;
          for (const size of sizes) {
            parts.push(bytes.subarray(at, at + size));
            at += size;
          }
          parts.push(bytes.subarray(at));
          expect(read(parts)).toEqual(expected);
        }),
        { seed: 42 },
      );
    }
  });

  it("shows the usage to those who asked for it", () => {
    expect(whole(RECORDED, { passUsage: true }).text).toContain('"prompt_tokens":5');
  });

  it("keeps usage that stands beside choices", () => {
    const last = event({
      choices: [{ index: 0, delta: {}, finish_reason: "stop" }],
      usage: { prompt_tokens: 1, completion_tokens: 1 },
    });
    expect(whole(last)).toMatchObject({
      text: last,
      facts: { finished: true, usage: { prompt: 1, completion: 1, cached: 0 } },
    });
  });

  it("names the model as callers know it", () => {
    const { text } = whole(delta("a", "local:7b") + finish("local:7b") + DONE, { passUsage: false, model: "o/n" });
    expect(text).toBe(delta("a") + finish());
  });

  it("leaves bytes alone where the name is right", () => {
    const spaced = 'data: {"model" : "o/n", "choices":[ ] }\n\n';
    expect(whole(spaced, { passUsage: false, model: "o/n" }).text).toBe(spaced);
  });

  it("reads data in several lines and without a space", () => {
    const split = 'event: message\ndata:{"choices":[{"finish_reason":\ndata:"stop"}]}\n\n';
    expect(whole(split)).toMatchObject({ text: split, facts: { finished: true } });
  });

  it("that reports an error has failed, and its words go no further", () => {
    const { text, facts } = whole(delta("a") + event({ error: { message: "secret of the backend" } }));
    expect(facts.failed).toBe(true);
    expect(text).toBe(delta("a"));
  });

  it.each([
    ["JSON that is none", "data: {nonsense\n\n"],
    ["a bare word", "data: hello\n\n"],
    ["null", "data: null\n\n"],
    ["a number", "data: 5\n\n"],
    ["a list", "data: []\n\n"],
    ["choices that are no list", 'data: {"choices":"x"}\n\n'],
  ])("with %s has failed", (_what, text) => {
    const { text: passed, facts } = whole(delta("a") + text);
    expect(facts.failed).toBe(true);
    expect(passed).toBe(delta("a"));
  });

  it.each([
    ["ends in half an event", `${delta("a")}data: {"choices":[{"ind`],
    ["ends without a reason", delta("a") + DONE],
    ["is empty", ""],
    ["is a page", "<html><body>Bad gateway</body></html>"],
  ])("that %s has not finished", (_what, text) => {
    expect(whole(text).facts.finished).toBe(false);
  });

  it("that ends within a character passes only what was whole", () => {
    const bytes = Buffer.concat([
      Buffer.from(delta("a")),
      Buffer.from('data: {"x":"'),
      Buffer.from("é").subarray(0, 1),
    ]);
    expect(read([bytes])).toMatchObject({ text: delta("a"), facts: { finished: false } });
  });
});
