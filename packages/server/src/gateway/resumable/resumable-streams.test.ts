import { createTestClock } from "@feather/testing/clock";
import { expect, test } from "vitest";
import { hasCode } from "../../platform/core/errors/index.ts";
import { createResumableStreams, type StreamLimits } from "./resumable-streams.ts";

const LIMITS: StreamLimits = {
  maxBytes: 1_000,
  maxEvents: 1_000,
  maxPerOrganization: 3,
  maxTotalBytes: 2_000,
  keepMs: 60_000,
  unreadMs: 30_000,
};

function setup(more: Partial<StreamLimits> = {}) {
  const clock = createTestClock("2026-05-01T12:00:00Z");
  const streams = createResumableStreams({ ...LIMITS, ...more }, clock);
  const open = (id: string, organizationId = "org_1") =>
    streams.open({
      id,
      owner: `${organizationId} session user_1`,
      organizationId,
      requestId: "req_1",
      path: "/v1/chat/completions",
    });
  const has = (id: string) => streams.find("org_1 session user_1", id) !== undefined;
  return { clock, streams, open, has };
}
const codeOf = (run: () => unknown): string | null => {
  try {
    run();
    return null;
  } catch (error) {
    return (error as { code: string }).code;
  }
};
const event = (bytes: number) => `data: ${"x".repeat(bytes)}\n\n`;

test("only the owner finds a stream", () => {
  const { streams, open } = setup();
  const stream = open("one");
  expect(streams.find("org_1 session user_1", "one")).toBe(stream);
  expect(streams.find("org_1 session user_2", "one")).toBeUndefined();
  expect(streams.find("org_1 session user_1", "two")).toBeUndefined();
});

test("a stream is kept for a while after its end, and its id is free again afterwards", async () => {
  const { streams, clock, open, has } = setup();
  open("one").end({ kind: "complete" });
  clock.at += LIMITS.keepMs - 1;
  await streams.job.run();
  expect(has("one")).toBe(true);
  expect(codeOf(() => open("one"))).toBe("invalid_request");
  clock.at += 1;
  expect(has("one")).toBe(false);
  open("one").write(event(10));
  expect(streams.totalBytes()).toBeGreaterThan(0);
});

test("ended streams free their memory when their time is over", async () => {
  const { streams, clock, open } = setup();
  const stream = open("one");
  stream.write(event(100));
  stream.end({ kind: "complete" });
  clock.at += LIMITS.keepMs;
  await streams.job.run();
  expect(streams.totalBytes()).toBe(0);
});

test("a further stream of an organization is refused while all that it may have are running", () => {
  const { open } = setup();
  for (const id of ["one", "two", "three"]) open(id);
  expect(codeOf(() => open("four"))).toBe("streams.too_many");
  expect(codeOf(() => open("four", "org_2"))).toBeNull();
});

test("the oldest ended stream of an organization gives way to a new one", () => {
  const { clock, open, has } = setup();
  const [one, two] = [open("one"), open("two")];
  open("three");
  two.end({ kind: "complete" });
  clock.at += 1;
  one.end({ kind: "complete" });
  open("four");
  expect([has("one"), has("two"), has("three"), has("four")]).toEqual([true, false, true, true]);
});

test("ended streams give way, the oldest first, when all streams together take too much memory", () => {
  const { streams, open, has } = setup();
  const one = open("one");
  one.write(event(800));
  one.end({ kind: "complete" });
  open("two").write(event(800));
  open("three").write(event(800));
  expect([has("one"), has("two"), has("three")]).toEqual([false, true, true]);
  expect(streams.totalBytes()).toBeLessThanOrEqual(LIMITS.maxTotalBytes);
});

test("the largest running stream drops its older events when all streams together take too much memory", () => {
  const { streams, open } = setup({ maxTotalBytes: 1_000 });
  const large = open("large");
  for (let at = 0; at < 8; at++) large.write(event(80));
  const small = open("small");
  for (let at = 0; at < 4; at++) small.write(event(80));
  expect(streams.totalBytes()).toBeLessThanOrEqual(1_000);
  expect([large.buffer.first() > 1, small.buffer.first()]).toEqual([true, 1]);
});

test("a call without a reader is stopped after a while, and one with a reader is not", async () => {
  const { streams, clock, open } = setup();
  const stream = open("one");
  const reasons: unknown[] = [];
  stream.onStop((reason) => reasons.push(reason));
  const leave = stream.addReader();
  clock.at += LIMITS.unreadMs;
  await streams.job.run();
  expect(reasons).toEqual([]);
  leave();
  leave();
  clock.at += LIMITS.unreadMs - 1;
  await streams.job.run();
  expect(reasons).toEqual([]);
  clock.at += 1;
  await streams.job.run();
  expect(reasons.map((reason) => hasCode(reason, "streams.unread"))).toEqual([true]);
});

test("a stop before the call follows it is not lost, and one after the end does nothing", async () => {
  const { open } = setup();
  const reason = new Error("stopped") as never;
  const stream = open("one");
  stream.stop(reason);
  const stopped: unknown[] = [];
  stream.onStop((given) => stopped.push(given));
  expect(stopped).toEqual([reason]);
  stream.end({ kind: "complete" });
  stream.stop(reason);
  expect(stopped).toHaveLength(1);
});
