import { waitFor } from "@feather/testing/wait-for";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { createTestDatabase } from "../../../testing/database.ts";
import type { DatabaseConnection, SocketConnection } from "../db/connect.ts";
import { acquireServerLock } from "../db/server-lock.ts";
import { randomIds } from "../ids.ts";
import { joinReplicas, type Membership } from "./membership.ts";

const SILENT = { info() {}, warn() {} };

let database: DatabaseConnection;
let target: SocketConnection;
let members: Membership[];
let lost: Error[];
/** The time of the monotonic clock of every member, in milliseconds. */
let milliseconds: number;
beforeEach(async () => {
  database = await createTestDatabase();
  const { rows } = await database.pool.query<{ name: string }>("select current_database() as name");
  target = { ...inject("postgres"), database: rows[0]?.name ?? "" };
  [members, lost, milliseconds] = [[], [], 0];
});
afterEach(async () => {
  await Promise.all(members.map((member) => member.leave()));
  await database.close();
});

async function join({ canLead = true, isOnlyMachine = false, port = 4001 + members.length } = {}): Promise<Membership> {
  const now = () => milliseconds;
  const member = await joinReplicas({
    target,
    address: `http://127.0.0.1:${port}`,
    canLead,
    ids: randomIds,
    log: SILENT,
    now,
    isOnlyMachine,
    prepare: async () => {},
    onLost: (error) => lost.push(error),
  });
  members.push(member);
  return member;
}

/** Advances the clock by the given seconds. The given members renew their leases every two seconds. */
async function pass(seconds: number, renewing: readonly Membership[]): Promise<void> {
  for (let second = 0; second < seconds; second += 2) {
    milliseconds += 2_000;
    for (const member of renewing) await member.renew();
  }
}

const countRows = async (table: "replicas" | "borrowed_units") =>
  (
    await database.db
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow()
  ).count;

test("the first replica leads, and the others know it and its address", async () => {
  const [first, second] = [await join(), await join()];
  await waitFor(() => expect(first.replicas.others()).toHaveLength(1));
  expect([first.replicas.isLeader(), second.replicas.isLeader()]).toEqual([true, false]);
  expect(second.replicas.leader()).toEqual({ id: first.replicas.id(), address: "http://127.0.0.1:4001" });
  expect(first.replicas.leader()).toBeNull();
});

test("another replica that can lead takes over at once when the leader leaves", async () => {
  const first = await join();
  const worker = await join({ canLead: false });
  const third = await join();
  let led = 0;
  third.replicas.onLeading(() => {
    led += 1;
  });
  await first.leave();
  await waitFor(() => expect(third.replicas.isLeader()).toBe(true));
  await waitFor(() => expect(worker.replicas.leader()?.id).toBe(third.replicas.id()));
  expect(led).toBe(1);
});

test("a leader that resigns stays a replica and does not lead again", async () => {
  const [first, second] = [await join(), await join()];
  await first.resign();
  await waitFor(() => expect(second.replicas.isLeader()).toBe(true));
  await second.leave();
  await first.renew();
  expect(first.replicas.isLeader()).toBe(false);
  expect(first.replicas.holdsLease()).toBe(true);
});

test("a replica that stops renewing loses its lease before others take over what it has borrowed", async () => {
  const [first, second] = [await join(), await join()];
  await database.db
    .insertInto("borrowed_units")
    .values({ pool: "organization:org_a", replica_id: second.replicas.id(), units: 3 })
    .execute();
  await first.renew();
  await pass(8, [first]);
  expect(second.replicas.holdsLease()).toBe(false);
  expect(await countRows("borrowed_units")).toBe(1);
  await pass(2, [first]);
  expect(await countRows("borrowed_units")).toBe(0);
});

test("a replica whose lease has lapsed notifies its listeners and joins again under another id", async () => {
  const [first, second] = [await join(), await join()];
  const [before, said] = [second.replicas.id(), [] as boolean[]];
  second.replicas.onLapsed(() => said.push(second.replicas.holdsLease()));
  await database.db.deleteFrom("replicas").where("id", "=", before).execute();
  await second.renew();
  expect(second.replicas.id()).not.toBe(before);
  expect(second.replicas.holdsLease()).toBe(true);
  expect(said).toEqual([false]);
  await first.renew();
  expect(first.replicas.others().map(({ id }) => id)).toEqual([second.replicas.id()]);
});

