import { fc } from "@feather/testing/properties";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { DatabaseConnection } from "../../platform/core/db/connect.ts";
import { createTestDatabase } from "../../testing/database.ts";
import { createReplicaNetwork } from "../../testing/replica-network.ts";
import { controlTable, type TableControl, waitUntilQuiet } from "../../testing/slow-table.ts";
import type { BorrowedLimit } from "./counter.ts";
import { createModelSwitchTable } from "./model-switch-table.ts";
import { createModelSwitches, type ModelSwitches, type RefundSwitch } from "./model-switches.ts";
import { createSharedModelSwitches } from "./shared-model-switches.ts";

const ORGANIZATION = "org_switches";
let database: DatabaseConnection;
/** The time that has passed on the monotonic clock of each replica, in milliseconds. The database's clock runs as usual. */
let elapsedMs = 0;

beforeAll(async () => {
  database = await createTestDatabase(10);
  await database.db.insertInto("organizations").values({ id: ORGANIZATION, name: "Switches" }).execute();
});
beforeEach(() => {
  elapsedMs = 0;
});
afterEach(async () => {
  await database.db.deleteFrom("model_switches").execute();
  await database.db.deleteFrom("replicas").execute();
});
afterAll(() => database.close());

type Node = { switches: ModelSwitches & BorrowedLimit; control: TableControl };

async function join(count: number): Promise<Node[]> {
  const network = createReplicaNetwork(database.db);
  const nodes: Node[] = [];
  for (let index = 0; index < count; index++) {
    const { replicas } = await network.join();
    const { table, control } = controlTable(createModelSwitchTable(database.db));
    nodes.push({ switches: createSharedModelSwitches(replicas, table, () => elapsedMs), control });
  }
  return nodes;
}

/** Advances the clocks of the replicas, and moves the rows of the database into the past by the same time. */
async function pass(nodes: readonly Node[], ms: number): Promise<void> {
  await waitUntilQuiet(nodes.map(({ control }) => control));
  elapsedMs += ms;
  const rows = await database.db.selectFrom("model_switches").selectAll().execute();
  for (const { organization_id, model, replica_id, free_at } of rows)
    await database.db
      .updateTable("model_switches")
      .set({ free_at: new Date(free_at.getTime() - ms) })
      .where((eb) => eb.and({ organization_id, model, replica_id }))
      .execute();
}

async function tick(nodes: readonly Node[]): Promise<void> {
  for (const { switches } of nodes) switches.tick();
  await waitUntilQuiet(nodes.map(({ control }) => control));
}

/** Returns whether a model may be called now. If so, the call is recorded. */
async function isAllowed(switches: ModelSwitches | undefined, model: string, limit = 2): Promise<boolean> {
  try {
    await switches?.consume(ORGANIZATION, model, limit);
    return true;
  } catch (error) {
    expect(error).toMatchObject({ status: 429, code: "model_switch_limit", details: { limit } });
    return false;
  }
}

/** Starts a server that works on the database alone. */
const startAlone = () => createModelSwitches({ now: () => new Date(1_800_000_000_000 + elapsedMs) });

