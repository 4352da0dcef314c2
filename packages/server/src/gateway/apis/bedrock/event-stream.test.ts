import { encodeBedrockEvent } from "@feather/testing/fake-bedrock";
import { fc } from "@feather/testing/properties";
import { describe, expect, test } from "vitest";
import { EventTooLongError, UnreadableStreamError } from "../stream-format.ts";
import { createAmazonEventParser } from "./event-stream.ts";

const EVENTS = [
  { messageStart: { role: "assistant" } },
  { contentBlockDelta: { contentBlockIndex: 0, delta: { text: "Fédér 羽 🪶" } } },
  { throttlingException: { message: "Slow down" } },
];
const BYTES = Buffer.concat(EVENTS.map(encodeBedrockEvent));

function read(parts: readonly Buffer[]): unknown[] {
  const parser = createAmazonEventParser();
  return parts.flatMap((part) => parser.push(part).map(({ data }) => JSON.parse(data)));
}

/** Returns the first bytes of a message of this length. */
function startOf(length: number): Buffer {
  const bytes = Buffer.alloc(16);
  bytes.writeUInt32BE(length, 0);
  return bytes;
}

describe("the parser of Amazon's event streams", () => {
  test("returns the payload of each event under its type", () => {
    expect(read([BYTES])).toEqual(EVENTS);
  });

  test("returns the same events for any split of the bytes", () => {
    expect(read([...BYTES].map((byte) => Buffer.of(byte)))).toEqual(EVENTS);
    for (let at = 0; at <= BYTES.length; at++)
      expect(read([BYTES.subarray(0, at), BYTES.subarray(at)])).toEqual(EVENTS);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 90 }), { maxLength: 20 }), (sizes) => {
        const parts: Buffer[] = [];
        let at = 0;
        for (const size of sizes) {
          parts.push(BYTES.subarray(at, at + size));
          at += size;
        }
        parts.push(BYTES.subarray(at));
        expect(read(parts)).toEqual(EVENTS);
      }),
      { seed: 42 },
    );
  });

  test("drops an unfinished event", () => {
    expect(read([BYTES.subarray(0, -1)])).toEqual(EVENTS.slice(0, 2));
  });

  test("throws for a message whose checksum is wrong", () => {
    const damaged = Buffer.from(BYTES);
    damaged[40] = (damaged[40] ?? 0) ^ 1;
    expect(() => read([damaged])).toThrow(UnreadableStreamError);
  });

  test("throws for a length that no message has, before the message arrives", () => {
    expect(() => read([startOf(16 * 1024 * 1024 + 1)])).toThrow(EventTooLongError);
    expect(() => read([startOf(15)])).toThrow(UnreadableStreamError);
    expect(() => read([Buffer.from('{"message":"This is no event stream."}')])).toThrow(EventTooLongError);
  });

  test("reads a message of 4 MB in small pieces", () => {
    const event = { contentBlockDelta: { delta: { text: "x".repeat(4 * 1024 * 1024) } } };
    const bytes = encodeBedrockEvent(event);
    const parts: Buffer[] = [];
    for (let at = 0; at < bytes.length; at += 1_000) parts.push(bytes.subarray(at, at + 1_000));
    expect(read(parts)).toEqual([event]);
  });
});
