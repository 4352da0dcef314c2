import { afterEach, expect, inject, test } from "vitest";
import { insertUsageRows, type UsageRow } from "../../../gateway/index.ts";
import { createEmptyDatabase, createTestDatabase } from "../../../testing/database.ts";
import { migrateBefore } from "../../../testing/earlier-schemas.ts";
import { APPLICATION_ROLE, createApplicationRole, grantRowAccess } from "./application-role.ts";
import { dumpDatabase, restoreDatabase } from "./backup/index.ts";
import { connectDatabase, type DatabaseConnection } from "./connect.ts";
import { isPartitionViolation } from "./errors.ts";
import { migrate } from "./migrate.ts";
import { createRequestPartitions, dropRequestPartitions } from "./request-partitions.ts";

const PARTITIONING = "0094";
const NOW = new Date("2031-06-15T12:00:00Z");
const opened: DatabaseConnection[] = [];
afterEach(async () => {
  for (const { close } of opened.splice(0).reverse()) await close();
});

async function open(create: () => Promise<DatabaseConnection>): Promise<DatabaseConnection> {
  const connection = await create();
  opened.push(connection);
  return connection;
}

/** Returns a database with the schema before `requests` was partitioned. */
async function databaseBefore(): Promise<DatabaseConnection> {
  const connection = await open(createEmptyDatabase);
  await migrateBefore(connection.pool, PARTITIONING);
  return connection;
}

const row = (id: string, startedAt: string, fields: Partial<UsageRow> = {}): UsageRow => ({
  id,
  organization_id: "org_1",
  model_id: "o/n",
  model_class_id: "c",
  kind: "chat",
  outcome: "completed",
  status: 200,
  streamed: false,
  units: 1,
  started_at: startedAt,
  duration_ms: 1,
  prompt_tokens: 3,
  ...fields,
});
const insertBefore = ({ pool }: DatabaseConnection, ...rows: readonly UsageRow[]) =>
  pool.query(
    `insert into requests (id, organization_id, model_id, model_class_id, kind, outcome, status, streamed, units, started_at,
       duration_ms, prompt_tokens)
     select id, organization_id, model_id, model_class_id, kind, outcome, status, streamed, units, started_at, duration_ms,
       prompt_tokens from json_populate_recordset(null::requests, $1::json)`,
    [JSON.stringify(rows)],
  );

async function query<T extends object>({ pool }: DatabaseConnection, text: string): Promise<T[]> {
  return (await pool.query<T>(text)).rows;
}
/** Returns each request with the month of its partition. */
const places = (database: DatabaseConnection) =>
  query(database, "select id, replace(tableoid::regclass::text, 'requests_', '') as month from requests order by id");
const months = async (database: DatabaseConnection): Promise<string[]> =>
  (
    await query<{ month: string }>(
      database,
      "select replace(partition, 'requests_', '') as month from request_partitions() order by until",
    )
  ).map(({ month }) => month);
const monthOf = (date: Date) => date.toISOString().slice(0, 7).replace("-", "_");
const sums = (database: DatabaseConnection) =>
  query(database, "select sum(requests)::integer as requests, sum(prompt_tokens)::integer as tokens from usage_hours");

test("the migration keeps rows, sums, privileges and keys, and puts later rows into a separate month", async () => {
  const database = await databaseBefore();
  await database.pool.query(`create role ${APPLICATION_ROLE} login`).catch(() => {});
  await database.pool.query(`grant select, insert on requests to ${APPLICATION_ROLE}`);
  const nextMonth = new Date();
  nextMonth.setUTCMonth(nextMonth.getUTCMonth() + 1, 15);
  await insertBefore(
    database,
    row("a", "1999-01-01T00:00:00Z"),
    row("b", new Date().toISOString()),
    row("c", nextMonth.toISOString()),
    row("d", "9000-01-01T00:00:00Z"),
  );

  await migrate(database.pool);

  const past = `until_${monthOf(new Date())}`;
  expect(await places(database)).toEqual([
    { id: "a", month: past },
    { id: "b", month: past },
    { id: "c", month: monthOf(nextMonth) },
    { id: "d", month: "default" },
  ]);
  expect(await months(database)).toHaveLength(13);
  expect(await sums(database)).toEqual([{ requests: 4, tokens: 12 }]);
  const rights = (table: string) =>
    query(
      database,
      `select string_agg(privilege_type, ', ' order by privilege_type) as rights from information_schema.role_table_grants
       where grantee = '${APPLICATION_ROLE}' and table_name = '${table}'`,
    );
  expect(await rights("requests")).toEqual([{ rights: "INSERT, SELECT" }]);
  await expect(insertUsageRows([row("e", NOW.toISOString(), { price_id: "price_none" })], database.db)).rejects.toThrow(
    "requests_price_id_fkey",
  );
  await expect(insertUsageRows([row("f", NOW.toISOString(), { kind: "other" })], database.db)).rejects.toThrow(
    "requests_kind_check",
  );
});

