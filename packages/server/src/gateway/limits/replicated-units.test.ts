import { createTestClock } from "@feather/testing/clock";
import { fc } from "@feather/testing/properties";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { DatabaseConnection } from "../../platform/core/db/connect.ts";
import { createTestDatabase } from "../../testing/database.ts";
import { createReplicaNetwork, type ReplicaNetwork, type TestReplica } from "../../testing/replica-network.ts";
import { controlTable, type TableControl, waitUntilQuiet } from "../../testing/slow-table.ts";
import type { BorrowedUnits } from "./borrowed-units.ts";
import type { Priority } from "./priority.ts";
import type { Lease, UnitRequest } from "./unit-requests.ts";
import { createSharedUnits, createUnits, type Units } from "./units.ts";
import { createUnitsLender } from "./units-lender.ts";
import { createWaitQueue } from "./wait-queue.ts";

/** The number of races for the last units. `UNITS_RACE_ROUNDS=10000` takes about a quarter of an hour. */
const RACE_ROUNDS = Number(process.env.UNITS_RACE_ROUNDS ?? 30);
const MAX_ROUND_MS = 1_000;

const clock = createTestClock();
let database: DatabaseConnection;
let counter = 0;

beforeAll(async () => {
  database = await createTestDatabase(10);
});
afterAll(() => database.close());
// Only the test advances time, after the database has responded. Drivers wait by `setImmediate` and sockets.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance"] });
});
afterEach(async () => {
  vi.useRealTimers();
  await database.db.deleteFrom("replicas").execute();
});

type Node = TestReplica & { units: Units; borrowed: BorrowedUnits; control: TableControl };

async function join(network: ReplicaNetwork): Promise<Node> {
  const replica = await network.join();
  const { table, control } = controlTable(createUnitsLender(database.db));
  const shared = createSharedUnits(clock, createWaitQueue(), { replicas: replica.replicas, lender: table });
  return { ...replica, ...shared, control };
}

/** Waits until the database has responded, and delivers all messages. */
async function settle(network: ReplicaNetwork, nodes: readonly Node[]): Promise<void> {
  const controls = nodes.map(({ control }) => control);
  do {
    while (network.pending() > 0) network.deliver(0);
    await waitUntilQuiet(controls);
  } while (network.pending() > 0);
}

async function pass(network: ReplicaNetwork, nodes: readonly Node[], ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 25) {
    await settle(network, nodes);
    vi.advanceTimersByTime(Math.min(25, left));
  }
  await settle(network, nodes);
}

const ask = (more: Partial<UnitRequest> = {}): UnitRequest => ({
  id: `req_${++counter}`,
  organizationId: "org_1",
  model: "o/n",
  bytes: 100,
  cost: 1,
  limit: 4,
  priority: "interactive",
  key: null,
  ...more,
});

/** A request and its result. */
type Caller = { lease: Lease | null; error: unknown; abort: AbortController; request: UnitRequest };

function call(units: Units, more: Partial<UnitRequest> = {}, waitMs = 0): Caller {
  const caller: Caller = { lease: null, error: null, abort: new AbortController(), request: ask(more) };
  units.acquire(caller.request, waitMs, caller.abort.signal).then(
    (lease) => {
      caller.lease = lease;
    },
    (error: unknown) => {
      caller.error = error;
    },
  );
  return caller;
}

const release = (caller: Caller | undefined) => {
  caller?.lease?.[Symbol.dispose]();
  if (caller) caller.lease = null;
};

async function readBorrowed(): Promise<Map<string, number>> {
  const rows = await database.db.selectFrom("borrowed_units").select(["pool", "units"]).execute();
  const sums = new Map<string, number>();
  for (const { pool, units } of rows) sums.set(pool, (sums.get(pool) ?? 0) + units);
  return sums;
}