test("a replica whose row was deleted while its connection was cut joins again under another id", async () => {
  const [first, second] = [await join(), await join()];
  const before = second.replicas.id();
  await database.db.deleteFrom("replicas").where("id", "=", before).execute();
  await database.pool.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name like 'feather-server%'",
  );
  await waitFor(async () => {
    await second.renew();
    expect(second.replicas.id()).not.toBe(before);
  });
  await first.renew();
  expect(await countRows("replicas")).toBe(2);
});

test("a leader whose lease has lapsed stops leading", async () => {
  const first = await join();
  await join();
  await database.db.deleteFrom("replicas").where("id", "=", first.replicas.id()).execute();
  await first.renew();
  expect(lost).toHaveLength(1);
  expect(first.replicas.holdsLease()).toBe(false);
});

test("a killed server that starts again at its address leads at once", async () => {
  await database.db
    .insertInto("replicas")
    .values({ id: "rep_killed", address: "http://127.0.0.1:4001", can_lead: true })
    .execute();
  await database.db.insertInto("replica_leader").values({ replica_id: "rep_killed" }).execute();
  const other = await join({ port: 4002 });
  expect(other.replicas.isLeader()).toBe(false);
  const restarted = await join({ port: 4001 });
  await waitFor(() => expect(restarted.replicas.isLeader() || other.replicas.isLeader()).toBe(true));
});

test("the only server of a database removes the rows of workers of its last start, but not of running ones", async () => {
  await database.db
    .insertInto("replicas")
    .values({ id: "rep_killed", address: "http://127.0.0.1:9", can_lead: true })
    .execute();
  await database.db.insertInto("replica_leader").values({ replica_id: "rep_killed" }).execute();
  const first = await join({ isOnlyMachine: true });
  expect(first.replicas.isLeader()).toBe(true);
  const second = await join({ isOnlyMachine: true });
  expect([await countRows("replicas"), second.replicas.isLeader()]).toEqual([2, false]);
});

test("no replica counts as dead after the database did not respond for a minute", async () => {
  const [first, second] = [await join(), await join()];
  await pass(4, [first, second]);
  milliseconds += 60_000; // no lease could be renewed
  await first.renew();
  await pass(8, [first]);
  await second.renew();
  expect(second.replicas.holdsLease()).toBe(true);
  expect(lost).toEqual([]);
});

test("messages reach the other replicas, even after their connection was cut", async () => {
  const [first, second] = [await join(), await join()];
  const [received, own] = [[] as unknown[], [] as unknown[]];
  let reconnected = 0;
  second.replicas.bus.subscribe("units-wanted", (message, from) => received.push([message, from]));
  first.replicas.bus.subscribe("units-wanted", (message) => own.push(message));
  second.replicas.bus.onReconnected(() => {
    reconnected += 1;
  });
  first.replicas.bus.publish("units-wanted", { pool: "key:a" });
  await waitFor(() => expect(received).toEqual([[{ pool: "key:a" }, first.replicas.id()]]));
  await database.pool.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name like 'feather-server%'",
  );
  await waitFor(() => expect([reconnected, first.replicas.bus.isConnected()]).toEqual([1, true]));
  first.replicas.bus.publish("units-wanted", { pool: "key:b" });
  await waitFor(() => expect(received.at(-1)).toEqual([{ pool: "key:b" }, first.replicas.id()]));
  expect(own).toEqual([]);
  expect(await countRows("replicas")).toBe(2);
});

test("a change that the database announces reaches every replica", async () => {
  const [first, second] = [await join(), await join()];
  const tables: unknown[] = [];
  for (const { replicas } of [first, second]) replicas.bus.subscribe("changed", (message) => tables.push(message));
  await database.pool.query("select pg_notify('feather_changes', 'plans')");
  await waitFor(() => expect(tables).toEqual([{ table: "plans" }, { table: "plans" }]));
});

test("the clock of replicas is the database's", async () => {
  const member = await join();
  const { rows } = await database.pool.query<{ now: Date }>("select clock_timestamp() as now");
  expect(Math.abs(member.clock.now().getTime() - (rows[0]?.now.getTime() ?? 0))).toBeLessThan(5_000);
});

test("a server that works alone and replicas cannot use the same database", async () => {
  const member = await join();
  const alone = () => acquireServerLock(target, { log: SILENT, onLost: () => {}, timeoutMs: 300 });
  await expect(alone()).rejects.toThrow("FEATHER_REPLICA_ADDRESS");
  await member.leave();
  const lock = await alone();
  try {
    await expect(
      acquireServerLock(target, { shared: true, log: SILENT, onLost: () => {}, timeoutMs: 300 }),
    ).rejects.toThrow("works on its database alone");
  } finally {
    await lock.release();
  }
});
