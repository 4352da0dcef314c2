import { createTestClock } from "@feather/testing/clock";
import { fc } from "@feather/testing/properties";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Lease, UnitRequest } from "./unit-requests.ts";
import { createUnits } from "./units.ts";

const clock = createTestClock();
const never = new AbortController().signal;
let counter = 0;
const ask = (more: Partial<UnitRequest> = {}): UnitRequest => ({
  id: `req_${++counter}`,
  organizationId: "org_1",
  model: "o/n",
  bytes: 100,
  cost: 1,
  limit: 2,
  priority: "interactive",
  key: null,
  ...more,
});

describe("units", () => {
  test("units are granted while available, and refused with the limits otherwise", async () => {
    const units = createUnits(clock);
    await units.acquire(ask({ cost: 3, limit: 4 }), 0, never);
    const refusal = units.acquire(ask({ cost: 2, limit: 4, model: "Qwen/Qwen3-32B" }), 0, never);
    await expect(refusal).rejects.toMatchObject({
      status: 429,
      code: "concurrency_limit_exceeded",
      message: expect.stringContaining("3 of 4 are busy and Qwen/Qwen3-32B needs 2 (plan limit: 4)"),
      headers: { "retry-after": "2" },
      details: { limit: 4, used: 3, cost: 2, over_by: 1 },
    });
  });

  test("units are returned once, however often they are released", async () => {
    const units = createUnits(clock);
    const first = await units.acquire(ask(), 0, never);
    await units.acquire(ask(), 0, never);
    first[Symbol.dispose]();
    first[Symbol.dispose]();
    expect(units.totalInUse()).toBe(1);
    await units.acquire(ask(), 0, never);
    await expect(units.acquire(ask(), 0, never)).rejects.toMatchObject({ status: 429 });
  });

  test("units of one organization do not affect another", async () => {
    const units = createUnits(clock);
    await units.acquire(ask({ limit: 1 }), 0, never);
    await expect(units.acquire(ask({ limit: 1, organizationId: "org_2" }), 0, never)).resolves.toBeDefined();
  });

  test("units are unlimited on a plan without a limit", async () => {
    const units = createUnits(clock);
    for (let count = 0; count < 100; count++) await units.acquire(ask({ limit: null, cost: 4 }), 0, never);
    expect(await units.snapshot("org_1")).toMatchObject({ used: 400 });
  });

  test("units that exceed the plan are refused without waiting", async () => {
    const units = createUnits(clock);
    await expect(units.acquire(ask({ cost: 4, limit: 2 }), 60_000, never)).rejects.toMatchObject({
      status: 403,
      code: "model_not_on_plan",
      headers: { "x-should-retry": "false" },
    });
    await expect(
      units.acquire(ask({ cost: 2, limit: 8, key: { id: "key_1", limit: 1 } }), 60_000, never),
    ).rejects.toMatchObject({ status: 403 });
  });

  test("units of a key stay within the key's limit", async () => {
    const units = createUnits(clock);
    const key = { id: "key_1", limit: 1 };
    await units.acquire(ask({ limit: 8, key }), 0, never);
    await expect(units.acquire(ask({ limit: 8, key }), 0, never)).rejects.toMatchObject({
      details: { limit: 1, used: 1 },
    });
    await expect(units.acquire(ask({ limit: 8, key: { id: "key_2", limit: 1 } }), 0, never)).resolves.toBeDefined();
  });
});