describe.each([
  ["a process that is alone", 0],
  ["one replica", 1],
  ["three replicas", 3],
])("model switches of %s", (_title, count) => {
  let nodes: Node[];
  let alone: ModelSwitches;
  beforeEach(async () => {
    nodes = await join(count);
    alone = startAlone();
  });
  const at = (index: number) => nodes[index % Math.max(1, count)]?.switches ?? alone;

  test("model switches of all replicas together are limited to a number of models per minute", async () => {
    expect(await isAllowed(at(0), "a")).toBe(true);
    expect(await isAllowed(at(1), "b")).toBe(true);
    expect(await isAllowed(at(2), "c")).toBe(false);
    expect(await at(0).findRefusal(ORGANIZATION, "c", 2)).toMatchObject({ status: 429 });
    expect(await isAllowed(at(2), "a")).toBe(true);
    expect(await at(1).findRefusal(ORGANIZATION, "a", 2)).toBeNull();
  });

  test("model switches allow another model a minute after the last call to one of them, and not before", async () => {
    await isAllowed(at(0), "a");
    await isAllowed(at(1), "b");
    await pass(nodes, 30_000);
    await tick(nodes);
    await isAllowed(at(1), "b");
    await pass(nodes, 10_000);
    await tick(nodes);
    expect(await isAllowed(at(2), "c")).toBe(false);
    await pass(nodes, 40_000);
    expect([await isAllowed(at(2), "c"), await isAllowed(at(0), "d")]).toEqual([true, false]);
  });

  test("model switches do not count a call that was refused later", async () => {
    const refund = await at(0).consume(ORGANIZATION, "a", 1);
    refund();
    await waitUntilQuiet(nodes.map(({ control }) => control));
    expect(await isAllowed(at(1), "b", 1)).toBe(true);
  });

  test("model switches count a model from its previous call when the last one was refused", async () => {
    await isAllowed(at(0), "a", 1);
    await pass(nodes, 20_000);
    await tick(nodes);
    const refund = await at(0).consume(ORGANIZATION, "a", 1);
    refund();
    await pass(nodes, 20_000);
    expect(await isAllowed(at(1), "b", 1)).toBe(false);
    await pass(nodes, 40_000);
    expect(await isAllowed(at(1), "b", 1)).toBe(true);
  });

  test("model switches are without a limit on plans without one", async () => {
    for (const model of ["a", "b", "c"]) at(0).consume(ORGANIZATION, model, null);
    expect(await database.db.selectFrom("model_switches").selectAll().execute()).toEqual([]);
  });

  test("model switches allow exactly as many models as the limit in a race for the last", async () => {
    for (let round = 0; round < 5; round++) {
      const calls = Array.from({ length: 50 }, (_, index) => isAllowed(at(index), `m${round}-${index}`, 3));
      expect((await Promise.all(calls)).filter(Boolean)).toHaveLength(3);
      await pass(nodes, 75_000);
      await tick(nodes);
    }
  });
});

describe("model switches of several replicas", () => {
  test("model switches of several replicas need no query for a model that is called again, and renew in the background", async () => {
    const nodes = await join(1);
    const [node] = nodes;
    await isAllowed(node?.switches, "a");
    for (let seconds = 0; seconds < 90; seconds += 3) {
      await pass(nodes, 3_000);
      expect(node?.switches.consume(ORGANIZATION, "a", 2)).toBeInstanceOf(Function);
      await tick(nodes);
    }
  });

  test("model switches of several replicas are counted ahead in the table for as long as a replica does not ask again", async () => {
    const [node] = await join(1);
    const { rows } = await sql<{ before: Date }>`select clock_timestamp() as before`.execute(database.db);
    await isAllowed(node?.switches, "a");
    const row = await database.db.selectFrom("model_switches").select("free_at").executeTakeFirstOrThrow();
    elapsedMs += 9_999;
    expect(node?.switches.consume(ORGANIZATION, "a", 2)).toBeInstanceOf(Function);
    expect(row.free_at.getTime()).toBeGreaterThanOrEqual((rows[0]?.before.getTime() ?? 0) + 70_000);
  });

  test("model switches of several replicas are asked for again once the table knows when the last call was", async () => {
    const nodes = await join(2);
    await isAllowed(nodes[0]?.switches, "a", 1);
    await pass(nodes, 6_000);
    await tick(nodes);
    await pass(nodes, 3_000);
    const called = nodes[0]?.switches.consume(ORGANIZATION, "a", 1);
    expect(called).toBeInstanceOf(Promise);
    await called;
    await pass(nodes, 55_000);
    expect(await isAllowed(nodes[1]?.switches, "b", 1)).toBe(false);
  });

  test("model switches of several replicas count a model while any replica has called it within a minute", async () => {
    const nodes = await join(2);
    const [first, second] = nodes;
    await isAllowed(first?.switches, "a", 1);
    await pass(nodes, 30_000);
    await tick(nodes);
    await isAllowed(second?.switches, "a", 1);
    await pass(nodes, 40_000);
    await tick(nodes);
    expect(await isAllowed(first?.switches, "b", 1)).toBe(false);
    await pass(nodes, 40_000);
    expect(await isAllowed(first?.switches, "b", 1)).toBe(true);
  });

  test("model switches of several replicas count the calls of a replica that was killed, at most ten seconds too long", async () => {
    const nodes = await join(2);
    await isAllowed(nodes[0]?.switches, "a", 1);
    await database.db.deleteFrom("replicas").execute();
    await pass(nodes, 40_000);
    expect(await isAllowed(nodes[1]?.switches, "b", 1)).toBe(false);
    await pass(nodes, 50_000);
    expect(await isAllowed(nodes[1]?.switches, "b", 1)).toBe(true);
  });

  test("model switches of several replicas write the time of the last call again when that failed, and when the server stops", async () => {
    const nodes = await join(2);
    const [first, second] = nodes;
    await isAllowed(first?.switches, "a", 1);
    await pass(nodes, 6_000);
    first?.control.failNext("before");
    await tick(nodes);
    await tick(nodes);
    await pass(nodes, 60_000);
    expect(await isAllowed(second?.switches, "b", 1)).toBe(true);
    await second?.switches.stop();
    await pass(nodes, 66_000);
    expect(await isAllowed(first?.switches, "c", 1)).toBe(true);
  });

  test("model switches of several replicas ask again for a model when the answer of the database was lost", async () => {
    const nodes = await join(1);
    const [node] = nodes;
    node?.control.failNext("after");
    await expect(node?.switches.consume(ORGANIZATION, "a", 1)).rejects.toThrow("Connection terminated");
    await tick(nodes);
    expect(await isAllowed(node?.switches, "b", 1)).toBe(true);
  });
});