describe.each([
  ["a process that is alone", 0],
  ["one replica", 1],
  ["three replicas", 3],
])("units of %s", (_title, count) => {
  let network: ReplicaNetwork;
  let nodes: Node[];
  let units: Units[];
  beforeEach(async () => {
    network = createReplicaNetwork(database.db);
    nodes = [];
    for (let index = 0; index < count; index++) nodes.push(await join(network));
    const alone = createUnits(clock);
    units = [0, 1, 2].map((index) => nodes[index % Math.max(1, count)]?.units ?? alone);
  });
  const at = (index: number) => units[index] ?? createUnits(clock);
  const after = (ms: number) => pass(network, nodes, ms);

  test("units of an organization are granted up to the limit, wherever they are asked for", async () => {
    const callers = [0, 1, 2, 0, 1, 2].map((index) => call(at(index)));
    await after(100);
    expect(callers.filter(({ lease }) => lease)).toHaveLength(4);
    const refused = callers.filter(({ error }) => error);
    expect(refused).toHaveLength(2);
    for (const { error } of refused)
      expect(error).toMatchObject({
        status: 429,
        code: "concurrency_limit_exceeded",
        message: expect.stringContaining("4 of 4 are busy and o/n needs 1 (plan limit: 4)"),
        details: { limit: 4, used: 4, cost: 1, over_by: 1 },
      });
  });

  test("units of an organization are granted again as soon as they have been given back, wherever that was", async () => {
    const first = call(at(0), { cost: 4 });
    await after(100);
    release(first);
    const second = call(at(1), { cost: 4 });
    await after(100);
    expect(second.lease).not.toBeNull();
  });

  test("units of an organization go to the request that has waited longest", async () => {
    const running = call(at(0), { cost: 4 });
    await after(100);
    const large = call(at(1), { cost: 4 }, 60_000);
    await after(100);
    const small = call(at(2), { cost: 1 }, 60_000);
    const atOnce = call(at(0), { cost: 1 });
    await after(100);
    expect(atOnce.error).toMatchObject({ status: 429 });
    release(running);
    await after(1_000);
    expect([large.lease !== null, small.lease !== null]).toEqual([true, false]);
    release(large);
    await after(1_000);
    expect(small.lease).not.toBeNull();
  });

  test("units of an organization go to a large request in the end, though small ones keep coming", async () => {
    const small = [0, 1, 2, 0].map((index) => call(at(index)));
    await after(100);
    const large = call(at(1), { cost: 4 }, 60_000);
    await after(100);
    for (const running of small) {
      release(running);
      const next = [0, 1, 2].map((index) => call(at(index)));
      await after(100);
      if (running !== small.at(-1)) expect(next.map(({ lease }) => lease)).toEqual([null, null, null]);
    }
    await after(1_000);
    expect(large.lease).not.toBeNull();
  });

  test("units of an API key stay within its share, and do not block other keys", async () => {
    const key = { id: "key_1", limit: 1 };
    const first = call(at(0), { key });
    await after(100);
    const second = call(at(1), { key });
    const waiting = call(at(2), { key }, 60_000);
    const other = call(at(1), { key: { id: "key_2", limit: 1 } });
    await after(200);
    expect(second.error).toMatchObject({ message: expect.stringContaining("limit of this API key: 1") });
    expect([waiting.lease, other.lease !== null]).toEqual([null, true]);
    release(first);
    await after(600);
    expect(waiting.lease).not.toBeNull();
  });

  test("units of an organization are unlimited on a plan without a limit", async () => {
    const callers = Array.from({ length: 30 }, (_, index) => call(at(index % 3), { limit: null, cost: 4 }));
    await after(50);
    expect(callers.every(({ lease }) => lease)).toBe(true);
    expect((await readBorrowed()).size).toBe(0);
  });

  test("units of an organization are refused to a preflight exactly when a call would be refused", async () => {
    const running = call(at(0), { cost: 4 });
    await after(100);
    expect(await at(1).refusalOf(ask())).toMatchObject({ status: 429, details: { used: 4, limit: 4 } });
    release(running);
    for (const { borrowed } of nodes) for (let ticks = 0; ticks < 6; ticks++) borrowed.tick();
    await after(50);
    expect(await at(1).refusalOf(ask())).toBeNull();
  });

  test("units of an organization are granted to exactly as many callers as the limit allows, in a race for the last", async () => {
    for (const limit of [1, 2, 3, 7, 1, 5]) {
      const organizationId = `org_race_${++counter}`;
      const callers = Array.from({ length: 50 }, (_, index) => call(at(index % 3), { organizationId, limit }));
      await after(200);
      expect(callers.filter(({ lease }) => lease)).toHaveLength(limit);
      expect(callers.filter(({ error }) => error)).toHaveLength(50 - limit);
      for (const caller of callers) release(caller);
    }
  });
});

