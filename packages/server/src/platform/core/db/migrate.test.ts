import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestDatabase } from "../../../testing/database.ts";
import type { DatabaseConnection } from "./connect.ts";
import { migrate } from "./migrate.ts";

let connection: DatabaseConnection;
let folder: string;
beforeEach(async () => {
  connection = await createTestDatabase();
  folder = mkdtempSync(join(tmpdir(), "feather-migrations-"));
  // The cloned database is migrated, but these tests have their own migrations.
  await connection.pool.query("truncate schema_migrations");
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  await connection.close();
});

const write = (name: string, sql: string): void => writeFileSync(join(folder, `${name}.sql`), sql);

test("migrations apply in order and only once", async () => {
  write("0002-b", "insert into steps values ('second');");
  write("0001-a", "create table steps (name text); insert into steps values ('first');");
  expect(await migrate(connection.pool, folder)).toEqual(["0001-a", "0002-b"]);
  expect(await migrate(connection.pool, folder)).toEqual([]);
  const { rows } = await connection.pool.query("select name from steps");
  expect(rows).toEqual([{ name: "first" }, { name: "second" }]);
});

test("several processes can migrate at the same time", async () => {
  write("0001-a", "create table steps (name text)");
  const results = await Promise.all([1, 2, 3].map(() => migrate(connection.pool, folder)));
  expect(results.flat()).toEqual(["0001-a"]);
});

test("a failing migration is rolled back and can be repaired", async () => {
  write("0001-a", "create table steps (name text); select broken;");
  await expect(migrate(connection.pool, folder)).rejects.toThrow(/0001-a failed and was rolled back.*broken/);
  write("0001-a", "create table steps (name text);");
  expect(await migrate(connection.pool, folder)).toEqual(["0001-a"]);
});

test("an applied migration whose content changed is rejected", async () => {
  write("0001-a", "create table steps (name text)");
  await migrate(connection.pool, folder);
  write("0001-a", "create table steps (title text)");
  await expect(migrate(connection.pool, folder)).rejects.toThrow(/holds migration 0001-a with another content/);
});

test("different line ends do not count as a change", async () => {
  write("0001-a", "create table steps (\n name text\n)");
  await migrate(connection.pool, folder);
  write("0001-a", "create table steps (\r\n name text\r\n)");
  expect(await migrate(connection.pool, folder)).toEqual([]);
});

test("a database of a newer version is rejected", async () => {
  write("0001-a", "create table steps (name text)");
  write("0002-b", "create table more (name text)");
  await migrate(connection.pool, folder);
  rmSync(join(folder, "0002-b.sql"));
  await expect(migrate(connection.pool, folder)).rejects.toThrow(
    "The database was made by a newer version of the server: it holds 0002-b, which this build does not know. Start the " +
      "newer version again, or use another database. To go back to this version, restore a backup that was made before the " +
      "upgrade.",
  );
});

test("a migration that cannot run in a transaction is refused, and changes nothing", async () => {
  write("0001-a", "create table steps (name text); create index concurrently steps_by_name on steps (name);");
  await expect(migrate(connection.pool, folder)).rejects.toThrow(/0001-a failed and was rolled back.*CONCURRENTLY/);
  const { rows } = await connection.pool.query("select from pg_class where relname = 'steps'");
  expect(rows).toEqual([]);
});

test("a migration that ends its transaction is named, and not recorded", async () => {
  write("0001-a", "create table steps (name text); commit; create table more (name text);");
  await expect(migrate(connection.pool, folder)).rejects.toThrow(/0001-a ends its transaction/);
  const { rows } = await connection.pool.query("select name from schema_migrations");
  expect(rows).toEqual([]);
});
