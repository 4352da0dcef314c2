import { fc } from "@feather/testing/properties";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { DatabaseConnection } from "../../platform/core/db/connect.ts";
import { LONE_REPLICA } from "../../platform/core/replicas/replicas.ts";
import { createTestDatabase } from "../../testing/database.ts";
import { createReplicaNetwork } from "../../testing/replica-network.ts";
import { controlTable, type TableControl, waitUntilQuiet } from "../../testing/slow-table.ts";
import type { BorrowedLimit } from "./counter.ts";
import { computeBlockSize, createDailyLimit, type DailyLimit } from "./daily-limit.ts";
import { createDailyRequests, createOwnDailyRequests } from "./daily-requests.ts";

const ORGANIZATION = "org_daily";
const DAY_MS = 24 * 60 * 60 * 1_000;
let database: DatabaseConnection;
/** The time that has passed on the monotonic clock of each replica, in milliseconds. */
let elapsedMs = 0;

beforeAll(async () => {
  database = await createTestDatabase(10);
  await database.db.insertInto("organizations").values({ id: ORGANIZATION, name: "Daily" }).execute();
});
beforeEach(() => {
  elapsedMs = 0;
});
afterEach(async () => {
  await database.db.deleteFrom("daily_requests").execute();
  await database.db.deleteFrom("requests").execute();
  await database.db.deleteFrom("replicas").execute();
});
afterAll(() => database.close());

type Node = { daily: DailyLimit & BorrowedLimit; control: TableControl };

async function join(count: number): Promise<Node[]> {
  const network = createReplicaNetwork(database.db);
  const nodes: Node[] = [];
  for (let index = 0; index < count; index++) {
    const { replicas } = await network.join();
    const { table, control } = controlTable(createDailyRequests(database.db));
    nodes.push({ daily: createDailyLimit({ replicas, lender: table, now: () => elapsedMs }), control });
  }
  return nodes;
}

/** Starts a server that works on the database alone. */
function startAlone(): Node {
  const now = () => Date.now() + elapsedMs;
  const { table, control } = controlTable(createOwnDailyRequests(database.db, { now: () => new Date(now()) }));
  return { daily: createDailyLimit({ replicas: LONE_REPLICA, lender: table, now }), control };
}

async function tick(nodes: readonly Node[]): Promise<void> {
  for (const { daily } of nodes) daily.tick();
  await waitUntilQuiet(nodes.map(({ control }) => control));
}

async function isAllowed(daily: DailyLimit | undefined, limit: number): Promise<boolean> {
  try {
    await daily?.consume(ORGANIZATION, limit);
    return true;
  } catch (error) {
    expect(error).toMatchObject({ status: 429, code: "rate_limit_exceeded", details: { limit } });
    return false;
  }
}

async function addUsageRows(count: number): Promise<void> {
  const row = {
    organization_id: ORGANIZATION,
    model_id: "o/n",
    model_class_id: "o/n",
    kind: "chat" as const,
    outcome: "completed" as const,
    status: 200,
    streamed: false,
    units: 1,
    duration_ms: 1,
  };
  const rows = Array.from({ length: count }, () => ({ ...row, id: crypto.randomUUID(), started_at: new Date() }));
  await database.db.insertInto("requests").values(rows).execute();
}

const readCounted = async (): Promise<number | undefined> =>
  (await database.db.selectFrom("daily_requests").select("counted").executeTakeFirst())?.counted;

