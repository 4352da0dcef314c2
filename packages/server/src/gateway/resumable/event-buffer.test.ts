import { expect, test } from "vitest";
import { createEventBuffer, splitEvents } from "./event-buffer.ts";

const LIMITS = { maxBytes: 1_000, maxEvents: 10 };
const event = (text: string) => `data: ${text}\n\n`;

test("events get numbers from 1 on, in front of their fields and behind comments", () => {
  const buffer = createEventBuffer(LIMITS);
  buffer.append([event("a"), ": resumed\n\nevent: message_stop\ndata: b\n\n"]);
  expect(buffer.read(1)).toEqual({
    text: "id: 1\ndata: a\n\n: resumed\n\nid: 2\nevent: message_stop\ndata: b\n\n",
    next: 3,
  });
  expect(buffer.read(3)).toEqual({ text: "", next: 3 });
  expect([buffer.first(), buffer.last()]).toEqual([1, 2]);
});

test("the oldest events are dropped beyond the number of events, and reading them returns null", () => {
  const buffer = createEventBuffer({ ...LIMITS, maxEvents: 3 });
  buffer.append(["a", "b", "c", "d", "e"].map(event));
  expect([buffer.first(), buffer.last()]).toEqual([3, 5]);
  expect(buffer.read(2)).toBeNull();
  expect(buffer.read(3)?.text).toBe("id: 3\ndata: c\n\nid: 4\ndata: d\n\nid: 5\ndata: e\n\n");
});

test("the oldest events are dropped beyond the number of bytes, but never the newest one", () => {
  const buffer = createEventBuffer({ ...LIMITS, maxBytes: 40 });
  buffer.append([event("é".repeat(10)), event("é".repeat(10))]);
  expect([buffer.first(), buffer.last()]).toEqual([2, 2]);
  buffer.append([event("x".repeat(100))]);
  expect([buffer.first(), buffer.last(), buffer.bytes() > 100]).toEqual([3, 3, true]);
  expect(buffer.read(3)?.next).toBe(4);
});

test("shrinking drops the oldest events until the rest fits", () => {
  const buffer = createEventBuffer(LIMITS);
  buffer.append(["a", "b", "c", "d"].map(event));
  const before = buffer.bytes();
  buffer.shrinkTo(before / 2);
  expect([buffer.bytes(), buffer.first()]).toEqual([before / 2, 3]);
});

test("a buffer that has dropped many thousand events still has the right numbers and few bytes", () => {
  const buffer = createEventBuffer(LIMITS);
  for (let at = 1; at <= 50_000; at++) buffer.append([event(String(at))]);
  expect(buffer.read(50_000)?.text).toBe("id: 50000\ndata: 50000\n\n");
  expect([buffer.first(), buffer.last(), buffer.bytes() < 1_000]).toEqual([49_991, 50_000, true]);
});

test("reading returns long streams in pieces", () => {
  const buffer = createEventBuffer({ maxBytes: 1e7, maxEvents: 1e6 });
  buffer.append(Array.from({ length: 10 }, () => event("x".repeat(20_000))));
  const first = buffer.read(1);
  expect(first?.text.length).toBeLessThan(100_000);
  expect(buffer.read(first?.next ?? 0)?.text).toContain(`id: ${first?.next}\n`);
});

test("a text is split into events, and a comment belongs to the event after it", () => {
  expect(splitEvents("data: a\n\n: keep-alive\n\ndata: b\n\n: resumed\n\n")).toEqual({
    events: ["data: a\n\n", ": keep-alive\n\ndata: b\n\n"],
    rest: ": resumed\n\n",
  });
  expect(splitEvents("")).toEqual({ events: [], rest: "" });
});