test("the migration of a database without requests makes no partition for the past", async () => {
  const database = await databaseBefore();
  await migrate(database.pool);
  expect(await months(database)).toHaveLength(13);
  expect((await months(database))[0]).toBe(monthOf(new Date()));
});

test("a row is written once, into its month, or the default partition until its month is there", async () => {
  const database = await open(createTestDatabase);
  const rows = [row("a", NOW.toISOString()), row("b", "2020-02-29T23:59:59.999Z")];
  expect(await insertUsageRows(rows, database.db)).toEqual(new Set(["a", "b"]));
  expect(await insertUsageRows(rows, database.db)).toEqual(new Set());
  expect(await places(database)).toEqual([
    { id: "a", month: "default" },
    { id: "b", month: "default" },
  ]);

  expect(await createRequestPartitions(database.db, NOW)).toBe(true);

  expect(await places(database)).toEqual([
    { id: "a", month: "2031_06" },
    { id: "b", month: "2020_02" },
  ]);
  expect(await months(database)).toEqual(expect.arrayContaining(["2031_06", "2032_06"]));
  expect(await insertUsageRows([...rows, row("c", "2032-06-30T23:59:59Z")], database.db)).toEqual(new Set(["c"]));
  expect(await sums(database)).toEqual([{ requests: 3, tokens: 9 }]);
});

test("only months that lie wholly before the cut are removed, and the start of the complete data is recorded", async () => {
  const database = await open(createTestDatabase);
  await insertUsageRows(
    [row("a", "2031-02-28T23:59:59Z"), row("b", "2031-03-01T00:00:00Z"), row("c", NOW.toISOString())],
    database.db,
  );
  await createRequestPartitions(database.db, NOW);
  const removals = "select until from usage_removals order by until desc limit 1";

  expect(await dropRequestPartitions(database.db, new Date("2031-03-31T23:59:59Z"))).toBe(true);
  expect((await places(database)).map(({ id }: { id?: string }) => id)).toEqual(["b", "c"]);
  expect(await query(database, removals)).toEqual([{ until: new Date("2031-03-01T00:00:00Z") }]);

  await dropRequestPartitions(database.db, new Date("2031-04-01T00:00:00Z"));
  expect(await places(database)).toEqual([{ id: "c", month: "2031_06" }]);
  expect(await query(database, removals)).toEqual([{ until: new Date("2031-04-01T00:00:00Z") }]);
  await dropRequestPartitions(database.db, new Date("2031-06-01T00:00:00Z")); // months without requests
  expect(await query(database, removals)).toEqual([{ until: new Date("2031-04-01T00:00:00Z") }]);
  expect(await sums(database)).toEqual([{ requests: 3, tokens: 9 }]);
});

/**
 * Inserts rows, and repeats that after an error, as the usage writer does: their month may have got its partition
 * meanwhile.
 */
async function insertAgain(rows: readonly UsageRow[], { db }: DatabaseConnection): Promise<Set<string>> {
  for (;;) {
    try {
      return await insertUsageRows(rows, db);
    } catch (error) {
      if (!isPartitionViolation(error)) throw error;
    }
  }
}

test("several servers can create and remove months at once, while requests are written", async () => {
  const database = await open(() => createTestDatabase(8));
  await insertUsageRows([row("old", "2031-01-01T00:00:00Z")], database.db);
  const cut = new Date("2031-03-01T00:00:00Z");
  // Each call may stop waiting for a lock on a busy machine, and is then repeated.
  const keep = async () => {
    while (!(await createRequestPartitions(database.db, NOW)));
    while (!(await dropRequestPartitions(database.db, cut)));
  };
  const writes = Array.from({ length: 20 }, (_, index) =>
    insertAgain([row(`new_${index}`, NOW.toISOString())], database),
  );
  await Promise.all([keep(), keep(), keep()]);
  expect((await Promise.all(writes)).every((written) => written.size === 1)).toBe(true);
  await keep();
  const found = await query<{ id: string; month: string }>(
    database,
    "select id, tableoid::regclass::text as month from requests",
  );
  expect(new Set(found.map(({ month }) => month))).toEqual(new Set(["requests_2031_06"]));
  expect(found).toHaveLength(20);
});

test("months are removed later while a reader, such as a backup, holds them", async () => {
  const database = await open(createTestDatabase);
  await createRequestPartitions(database.db, NOW);
  const reader = await database.db.startTransaction().execute();
  await reader.selectFrom("requests").selectAll().execute();
  const before = await months(database);
  expect(await dropRequestPartitions(database.db, NOW)).toBe(false);
  expect(await months(database)).toEqual(before);
  await reader.commit().execute();
  expect(await dropRequestPartitions(database.db, NOW)).toBe(true);
  expect((await months(database))[0]).toBe("2031_06");
});