describe("units of several replicas", () => {
  let network: ReplicaNetwork;
  let first: Node;
  let second: Node;
  beforeEach(async () => {
    network = createReplicaNetwork(database.db);
    first = await join(network);
    second = await join(network);
  });
  const after = (ms: number) => pass(network, [first, second], ms);
  /** Lets the first replica borrow its share without using it. */
  const borrowSome = async () => {
    const caller = call(first.units);
    await after(50);
    release(caller);
  };

  test("units of several replicas go to people first, and to a batch of another replica that has waited longer after that", async () => {
    const running = [call(first.units, { cost: 2 }), call(second.units, { cost: 2 })];
    await after(50);
    const batch = call(second.units, { cost: 4, priority: "batch" }, 60_000);
    await after(100);
    const people = [call(first.units, { cost: 3 }, 60_000), call(first.units, { cost: 4 }, 60_000)];
    await after(100);
    const order: string[] = [];
    for (const caller of running) release(caller);
    for (let round = 0; round < 3; round++) {
      await after(1_000);
      const granted = [batch, ...people].filter(({ lease }) => lease);
      order.push(granted.map((caller) => (caller === batch ? "batch" : "person")).join());
      for (const caller of granted) release(caller);
    }
    expect(order).toEqual(["person", "person", "batch"]);
  });

  test("units of several replicas need no query while enough is borrowed", async () => {
    await borrowSome();
    first.control.failNext("before");
    const callers = [call(first.units), call(first.units)];
    await new Promise((resolve) => setImmediate(resolve));
    expect(callers.every(({ lease }) => lease)).toBe(true);
  });

  test("units of several replicas are granted to exactly as many of 50 callers of four replicas as the limit allows, round after round", {
    timeout: 20_000 + RACE_ROUNDS * MAX_ROUND_MS,
  }, async () => {
    const nodes = [first, second, await join(network), await join(network)];
    for (let round = 0; round < RACE_ROUNDS; round++) {
      const limit = 1 + (round % 6);
      const organizationId = `org_round_${round % 3}`;
      const callers = Array.from({ length: 50 }, (_, index) =>
        call(nodes[(index + round) % 4]?.units ?? first.units, { organizationId, limit }),
      );
      await pass(network, nodes, 200);
      expect(callers.filter(({ lease }) => lease)).toHaveLength(limit);
      expect(callers.filter(({ error }) => error)).toHaveLength(50 - limit);
      for (const caller of callers) release(caller);
    }
  });

  test("units of several replicas are not held in parts by two requests that block each other", async () => {
    const small = [call(first.units, { cost: 2 }), call(second.units, { cost: 2 })];
    await after(100);
    const large = [call(first.units, { cost: 4 }, 60_000), call(second.units, { cost: 4 }, 60_000)];
    await after(100);
    for (const caller of small) release(caller);
    await after(1_500);
    expect(large.filter(({ lease }) => lease)).toHaveLength(1);
    for (const caller of large) release(caller);
    await after(1_500);
    expect(large.filter(({ lease }) => lease)).toHaveLength(1);
  });

  test("units of several replicas are given back when they were borrowed in vain", async () => {
    const running = call(second.units);
    await after(100);
    const refused = call(first.units, { cost: 4 });
    await after(100);
    expect(refused.error).toMatchObject({ status: 429 });
    expect((await readBorrowed()).get("organization:org_1")).toBe(1);
    release(running);
  });

  test("units of several replicas are found although messages are lost, by those who wait", async () => {
    const running = call(second.units, { cost: 4 });
    await after(100);
    const waiting = call(first.units, { cost: 4 }, 60_000);
    await after(100);
    release(running);
    for (let round = 0; round < 4 && network.pending() > 0; round++) {
      while (network.pending() > 0) network.lose(0);
      await waitUntilQuiet([first.control, second.control]);
    }
    await after(1_100);
    expect(waiting.lease).not.toBeNull();
  });

  test("units of several replicas are given back when they have been idle for ten seconds", async () => {
    await borrowSome();
    expect((await readBorrowed()).get("organization:org_1")).toBe(2);
    for (let ticks = 0; ticks < 5; ticks++) first.borrowed.tick();
    await after(50);
    expect((await readBorrowed()).size).toBe(0);
  });

  test("units of several replicas are borrowed again for a request whose key's units were idle while it waited for the plan's", async () => {
    const running = call(first.units, { cost: 4 });
    await after(50);
    const waiting = call(first.units, { key: { id: "key_8", limit: 1 } }, 60_000);
    await after(50);
    for (let ticks = 0; ticks < 8; ticks++) {
      first.borrowed.tick();
      await after(25);
    }
    expect((await readBorrowed()).get("key:key_8")).toBeUndefined();
    release(running);
    await after(1_000);
    expect(waiting.lease).not.toBeNull();
    expect((await readBorrowed()).get("key:key_8")).toBe(1);
    release(waiting);
    for (let ticks = 0; ticks < 8; ticks++) {
      first.borrowed.tick();
      await after(25);
    }
    expect((await readBorrowed()).size).toBe(0);
  });

  test("units of several replicas are given back when the server stops", async () => {
    call(first.units, { limit: null, key: { id: "key_9", limit: 3 } });
    call(first.units);
    await after(100);
    await first.borrowed.stop();
    expect((await readBorrowed()).size).toBe(0);
  });

  test("units of several replicas are free again when the row of a dead replica is gone", async () => {
    const running = call(first.units, { cost: 4 });
    await after(100);
    expect(running.lease).not.toBeNull();
    await first.crash();
    const next = call(second.units, { cost: 4 });
    await after(100);
    expect(next.lease).not.toBeNull();
  });

  test("units of several replicas are not granted while the lease does not hold", async () => {
    await borrowSome();
    first.lapse();
    const refused = [call(first.units), call(first.units, {}, 60_000)];
    await after(50);
    for (const { error } of refused) expect(error).toMatchObject({ status: 503, code: "storage_unavailable" });
    expect(await first.units.refusalOf(ask())).toMatchObject({ status: 503 });
  });

  test("units of calls that continue after a lapse have to be borrowed before new calls get any", async () => {
    const running = call(first.units, { cost: 3 });
    await after(100);
    first.lapse();
    await first.rejoin();
    await first.expire();
    const elsewhere = call(second.units, { cost: 2 });
    await after(100);
    expect(elsewhere.lease).not.toBeNull();
    const refused = call(first.units);
    await after(100);
    expect(refused.error).toMatchObject({ status: 429 });
    release(elsewhere);
    const granted = call(first.units);
    await after(100);
    expect([running.lease !== null, granted.lease !== null]).toEqual([true, true]);
    expect((await readBorrowed()).get("organization:org_1")).toBe(4);
  });

  test("units of several replicas that were borrowed under a former id are not used", async () => {
    first.control.hold();
    const ended = call(first.units);
    await after(50);
    first.lapse();
    await first.rejoin();
    await first.expire();
    const elsewhere = call(second.units, { cost: 4 });
    await after(50);
    expect([ended.error, elsewhere.lease]).toEqual([expect.objectContaining({ status: 503 }), expect.anything()]);
    first.control.release();
    await after(50);
    const refused = call(first.units);
    await after(100);
    expect(refused.error).toMatchObject({ status: 429 });
  });

  test("units of several replicas that were not in use when the lease lapsed are borrowed again", async () => {
    await borrowSome();
    first.lapse();
    await first.rejoin();
    await first.expire();
    const elsewhere = call(second.units, { cost: 4 });
    await after(50);
    const refused = call(first.units);
    await after(100);
    expect([elsewhere.lease, refused.error]).toEqual([expect.anything(), expect.objectContaining({ status: 429 })]);
  });

  test("units of several replicas are not passed on to waiting requests when the lease has just ended", async () => {
    const running = call(first.units, { cost: 4 });
    await after(50);
    const waiting = call(first.units, {}, 60_000);
    await after(50);
    first.stall();
    release(running);
    expect(first.units.totalInUse()).toBe(0);
    first.lapse();
    await first.rejoin();
    await first.expire();
    await after(600);
    expect(waiting.lease).not.toBeNull();
  });

  test("units of several replicas are not granted beyond a limit that was lowered", async () => {
    const running = [call(first.units, { limit: 8, cost: 4 }), call(second.units, { limit: 8, cost: 1 })];
    await after(100);
    const refused = call(second.units, { limit: 4 });
    await after(100);
    expect(refused.error).toMatchObject({ status: 429, details: { limit: 4, used: 5 } });
    release(running[0]);
    const granted = call(second.units, { limit: 4 });
    await after(100);
    expect(granted.lease).not.toBeNull();
  });

  test("units of several replicas cannot be asked for when the database fails, which ends requests that do not wait", async () => {
    first.control.failNext("before");
    const refused = call(first.units);
    const waiting = call(second.units, {}, 60_000);
    second.control.failNext("after");
    await after(50);
    expect(refused.error).toBeInstanceOf(Error);
    await after(600);
    expect(waiting.lease).not.toBeNull();
  });
});

