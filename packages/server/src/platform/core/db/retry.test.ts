import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDatabase } from "../../../testing/database.ts";
import type { DatabaseConnection } from "./connect.ts";
import { withRetry } from "./retry.ts";

const DEADLOCK = Object.assign(new Error("deadlock detected"), { code: "40P01" });
const AT_ONCE = { maxAttempts: 3, delayMs: () => 0 };

describe("withRetry", () => {
  const failing = (failures: number, error: Error) => {
    const made = { calls: 0 };
    return { made, act: async () => (made.calls++ < failures ? Promise.reject(error) : "done") };
  };

  test("withRetry runs the operation again after a deadlock", async () => {
    const { act, made } = failing(2, DEADLOCK);
    expect([await withRetry(act, AT_ONCE), made.calls]).toEqual(["done", 3]);
  });

  test("withRetry gives up after the last attempt", async () => {
    const { act, made } = failing(3, DEADLOCK);
    await expect(withRetry(act, AT_ONCE)).rejects.toThrow("deadlock detected");
    expect(made.calls).toBe(3);
  });

  test("withRetry throws other errors at once", async () => {
    const { act, made } = failing(1, new Error("no"));
    await expect(withRetry(act, AT_ONCE)).rejects.toThrow("no");
    expect(made.calls).toBe(1);
  });

  test("withRetry waits longer before each attempt, as configured", async () => {
    const attempts: number[] = [];
    const delayMs = (attempt: number) => {
      attempts.push(attempt);
      return 0;
    };
    await withRetry(failing(2, DEADLOCK).act, { maxAttempts: 3, delayMs });
    expect(attempts).toEqual([1, 2]);
  });
});

describe("a transaction", () => {
  let database: DatabaseConnection;
  beforeAll(async () => {
    database = await createTestDatabase();
    await sql`create table pairs (id integer primary key, sum integer not null)`.execute(database.db);
    await sql`insert into pairs values (1, 0), (2, 0)`.execute(database.db);
  });
  afterAll(() => database.close());

  test("a transaction is retried after a deadlock", async () => {
    const add = (id: number) => sql`update pairs set sum = sum + 1 where id = ${id}`;
    const firsts = Promise.withResolvers<void>();
    let waiting = 2;
    const inOrder = (first: number, second: number) =>
      database.db.transaction().execute(async (trx) => {
        await add(first).execute(trx);
        if (--waiting === 0) firsts.resolve();
        await firsts.promise; // both hold one row, and each wants the other's
        await add(second).execute(trx);
      });
    await Promise.all([inOrder(1, 2), inOrder(2, 1)]);
    const { rows } = await sql<{ sum: number }>`select sum from pairs order by id`.execute(database.db);
    expect(rows).toEqual([{ sum: 2 }, { sum: 2 }]);
  });
});