test("the application role has months made and removed by the owner, and may not change tables itself", async () => {
  const owner = await open(createTestDatabase);
  await createApplicationRole(owner.pool);
  const [{ name } = { name: "" }] = await query<{ name: string }>(owner, "select current_database() as name");
  const application = await open(async () =>
    connectDatabase({ ...inject("postgres"), user: APPLICATION_ROLE, database: name }),
  );
  await expect(createRequestPartitions(application.db, NOW)).rejects.toThrow("permission denied for function");
  await grantRowAccess(owner.pool, application.pool);
  await insertUsageRows([row("a", "2031-01-31T00:00:00Z"), row("b", NOW.toISOString())], application.db);

  expect(await createRequestPartitions(application.db, NOW)).toBe(true);
  expect(await dropRequestPartitions(application.db, new Date("2031-02-01T00:00:00Z"))).toBe(true);

  expect(await insertUsageRows([row("c", "2031-07-01T00:00:00Z")], application.db)).toEqual(new Set(["c"]));
  expect(await places(application).catch((error: Error) => error.message)).toEqual([
    { id: "b", month: "2031_06" },
    { id: "c", month: "2031_07" },
  ]);
  for (const statement of ["drop table requests_2031_06", "alter table requests detach partition requests_2031_06"])
    await expect(application.pool.query(statement)).rejects.toThrow("must be owner");
});

test("the usage of an organization in 30 days is read only from the months of those days", async () => {
  const database = await open(createTestDatabase);
  await insertUsageRows([row("a", "2031-01-01T00:00:00Z")], database.db);
  await createRequestPartitions(database.db, NOW);
  const { rows } = await database.pool.query<{ "QUERY PLAN": string }>(
    `explain select * from requests where organization_id = 'org_1'
       and started_at >= '2031-05-16T12:00:00Z' and started_at < '2031-06-15T12:00:00Z' order by started_at desc, id`,
  );
  const scanned = new Set(
    rows.flatMap((line) => line["QUERY PLAN"].match(/requests_(\d{4}_\d\d|default|until\w+)\b/g) ?? []),
  );
  expect([...scanned].sort()).toEqual(["requests_2031_06", "requests_default"]);
});

const CONTENTS = {
  program_version: "1.2.3",
  createdAt: NOW,
  secret: { fingerprint: null, key: null },
  model_files: [],
};

test("a backup holds the rows of all months, and restores those of databases without months too", async () => {
  const before = await databaseBefore();
  await insertBefore(before, row("a", "2031-01-01T00:00:00Z"), row("b", NOW.toISOString()));
  const after = await open(createTestDatabase);
  const removed = row("removed", "2030-12-01T00:00:00Z");
  await insertUsageRows([removed, row("a", "2031-01-01T00:00:00Z"), row("b", NOW.toISOString())], after.db);
  await createRequestPartitions(after.db, NOW);
  await dropRequestPartitions(after.db, new Date("2031-01-01T00:00:00Z"));
  await insertUsageRows([row("c", "9000-01-01T00:00:00Z")], after.db);

  const fromBefore = await open(createEmptyDatabase);
  await restoreDatabase(fromBefore.pool, dumpDatabase(before.pool, CONTENTS));
  await migrate(fromBefore.pool);
  await createRequestPartitions(fromBefore.db, NOW);
  expect(await places(fromBefore)).toEqual([
    { id: "a", month: "2031_01" },
    { id: "b", month: "2031_06" },
  ]);
  expect(await sums(fromBefore)).toEqual([{ requests: 2, tokens: 6 }]);

  const fromAfter = await open(createEmptyDatabase);
  const { header } = await restoreDatabase(fromAfter.pool, dumpDatabase(after.pool, CONTENTS));
  expect(header.tables.map(({ name }) => name).filter((name) => name.startsWith("requests"))).toEqual(["requests"]);
  expect(await migrate(fromAfter.pool)).toEqual([]);
  await createRequestPartitions(fromAfter.db, NOW);
  expect(await places(fromAfter)).toEqual(await places(after));
  expect(await sums(fromAfter)).toEqual([{ requests: 4, tokens: 12 }]);
  expect(await query(fromAfter, "select max(until) as until from usage_removals")).toEqual([
    { until: new Date("2031-01-01T00:00:00Z") },
  ]);
  expect(await insertUsageRows([row("d", NOW.toISOString())], fromAfter.db)).toEqual(new Set(["d"]));
  expect(await sums(fromAfter)).toEqual([{ requests: 5, tokens: 15 }]);
});