describe.each([
  ["a process that is alone", 0],
  ["one replica", 1],
  ["three replicas", 3],
])("the daily limit of %s", (_title, count) => {
  let nodes: Node[];
  beforeEach(async () => {
    nodes = count === 0 ? [startAlone()] : await join(count);
  });
  const at = (index: number) => (nodes[index % nodes.length] ?? startAlone()).daily;

  test("the daily limit of an organization counts requests at all replicas together", async () => {
    const allowed: boolean[] = [];
    for (let index = 0; index < 12; index++) allowed.push(await isAllowed(at(index), 10));
    expect(allowed.filter(Boolean)).toHaveLength(10);
    expect(await at(1).findRefusal(ORGANIZATION, 10)).toMatchObject({ status: 429, code: "rate_limit_exceeded" });
    expect(await at(1).findRefusal(ORGANIZATION, null)).toBeNull();
  });

  test("the daily limit of an organization counts the usage rows of the day", async () => {
    await addUsageRows(3);
    expect(await at(0).findRefusal(ORGANIZATION, 3)).toMatchObject({ status: 429 });
    expect([await isAllowed(at(0), 4), await isAllowed(at(1), 4)]).toEqual([true, false]);
  });

  test("the daily limit of an organization does not count a request that was refused later", async () => {
    const refund = await at(0).consume(ORGANIZATION, 1);
    expect(await isAllowed(at(0), 1)).toBe(false);
    refund();
    await tick(nodes);
    await tick(nodes);
    expect([await isAllowed(at(1), 1), await isAllowed(at(2), 1)]).toEqual([true, false]);
  });

  test("the daily limit of an organization applies at once when it was raised or lowered", async () => {
    for (let index = 0; index < 6; index++) expect(await isAllowed(at(0), 1_000)).toBe(true);
    expect(await at(0).findRefusal(ORGANIZATION, 7)).toBeNull();
    expect([await isAllowed(at(0), 7), await isAllowed(at(0), 7)]).toEqual([true, false]);
    expect(await at(0).findRefusal(ORGANIZATION, 7)).toMatchObject({ status: 429 });
    expect([await isAllowed(at(0), 8), await isAllowed(at(0), 8)]).toEqual([true, false]);
  });

  test("the daily limit of an organization allows exactly as many requests as the limit in a race for the last", async () => {
    let before = 0;
    for (const limit of [1, 2, 7, 40]) {
      const calls = Array.from({ length: 50 }, (_, index) => isAllowed(at(index), limit));
      let allowed = (await Promise.all(calls)).filter(Boolean).length;
      await tick(nodes);
      await tick(nodes);
      while (await isAllowed(at(0), limit)) allowed += 1;
      expect(allowed).toBe(limit - before);
      before = limit;
    }
  });
});

test("the daily limit of a process that is alone starts again on the next day", async () => {
  const { daily } = startAlone();
  expect([await isAllowed(daily, 1), await isAllowed(daily, 1)]).toEqual([true, false]);
  elapsedMs += DAY_MS;
  expect([await isAllowed(daily, 1), await isAllowed(daily, 1)]).toEqual([true, false]);
});