describe("waiting for units", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test("waiting for units is served in order, and nothing overtakes a large request", async () => {
    const units = createUnits(clock);
    const held = await units.acquire(ask({ limit: 4, cost: 3 }), 0, never);
    const order: string[] = [];
    const wait = async (name: string, cost: number) => {
      const lease = await units.acquire(ask({ limit: 4, cost }), 10_000, never);
      order.push(name);
      return lease;
    };
    const large = wait("large", 4);
    const small = wait("small", 1);
    await vi.advanceTimersByTimeAsync(100);
    expect(order).toEqual([]);
    await expect(units.acquire(ask({ limit: 4, cost: 1 }), 0, never)).rejects.toMatchObject({ status: 429 });
    held[Symbol.dispose]();
    (await large)[Symbol.dispose]();
    await small;
    expect(order).toEqual(["large", "small"]);
  });

  test("waiting for units, batches let all others go first, also those that do not wait", async () => {
    const units = createUnits(clock);
    const held = await units.acquire(ask({ limit: 2, cost: 2 }), 0, never);
    const order: string[] = [];
    const wait = async (name: string, more: Partial<UnitRequest>) => {
      const lease = await units.acquire(ask(more), 10_000, never);
      order.push(name);
      return lease;
    };
    const batch = wait("batch", { priority: "batch" });
    const large = wait("large batch", { priority: "batch", cost: 2 });
    const person = wait("person", {});
    await vi.advanceTimersByTimeAsync(100);
    held[Symbol.dispose]();
    await Promise.all([person, batch]);
    expect(order).toEqual(["person", "batch"]);
    (await person)[Symbol.dispose]();
    const another = await units.acquire(ask(), 0, never);
    await expect(units.acquire(ask({ priority: "batch" }), 0, never)).rejects.toMatchObject({ status: 429 });
    another[Symbol.dispose]();
    (await batch)[Symbol.dispose]();
    await large;
    expect(order).toEqual(["person", "batch", "large batch"]);
  });

  test("waiting for units, a batch does not overtake a large request that waits for more", async () => {
    const units = createUnits(clock);
    const held = await units.acquire(ask({ limit: 4, cost: 2 }), 0, never);
    const large = units.acquire(ask({ limit: 4, cost: 4 }), 10_000, never);
    await expect(units.acquire(ask({ limit: 4, priority: "batch" }), 0, never)).rejects.toMatchObject({ status: 429 });
    expect(await units.refusalOf(ask({ limit: 4, priority: "batch" }))).toMatchObject({ status: 429 });
    held[Symbol.dispose]();
    await expect(large).resolves.toBeDefined();
  });

  test("waiting for units ends with a refusal at the time limit, and serves the next request", async () => {
    const units = createUnits(clock);
    await units.acquire(ask({ limit: 4, cost: 3 }), 0, never);
    const large = units.acquire(ask({ limit: 4, cost: 2 }), 1_000, never);
    const small = units.acquire(ask({ limit: 4, cost: 1 }), 5_000, never);
    const refused = expect(large).rejects.toMatchObject({ status: 429 });
    await vi.advanceTimersByTimeAsync(1_000);
    await refused;
    await expect(small).resolves.toBeDefined();
    expect(units.totalInUse()).toBe(4);
  });

  test("waiting for units ends when the caller disconnects, and holds nothing", async () => {
    const units = createUnits(clock);
    const held = await units.acquire(ask({ limit: 1 }), 0, never);
    const caller = new AbortController();
    const waiting = units.acquire(ask({ limit: 1 }), 10_000, caller.signal);
    caller.abort(new Error("gone"));
    await expect(waiting).rejects.toThrow("gone");
    held[Symbol.dispose]();
    expect(units.totalInUse()).toBe(0);
    await expect(units.acquire(ask({ limit: 1 }), 0, never)).resolves.toBeDefined();
  });

  test("waiting for units does not start for a caller who has disconnected", async () => {
    const units = createUnits(clock);
    await expect(units.acquire(ask(), 10_000, AbortSignal.abort(new Error("gone")))).rejects.toThrow("gone");
    expect(units.totalInUse()).toBe(0);
  });

  type Step =
    | { do: "ask"; cost: number; wait: number }
    | { do: "release"; which: number }
    | { do: "abort"; which: number }
    | { do: "pass"; ms: number };
  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.record({
      do: fc.constant("ask" as const),
      cost: fc.integer({ min: 1, max: 4 }),
      wait: fc.constantFrom(0, 50, 500),
    }),
    fc.record({ do: fc.constant("release" as const), which: fc.nat(20) }),
    fc.record({ do: fc.constant("abort" as const), which: fc.nat(20) }),
    fc.record({ do: fc.constant("pass" as const), ms: fc.integer({ min: 1, max: 600 }) }),
  );

  test("waiting for units never grants more than the limit and never loses a unit, in any order of events", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 6 }), fc.array(step, { maxLength: 40 }), async (limit, steps) => {
        const units = createUnits(clock);
        const callers: { abort: AbortController; lease: Lease | null; cost: number; served: number | null }[] = [];
        let served = 0;
        const holding = () => callers.reduce((sum, caller) => sum + (caller.lease ? caller.cost : 0), 0);
        for (const next of steps) {
          if (next.do === "ask") {
            const caller = {
              abort: new AbortController(),
              lease: null as Lease | null,
              cost: next.cost,
              served: null as number | null,
            };
            callers.push(caller);
            units.acquire(ask({ limit, cost: next.cost }), next.wait, caller.abort.signal).then(
              (lease) => {
                caller.lease = lease;
                caller.served = served++;
              },
              () => {},
            );
          } else if (next.do === "pass") await vi.advanceTimersByTimeAsync(next.ms);
          else {
            const caller = callers[next.which % Math.max(1, callers.length)];
            if (next.do === "abort") caller?.abort.abort(new Error("gone"));
            else {
              caller?.lease?.[Symbol.dispose]();
              if (caller) caller.lease = null;
            }
          }
          await vi.advanceTimersByTimeAsync(0);
          expect(units.totalInUse()).toBe(holding());
          expect(units.totalInUse()).toBeLessThanOrEqual(limit);
        }
        const turns = callers.flatMap((caller) => caller.served ?? []);
        expect(turns).toEqual([...turns].sort((a, b) => a - b)); // in the order of asking
        await vi.advanceTimersByTimeAsync(1_000);
        for (const caller of callers) caller.lease?.[Symbol.dispose]();
        expect(units.totalInUse()).toBe(0);
      }),
      { seed: 42, numRuns: 200 },
    );
  });
});
