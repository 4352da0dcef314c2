import { fc } from "@feather/testing/properties";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { MINUTE_MS } from "../../platform/core/time.ts";
import { type Account, createTestServer, type TestServer } from "../../testing/server.ts";
import { type RunningRequest, readUnitsOverTime } from "./units-over-time.ts";

const NOON = Date.parse("2026-05-01T12:00:00Z");
let server: TestServer;
let user: Account;
let counter = 0;

beforeAll(async () => {
  server = await createTestServer();
  user = await server.signUp();
});
afterAll(() => server.close());
beforeEach(() => clearUsage());

const clearUsage = () => server.db.deleteFrom("requests").execute();
function nextId(): string {
  counter += 1;
  return `req_held${counter}`;
}

/** Returns a request that runs from `since` until `until`, in milliseconds after noon. */
const held = (since: number, until: number, units: number): RunningRequest => ({
  id: nextId(),
  start: new Date(NOON + since),
  end: new Date(NOON + until),
  units,
});

async function add(requests: readonly RunningRequest[], queuedMs = 0): Promise<void> {
  if (requests.length === 0) return;
  const rows = requests.map(({ id, start, end, units }) => ({
    id,
    organization_id: user.organizationId,
    model_id: "feather/demo",
    model_class_id: "demo",
    kind: "chat",
    outcome: "completed",
    status: 200,
    streamed: false,
    units,
    started_at: new Date(start.getTime() - queuedMs),
    queued_ms: queuedMs,
    duration_ms: end.getTime() - start.getTime() + queuedMs,
  }));
  await server.db.insertInto("requests").values(rows).execute();
}

async function over(since: number, until: number, sliceMs: number, running: readonly RunningRequest[] = []) {
  const period = { start: new Date(NOON + since), end: new Date(NOON + until) };
  const slices = await readUnitsOverTime(server.db, {
    organizationId: user.organizationId,
    period,
    sliceMs,
    running,
  });
  return slices?.map(({ at, usedMax, usedAvg }) => [at.getTime() - NOON, usedMax, usedAvg]);
}

test("returns the maximum and the time-weighted average of each slice, also without calls", async () => {
  await add([held(0, 30_000, 2), held(15_000, 45_000, 1)]);
  expect(await over(0, 3 * MINUTE_MS, MINUTE_MS)).toEqual([
    [0, 3, 1.5],
    [MINUTE_MS, 0, 0],
    [2 * MINUTE_MS, 0, 0],
  ]);
});

test("does not add up requests when one starts as the other ends", async () => {
  await add([held(0, 10, 4), held(10, 20, 4)]);
  expect((await over(0, MINUTE_MS, MINUTE_MS))?.[0]?.[1]).toBe(4);
});

test("counts a request in every slice that it overlaps, also if it began earlier or still runs", async () => {
  await add([held(-MINUTE_MS, 2 * MINUTE_MS, 1)]);
  expect(await over(0, 3 * MINUTE_MS, MINUTE_MS, [held(MINUTE_MS, 10 * MINUTE_MS, 2)])).toEqual([
    [0, 1, 1],
    [MINUTE_MS, 3, 3],
    [2 * MINUTE_MS, 2, 2],
  ]);
});

test("counts a request once if it ended after it was read as running", async () => {
  const request = held(0, MINUTE_MS, 1);
  await add([request]);
  expect(await over(0, MINUTE_MS, MINUTE_MS, [request])).toEqual([[0, 1, 1]]);
});

test("excludes the time in the queue and other organizations", async () => {
  await add([held(MINUTE_MS, 2 * MINUTE_MS, 1)], MINUTE_MS);
  expect((await over(0, 2 * MINUTE_MS, MINUTE_MS))?.map(([, most]) => most)).toEqual([0, 1]);
  const { organizationId } = await server.signUp();
  const period = { start: new Date(NOON), end: new Date(NOON + 2 * MINUTE_MS) };
  const slices = await readUnitsOverTime(server.db, { organizationId, period, sliceMs: MINUTE_MS, running: [] });
  expect(slices?.map(({ usedMax }) => usedMax)).toEqual([0, 0]);
});

test("agrees with a count of every millisecond", async () => {
  const request = fc
    .record({
      since: fc.integer({ min: -20, max: 60 }),
      length: fc.integer({ min: 0, max: 40 }),
      units: fc.integer({ min: 1, max: 4 }),
    })
    .map(({ since, length, units }) => held(since, since + length, units));
  await fc.assert(
    fc.asyncProperty(
      fc.array(request, { maxLength: 12 }),
      fc.array(request, { maxLength: 3 }),
      async (past, running) => {
        await clearUsage();
        await add(past);
        const seen = Array.from({ length: 5 }, (_, slice) => {
          const used = Array.from({ length: 10 }, (_, ms) => {
            const now = NOON + slice * 10 + ms;
            return [...past, ...running]
              .filter(({ start, end }) => start.getTime() <= now && now < end.getTime())
              .reduce((sum, { units }) => sum + units, 0);
          });
          return [slice * 10, Math.max(...used), used.reduce((sum, value) => sum + value, 0) / 10];
        });
        expect(await over(0, 50, 10, running)).toEqual(seen);
      },
    ),
    { seed: 7, numRuns: 60 },
  );
});
