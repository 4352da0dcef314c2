import { hostname } from "node:os";
import pg from "pg";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { createTestDatabase } from "../../../testing/database.ts";
import { clientConfig, type DatabaseConnection, type SocketConnection } from "./connect.ts";
import { acquireServerLock, type ServerLock } from "./server-lock.ts";

let database: DatabaseConnection;
let target: SocketConnection;
let locks: ServerLock[];
let lines: string[];
let lost: Error[];
beforeEach(async () => {
  database = await createTestDatabase();
  const { rows } = await database.pool.query<{ name: string }>("select current_database() as name");
  target = { ...inject("postgres"), database: rows[0]?.name ?? "" };
  [locks, lines, lost] = [[], [], []];
});
afterEach(async () => {
  await Promise.all(locks.map((lock) => lock.release()));
  await database.close();
});

async function take(): Promise<ServerLock> {
  const say = (line: string) => void lines.push(line);
  const lock = await acquireServerLock(target, {
    log: { info: say, warn: say },
    onLost: (error) => lost.push(error),
    timeoutMs: 300,
  });
  locks.push(lock);
  return lock;
}

const endLockConnections = () =>
  database.pool.query(
    "select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and pid in (select pid from pg_stat_activity where datname = current_database())",
  );

test("rejects a second server on the same database and names the first", async () => {
  await take();
  await expect(take()).rejects.toThrow(`in use by another server (process ${process.pid}@${hostname()}).`);
});

test("accepts the next server once the first has stopped", async () => {
  const first = await take();
  await first.release();
  await take();
});

test("acquires the lock again when its connection breaks", async () => {
  await take();
  await endLockConnections();
  await expect.poll(() => lines.at(-1)).toContain("again");
  await expect.poll(() => lines.length).toBe(2);
  await expect(take()).rejects.toThrow("in use");
  expect(lost).toEqual([]);
});

test("notifies a server whose database another one has taken", async () => {
  await take();
  const other = new pg.Client(clientConfig(target));
  await other.connect();
  try {
    const taken = other.query("select pg_advisory_lock(7276000006)"); // first in line when the connection breaks
    await expect.poll(async () => (await waiting()).length).toBe(1);
    await database.pool.query(
      "select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted and pid in (select pid from pg_stat_activity where datname = current_database())",
    );
    await taken;
    await expect.poll(() => lost.length).toBe(1);
    expect(lost[0]?.message).toContain("in use by another server");
  } finally {
    await other.end();
  }
});

async function waiting(): Promise<unknown[]> {
  const sql =
    "select from pg_locks where locktype = 'advisory' and not granted and pid in (select pid from pg_stat_activity where datname = current_database())";
  return (await database.pool.query(sql)).rows;
}
