import { fc } from "@feather/testing/properties";
import { describe, expect, test } from "vitest";
import { createSseParser } from "./sse.ts";
import { EventTooLongError } from "./stream-format.ts";

function read(parts: readonly Buffer[]): string[] {
  const parser = createSseParser();
  return parts.flatMap((part) => parser.push(part).map(({ data }) => data));
}

const RECORDED =
  ': ping\n\ndata: {"a":"Fédér"}\n\nevent: x\ndata:{"b":"羽 🪶"}\nid: 7\n\ndata: one\ndata: two\n\ndata: [DONE]\n\n';
const EXPECTED = ['{"a":"Fédér"}', '{"b":"羽 🪶"}', "one\ntwo", "[DONE]"];

describe("the SSE parser", () => {
  test("returns the data of each event without comments", () => {
    expect(read([Buffer.from(RECORDED)])).toEqual(EXPECTED);
  });

  test.each([
    ["\n", RECORDED],
    ["\r\n", RECORDED.replaceAll("\n", "\r\n")],
    ["\r", `${RECORDED.replaceAll("\n", "\r")}\n`],
  ])("returns the same events for any split of the bytes, with line ends %j", (_end, text) => {
    const bytes = Buffer.from(text);
    expect(read([...bytes].map((byte) => Buffer.of(byte)))).toEqual(EXPECTED);
    for (let at = 0; at <= bytes.length; at++)
      expect(read([bytes.subarray(0, at), bytes.subarray(at)])).toEqual(EXPECTED);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 60 }), (sizes) => {
        const parts: Buffer[] = [];
        let at = 0;
        for (const size of sizes) {
          parts.push(bytes.subarray(at, at + size));
          at += size;
        }
        parts.push(bytes.subarray(at));
        expect(read(parts)).toEqual(EXPECTED);
      }),
      { seed: 42 },
    );
  });

  test("parses a line of 4 MB in small pieces quickly", () => {
    const long = "x".repeat(4 * 1024 * 1024);
    const bytes = Buffer.from(`data: ${long}\n\n`);
    const parts: Buffer[] = [];
    for (let at = 0; at < bytes.length; at += 1_000) parts.push(bytes.subarray(at, at + 1_000));
    expect(read(parts)[0]?.length).toBe(long.length);
  });

  test("throws when an event has no end", () => {
    const piece = Buffer.alloc(1024 * 1024, "x");
    expect(() => read([Buffer.from("data: "), ...Array<Buffer>(20).fill(piece)])).toThrow(EventTooLongError);
  });

  test("skips a line that is no field, however long it is", () => {
    const piece = Buffer.alloc(1024 * 1024, "x");
    expect(read([...Array<Buffer>(20).fill(piece), Buffer.from("\ndata: 1\n\n")])).toEqual(["1"]);
  });

  test("returns the name of an event that has one", () => {
    const parser = createSseParser();
    expect(parser.push(Buffer.from("event: ping\ndata: x\n\ndata: y\n\n"))).toEqual([
      { data: "x", event: "ping" },
      { data: "y" },
    ]);
  });

  test("drops an unfinished event", () => {
    expect(read([Buffer.from('data: {"a":1}\n\ndata: {"b"')])).toEqual(['{"a":1}']);
  });
});