type Step =
  | { do: "ask"; at: number; pool: number; cost: number; priority: Priority; wait: number }
  | { do: "release" | "abort"; which: number }
  | { do: "deliver" | "lose"; which: number }
  | { do: "pass"; ms: number }
  | {
      do: "tick" | "stall" | "lapse" | "rejoin" | "expire" | "crash" | "hold" | "unhold" | "fail" | "failLate";
      at: number;
    };
const NODES = 3;
const LIMITS: Record<string, number> = { "organization:a": 3, "organization:b": 5, "key:k": 2 };
const POOLS: Partial<UnitRequest>[] = [
  { organizationId: "a", limit: 3 },
  { organizationId: "b", limit: 5 },
  { organizationId: "b", limit: 5, key: { id: "k", limit: 2 } },
];
const index = fc.nat(30);
const on = fc.nat(NODES - 1);
const ofNode = <T extends string>(name: T) => fc.record({ do: fc.constant(name), at: on });
const ofCaller = <T extends string>(name: T) => fc.record({ do: fc.constant(name), which: index });
const request = fc.record({
  do: fc.constant("ask" as const),
  at: on,
  pool: fc.nat(POOLS.length - 1),
  cost: fc.integer({ min: 1, max: 2 }),
  priority: fc.constantFrom("interactive" as const, "batch" as const),
  wait: fc.constantFrom(0, 0, 200, 2_000),
});
const passed = fc.record({ do: fc.constant("pass" as const), ms: fc.constantFrom(10, 25, 60, 600) });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 20, arbitrary: request },
  { weight: 12, arbitrary: ofCaller("release") },
  { weight: 1, arbitrary: ofCaller("abort") },
  { weight: 12, arbitrary: ofCaller("deliver") },
  { weight: 1, arbitrary: ofCaller("lose") },
  { weight: 6, arbitrary: passed },
  { weight: 3, arbitrary: ofNode("tick") },
  { weight: 1, arbitrary: ofNode("stall") },
  { weight: 2, arbitrary: ofNode("lapse") },
  { weight: 5, arbitrary: ofNode("rejoin") },
  { weight: 3, arbitrary: ofNode("expire") },
  { weight: 1, arbitrary: ofNode("crash") },
  { weight: 1, arbitrary: ofNode("hold") },
  { weight: 3, arbitrary: ofNode("unhold") },
  { weight: 1, arbitrary: ofNode("fail") },
  { weight: 1, arbitrary: ofNode("failLate") },
);