describe("the daily limit of several replicas", () => {
  test("the daily limit of several replicas needs fewer queries the more requests are made, and as many as requests near the limit", async () => {
    const size = (free: number, lastSize: number) => computeBlockSize({ free, lastSize, replicas: 2 });
    expect([size(10_000, 0), size(10_000, 1), size(10_000, 64), size(10_000, 100)]).toEqual([1, 2, 100, 100]);
    expect([size(80, 64), size(16, 64), size(7, 64), size(0, 64)]).toEqual([10, 2, 1, 1]);
  });

  test("the daily limit of several replicas is not exceeded by replicas that take requests ahead at the same moment", async () => {
    const nodes = await join(8);
    for (let round = 1; round <= 20; round++) {
      const limit = round * 12;
      const calls = nodes.flatMap(({ daily }) => [isAllowed(daily, limit), isAllowed(daily, limit)]);
      expect((await Promise.all(calls)).filter(Boolean)).toHaveLength(12);
      expect(await readCounted()).toBe(limit);
    }
  });

  test("the daily limit of several replicas gives back what a replica has taken ahead and does not use", async () => {
    const nodes = await join(2);
    for (let count = 0; count < 10; count++) await isAllowed(nodes[0]?.daily, 1_000);
    expect(await readCounted()).toBe(15);
    await tick(nodes);
    await tick(nodes);
    expect(await readCounted()).toBe(10);
  });

  test("the daily limit of several replicas gives everything back when the server stops", async () => {
    const [node] = await join(1);
    for (let count = 0; count < 4; count++) await isAllowed(node?.daily, 1_000);
    await node?.daily.stop();
    expect(await readCounted()).toBe(4);
  });

  test("the daily limit of several replicas is not exceeded after a crash, which costs at most a block", async () => {
    const nodes = await join(2);
    for (let count = 0; count < 10; count++) await isAllowed(nodes[0]?.daily, 40);
    await database.db.deleteFrom("replicas").execute();
    let allowed = 0;
    while (await isAllowed(nodes[1]?.daily, 40)) allowed += 1;
    expect(allowed).toBeLessThanOrEqual(30);
    expect(allowed).toBeGreaterThanOrEqual(25);
  });

  test("the daily limit of several replicas starts again on the next day, and requests taken ahead expire with their day", async () => {
    const nodes = await join(2);
    for (let count = 0; count < 4; count++) await isAllowed(nodes[0]?.daily, 100);
    const refund = await nodes[1]?.daily.consume(ORGANIZATION, 100);
    await database.db
      .updateTable("daily_requests")
      .set((eb) => ({ day: eb.fn<string>("date", [eb.val("2026-01-01")]) }))
      .execute();
    elapsedMs += DAY_MS;
    expect(await isAllowed(nodes[0]?.daily, 100)).toBe(true);
    refund?.();
    await tick(nodes);
    await tick(nodes);
    expect(await readCounted()).toBe(1);
  });

  test("the daily limit of several replicas counts the requests that a server without replicas has allowed meanwhile", async () => {
    await isAllowed((await join(1))[0]?.daily, 5);
    await addUsageRows(4);
    const [restarted] = await join(1);
    expect([await isAllowed(restarted?.daily, 5), await isAllowed(restarted?.daily, 5)]).toEqual([true, false]);
  });

  test("the daily limit of several replicas gives back what was taken under a higher limit", async () => {
    const [node] = await join(1);
    for (let count = 0; count < 8; count++) await isAllowed(node?.daily, 1_000);
    expect(await isAllowed(node?.daily, 8)).toBe(false);
    expect(await readCounted()).toBe(8);
  });

  type Step = { do: "ask" | "tick" | "crash" | "lose"; at: number };
  const step: fc.Arbitrary<Step> = fc.record({
    do: fc.constantFrom("ask", "ask", "ask", "ask", "ask", "tick", "crash", "lose"),
    at: fc.nat(2),
  });

  test.each([
    ["several replicas", () => join(3), () => join(1)],
    ["a process that is alone", async () => [startAlone()], null],
  ])(
    "the daily limit of %s is never exceeded, in any order of events",
    async (_title, start, restart) => {
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 1, max: 40 }),
          fc.array(step, { minLength: 20, maxLength: 80, size: "max" }),
          async (limit, steps) => {
            await database.db.deleteFrom("daily_requests").execute();
            const nodes = await start();
            let allowed = 0;
            for (const next of steps) {
              const at = next.at % nodes.length;
              const node = nodes[at];
              if (next.do === "tick") node?.daily.tick();
              if (next.do === "lose") node?.control.failNext("after");
              if (next.do === "crash" && restart !== null) nodes.splice(at, 1, ...(await restart()));
              if (next.do !== "ask") continue;
              await node?.daily.consume(ORGANIZATION, limit).then(
                () => {
                  allowed += 1;
                },
                () => {},
              );
              expect(allowed).toBeLessThanOrEqual(limit);
              expect((await readCounted()) ?? 0).toBeLessThanOrEqual(limit);
            }
          },
        ),
        { numRuns: 20 },
      );
    },
    60_000,
  );
});