type Step =
  | { do: "call" | "refuse"; at: number; model: number }
  | { do: "pass"; ms: number }
  | { do: "tick"; at: number }
  | { do: "lose"; at: number }
  | { do: "crash"; at: number };
const at = fc.nat(2);
const on = <T extends string>(name: T) => fc.record({ do: fc.constant(name), at });
const calls = fc.record({ do: fc.constantFrom("call" as const, "refuse" as const), at, model: fc.nat(4) });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 15, arbitrary: calls },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant("pass" as const), ms: fc.constantFrom(1_000, 4_000, 9_000, 31_000) }),
  },
  { weight: 6, arbitrary: on("tick") },
  { weight: 1, arbitrary: on("lose") },
  { weight: 1, arbitrary: on("crash") },
);

test.each([
  ["several replicas", 3],
  ["a process that is alone", 0],
])(
  "model switches of %s never exceed the limit, and are all free again in the end, in any order of events",
  async (_title, count) => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 3 }),
        fc.array(step, { minLength: 20, maxLength: 50, size: "max" }),
        async (limit, steps) => {
          await database.db.deleteFrom("model_switches").execute();
          const nodes = await join(count);
          const alone = startAlone();
          const switchesAt = (index: number) => nodes[index]?.switches ?? alone;
          // The database's clock runs beside the time that the test lets pass.
          const now = () => elapsedMs + performance.now();
          const calledAt = new Map<string, number>();
          for (const next of steps) {
            if (next.do === "pass") await pass(nodes, next.ms);
            else if (next.do === "tick") await tick(nodes.slice(next.at, next.at + 1));
            else if (next.do === "lose") nodes[next.at]?.control.failNext("after");
            else if (next.do === "crash") nodes.splice(next.at, 1, ...(await join(Math.min(1, count))));
            else {
              const model = `model-${next.model}`;
              const refund = await takeOrNull(switchesAt(next.at), model, limit);
              if (next.do === "refuse") refund?.();
              else if (refund !== null) calledAt.set(model, now());
            }
            const recent = [...calledAt.values()].filter((time) => now() - time < 60_000);
            expect(recent.length).toBeLessThanOrEqual(limit);
          }
          await pass(nodes, 75_000);
          // Each replica queries the table once, so that an answer that is to be lost is lost now.
          for (const { switches } of nodes)
            await switches.findRefusal(ORGANIZATION, "unknown", limit).catch(() => null);
          const allowed = [1, 2, 3, 4].map((model) => takeOrNull(switchesAt(model % 3), `new-${model}`, limit));
          expect((await Promise.all(allowed)).filter((refund) => refund !== null)).toHaveLength(limit);
        },
      ),
      { numRuns: 30 },
    );
  },
  60_000,
);

async function takeOrNull(switches: ModelSwitches, model: string, limit: number): Promise<RefundSwitch | null> {
  try {
    return await switches.consume(ORGANIZATION, model, limit);
  } catch {
    return null;
  }
}