/** A caller of the property test: its replica, and the replica's id when it granted the units. */
type Tracked = Caller & { node: Node; grantedAs: string | null };

test("units are never granted twice, never lost, and waits end, in any order of events", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 40, maxLength: 80, size: "max" }), async (steps) => {
      await database.db.deleteFrom("replicas").execute();
      const network = createReplicaNetwork(database.db);
      const nodes: Node[] = [];
      for (let count = 0; count < NODES; count++) nodes.push(await join(network));
      const callers: Tracked[] = [];
      const quiet = () => waitUntilQuiet(nodes.map(({ control }) => control));
      for (const next of steps) {
        await run(next, { network, nodes, callers });
        await quiet();
        await expectLimits(nodes, callers);
      }
      for (const { control } of nodes) control.release();
      for (const node of nodes) await regain(node);
      for (const node of nodes) await node.expire();
      await pass(network, nodes, 3_000);
      await expectLimits(nodes, callers);
      const live = callers.filter(({ node }) => nodes.includes(node));
      for (const { grantedAs, error } of live)
        expect(grantedAs !== null || error !== null, "every wait has ended").toBe(true);
      for (const caller of live) release(caller);
      for (let ticks = 0; ticks < 8; ticks++) {
        for (const { borrowed } of nodes) borrowed.tick();
        await settle(network, nodes);
      }
      expect(nodes.map(({ units }) => units.totalInUse())).toEqual([0, 0, 0]);
      expect(await readBorrowed(), "everything has been given back").toEqual(new Map());
    }),
    { numRuns: 80 },
  );
}, 120_000);

