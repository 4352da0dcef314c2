import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { createEmptyDatabase } from "../../../testing/database.ts";
import { EARLIER_ROWS } from "../../../testing/earlier-rows.ts";
import { MIGRATION_NAMES, migrateThrough } from "../../../testing/earlier-schemas.ts";
import type { DatabaseConnection } from "./connect.ts";
import { migrate } from "./migrate.ts";

/**
 * A migration that creates functions first and then changes `requests`. It waits while another transaction uses that table.
 */
const PARTITIONING = "0094-partitions-of-requests";
const BEFORE_PARTITIONING = MIGRATION_NAMES.slice(0, MIGRATION_NAMES.indexOf(PARTITIONING));

let database: DatabaseConnection;
const children: ChildProcess[] = [];
beforeEach(async () => {
  database = await createEmptyDatabase();
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  await database.close();
});

const query = async <T extends object>(statement: string): Promise<T[]> =>
  (await database.pool.query<T>(statement)).rows;

/** Migrates in a separate process, as a starting server does. It prints the migrations that it has applied. */
async function startMigrating(): Promise<ChildProcess> {
  const [{ name } = { name: "" }] = await query<{ name: string }>("select current_database() as name");
  const url = (file: string) => JSON.stringify(new URL(file, import.meta.url).href);
  const code = `import { connectDatabase } from ${url("./connect.ts")};
    import { migrate } from ${url("./migrate.ts")};
    const { pool, close } = connectDatabase(${JSON.stringify({ ...inject("postgres"), database: name })});
    console.log(JSON.stringify(await migrate(pool)));
    await close();`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", code], { stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  return child;
}

async function readApplied({ stdout }: ChildProcess): Promise<string[]> {
  return stdout === null ? [] : (JSON.parse(await text(stdout)) as string[]);
}

const readRecorded = async () =>
  (await query<{ name: string }>("select name from schema_migrations order by name")).map(({ name }) => name);

test("a process that is killed in the middle of a migration leaves those before it, and the next start applies the rest", async () => {
  await migrateThrough(database.pool, "0004-gateway");
  await database.pool.query(EARLIER_ROWS["0001-identity"] ?? "");
  await database.pool.query(EARLIER_ROWS["0002-plans"] ?? "");
  await database.pool.query(EARLIER_ROWS["0003-catalogue"] ?? "");
  await database.pool.query(EARLIER_ROWS["0004-gateway"] ?? "");
  const requests = "select id, status, prompt_tokens, started_at from requests order by id";
  const rows = await query(requests);

  await migrateThrough(database.pool, "0074-kubernetes-owner");
  const reader = await database.db.startTransaction().execute();
  await reader.selectFrom("requests").select("id").execute();
  const killed = await startMigrating();
  await expect
    .poll(() => query("select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"))
    .toHaveLength(1);
  const ended = once(killed, "exit");
  killed.kill("SIGKILL");
  await ended;
  await reader.commit().execute();

  // PostgreSQL completes the statements of the dead process, and rolls them back.
  await expect
    .poll(() => query("select from pg_stat_activity where datname = current_database() and backend_xid is not null"))
    .toEqual([]);
  expect(await readRecorded()).toEqual(BEFORE_PARTITIONING);
  expect(await query("select from pg_proc where proname = 'request_partitions'")).toEqual([]);
  expect(await query("select relkind from pg_class where relname = 'requests'")).toEqual([{ relkind: "r" }]);
  expect(await query(requests)).toEqual(rows);

  expect(await migrate(database.pool)).toEqual(MIGRATION_NAMES.slice(BEFORE_PARTITIONING.length));
  expect(await query("select relkind from pg_class where relname = 'requests'")).toEqual([{ relkind: "p" }]);
  expect(await query(requests)).toEqual(rows);
});

test("when several servers start at once, each migration is applied by one of them", async () => {
  await migrateThrough(database.pool, "0004-gateway");
  const processes = await Promise.all([startMigrating(), startMigrating(), startMigrating()]);
  const applied = (await Promise.all(processes.map(readApplied))).flat();
  expect(applied.sort()).toEqual(MIGRATION_NAMES.filter((name) => name > "0004-gateway"));
  expect(await readRecorded()).toEqual(MIGRATION_NAMES);
});
