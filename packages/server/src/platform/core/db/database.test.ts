import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { createTestDatabase } from "../../../testing/database.ts";
import { connectDatabase, type DatabaseConnection } from "./connect.ts";

let connection: DatabaseConnection;
beforeAll(async () => {
  connection = await createTestDatabase();
});
afterAll(() => connection.close());

test("int8 is read as a number, date and numeric as text, timestamptz as a Date", async () => {
  const { rows } = await connection.pool.query(
    "select 2780000000000::int8 as count, date '2026-07-27' as day, 4.50::numeric(3, 2) as rating, now() as moment",
  );
  expect(rows).toEqual([{ count: 2780000000000, day: "2026-07-27", rating: "4.50", moment: expect.any(Date) }]);
});

test("every suite has its own database", async () => {
  const other = await createTestDatabase();
  await other.db.insertInto("organizations").values({ id: "org_1", name: "Ours" }).execute();
  expect(await connection.db.selectFrom("organizations").selectAll().execute()).toEqual([]);
  await other.close();
});

test("closes every connection, also those that only the pool has used", async () => {
  const { rows } = await connection.pool.query<{ name: string }>("select current_database() as name");
  const other = connectDatabase({ ...inject("postgres"), database: rows[0]?.name ?? "" });
  await other.pool.query("select 1");
  expect(other.pool.totalCount).toBe(1);
  await other.close();
  expect(other.pool.totalCount).toBe(0);
});