type World = { network: ReplicaNetwork; nodes: Node[]; callers: Tracked[] };

async function run(next: Step, { network, nodes, callers }: World): Promise<void> {
  if (next.do === "pass") return void vi.advanceTimersByTime(next.ms);
  if ("which" in next) {
    const caller = callers[next.which % Math.max(1, callers.length)];
    if (next.do === "release") release(caller);
    else if (next.do === "abort") caller?.abort.abort(new Error("gone"));
    else if (network.pending() > 0) network[next.do](next.which % network.pending());
    return;
  }
  const node = nodes[next.at];
  if (node === undefined) return;
  if (next.do === "ask")
    callers.push(track(node, { ...POOLS[next.pool], cost: next.cost, priority: next.priority }, next.wait));
  if (next.do === "tick") node.borrowed.tick();
  if (next.do === "lapse") node.lapse();
  if (next.do === "stall") node.stall();
  if (next.do === "rejoin") await regain(node);
  if (next.do === "expire") await node.expire();
  if (next.do === "hold") node.control.hold();
  if (next.do === "unhold") node.control.release();
  if (next.do === "fail") node.control.failNext("before");
  if (next.do === "failLate") node.control.failNext("after");
  if (next.do !== "crash") return;
  await node.crash();
  nodes[next.at] = await join(network);
}

async function regain(node: Node): Promise<void> {
  if (node.replicas.holdsLease()) return;
  node.lapse();
  await node.rejoin();
}

function track(node: Node, request: Partial<UnitRequest>, waitMs: number): Tracked {
  const caller: Tracked = {
    lease: null,
    error: null,
    abort: new AbortController(),
    request: ask(request),
    node,
    grantedAs: null,
  };
  node.units.acquire(caller.request, waitMs, caller.abort.signal).then(
    (lease) => Object.assign(caller, { lease, grantedAs: node.replicas.id() }),
    (error: unknown) => Object.assign(caller, { error }),
  );
  return caller;
}

/** Checks that no pool is lent beyond its limit, and that no replica has granted more than it has borrowed. */
async function expectLimits(nodes: readonly Node[], callers: readonly Tracked[]): Promise<void> {
  for (const [pool, units] of await readBorrowed()) expect(units, pool).toBeLessThanOrEqual(LIMITS[pool] ?? 0);
  const rows = await database.db.selectFrom("borrowed_units").selectAll().execute();
  const lent = new Map(rows.map(({ pool, replica_id, units }) => [`${pool} to ${replica_id}`, units]));
  const used = new Map<string, number>();
  for (const { lease, node, grantedAs, request } of callers) {
    if (lease === null || !nodes.includes(node) || !node.replicas.holdsLease()) continue;
    if (grantedAs !== node.replicas.id()) continue; // began under a lease that has ended
    const pools = [`organization:${request.organizationId}`, ...(request.key ? [`key:${request.key.id}`] : [])];
    for (const pool of pools) {
      const loan = `${pool} to ${grantedAs}`;
      used.set(loan, (used.get(loan) ?? 0) + request.cost);
    }
  }
  for (const [loan, units] of used) expect(units, loan).toBeLessThanOrEqual(lent.get(loan) ?? 0);
}
