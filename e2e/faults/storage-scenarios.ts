import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { freePort } from "@feather/testing/free-port";
import { waitFor } from "@feather/testing/wait-for";
import pg from "pg";
import { createAccount } from "../support/accounts.ts";
import { spawnPlatform } from "../support/platform.ts";
import { post, startCallers } from "./callers.ts";
import {
  assertOnly,
  assertReceipts,
  CALLERS,
  count,
  describe,
  measureAllUnitsFree,
  runUnderLoad,
  type Scenario,
  SERVED,
  SERVED_OR_TOLD,
  SOME,
  seconds,
} from "./checks.ts";
import { openReplicas, type ReplicaEnvironment } from "./environment.ts";

const MEGABYTE = 1024 * 1024;
/** The database with its catalogue takes a third of it. */
const DISK_BYTES = 320 * MEGABYTE;
/**
 * The disk stays full for at least this long, which is longer than the leases of replicas, and until this many calls
 * were refused.
 */
const FULL_MS = 12_000;
const REFUSED = 100;
const POLL_MS = 100;
const SERVER = new URL("../../packages/server/src/", import.meta.url);
/** A backup that the version before months of calls made. */
const RECORDED = fileURLToPath(new URL("platform/core/db/backup/recorded/0087-shared-limits.backup", SERVER));
/** The backup holds nothing that its secret could open, so a server with another one has to find nothing sealed. */
const WITHOUT_SECRET = [
  "update users set sealed_totp_secret = null, totp_enabled_at = null",
  "update backends set sealed_api_key = null",
  "delete from webhook_endpoints",
];
/** What the server package offers; TypeScript's projects keep its source out of this one. */
type Backups = {
  readBackupFile(path: string): AsyncIterable<Buffer>;
  restoreDatabase(pool: object, source: AsyncIterable<Buffer>): Promise<unknown>;
};
type Connections = {
  connectDatabase(target: { connectionString: string }): { pool: object; close(): Promise<void> };
};

/** Scenarios of storage, which run last. */
export const STORAGE_SCENARIOS: readonly Scenario[] = [
  {
    fault: "a backup is damaged",
    promise: "made while calls run, it is restored; damaged, it is refused and changes nothing",
    run: runDamagedBackup,
  },
  {
    fault: "a migration is interrupted",
    promise: "its server is killed: nothing is half done, two servers that start at once go on, and no row is lost",
    run: runInterruptedMigration,
  },
  {
    fault: "the disk of PostgreSQL is full",
    promise: "calls are served or told to wait; no answered call loses its receipt; it recovers when there is room",
    run: runFullDisk,
  },
];

async function runDamagedBackup(environment: ReplicaEnvironment): Promise<string> {
  const file = join(environment.createFolder(), "feather.backup");
  const seen = await runUnderLoad(environment, async () => {
    assert.deepEqual(await runCommand(environment, "backup", [file]), { code: 0, stderr: "" });
  });
  assertOnly(seen, SERVED);
  await environment.query("create database restored");
  const restore = () => runCommand(environment, "restore", [file, "--replace"], "restored");
  assert.deepEqual(await restore(), { code: 0, stderr: "" });
  const contents = await readContents(environment, "restored");
  const bytes = readFileSync(file);
  const changed = Buffer.from(bytes);
  changed[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 0x10;
  for (const damaged of [changed, bytes.subarray(0, -1), bytes.subarray(0, bytes.length >> 1)]) {
    writeFileSync(file, damaged);
    const { code, stderr } = await restore();
    assert.equal(code, 1);
    assert.match(stderr, /damaged/);
    assert.deepEqual(await readContents(environment, "restored"), contents);
  }
  await environment.query("drop database restored");
  return `${describe(seen)} during the backup; changed, cut off and halved refused`;
}

/** Runs a command for operators on a database. */
async function runCommand(
  { settings, databaseUrl, createFolder }: ReplicaEnvironment,
  command: string,
  args: readonly string[],
  database?: string,
): Promise<{ code: number | null; stderr: string }> {
  const path = fileURLToPath(new URL(`commands/${command}.ts`, SERVER));
  const env = { ...process.env, ...settings, DATABASE_URL: databaseUrl(database), FEATHER_DATA_DIR: createFolder() };
  const child = spawn(process.execPath, [path, ...args], { env, stdio: ["ignore", "ignore", "pipe"] });
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);
  return { code: code as number | null, stderr };
}

/** The rows of some tables, as hashes. */
function readContents({ query }: ReplicaEnvironment, database: string): Promise<object[]> {
  const tables = ["users", "api_keys", "requests", "ledger_entries", "models", "schema_migrations"];
  const statements = tables.map(
    (name) => `select '${name}' as name, count(*), md5(string_agg(t::text, ',' order by t::text)) from ${name} t`,
  );
  return query(statements.join(" union all "), database);
}

async function runInterruptedMigration(environment: ReplicaEnvironment): Promise<string> {
  await environment.query("create database earlier");
  await restoreRecorded(environment.databaseUrl("earlier"));
  for (const statement of WITHOUT_SECRET) await environment.query(statement, "earlier");
  const readRequests = () =>
    environment.query("select id, status, prompt_tokens, started_at from requests order by id", "earlier");
  const readMigrations = () =>
    environment.query<{ name: string }>("select name from schema_migrations order by name", "earlier");
  const [requests, before] = [await readRequests(), await readMigrations()];
  const settings = { ...environment.settings, DATABASE_URL: environment.databaseUrl("earlier") };

  const reader = new pg.Client({ connectionString: settings.DATABASE_URL });
  await reader.connect();
  await reader.query("begin; select from requests");
  const killed = await spawnPlatform(environment.createFolder(), settings);
  await waitFor(async () => {
    const waiting = "select from pg_stat_activity where datname = 'earlier' and wait_event_type = 'Lock'";
    assert.equal((await environment.query(waiting)).length, 1);
  });
  killed.process.kill("SIGKILL");
  await killed.ended;
  await reader.end();
  assert.deepEqual(await readRequests(), requests);
  const interrupted = await readMigrations();

  const servers = [await spawnReplica(environment, settings), await spawnReplica(environment, settings)];
  try {
    for (const { ready } of servers) await ready;
    for (const { baseUrl } of servers) await createAccount(baseUrl);
  } finally {
    for (const { process: server } of servers) server.kill("SIGTERM");
    for (const { ended } of servers) await ended;
  }
  const applied = await readMigrations();
  assert.deepEqual(await readRequests(), requests);
  assert.equal(new Set(applied.map(({ name }) => name)).size, applied.length);
  assert.ok(before.length < interrupted.length && interrupted.length < applied.length);
  await environment.query("drop database earlier with (force)");
  return `${interrupted.length - before.length} migrations before the kill, ${applied.length - interrupted.length} after; ${requests.length} of ${requests.length} calls kept`;
}

async function restoreRecorded(connectionString: string): Promise<void> {
  const load = (path: string): Promise<unknown> => import(new URL(path, SERVER).href);
  const { readBackupFile, restoreDatabase } = (await load("platform/core/db/backup/index.ts")) as Backups;
  const { connectDatabase } = (await load("platform/core/db/connect.ts")) as Connections;
  const { pool, close } = connectDatabase({ connectionString });
  await restoreDatabase(pool, readBackupFile(RECORDED)).finally(close);
}

async function spawnReplica({ createFolder }: ReplicaEnvironment, settings: Record<string, string>) {
  const address = { FEATHER_REPLICA_ADDRESS: `http://127.0.0.1:${await freePort()}` };
  return spawnPlatform(createFolder(), { ...settings, ...address });
}

async function runFullDisk(environment: ReplicaEnvironment): Promise<string> {
  const small = await openReplicas(environment.replicas.length, { diskBytes: DISK_BYTES });
  const { disk } = small;
  if (disk === null) {
    await small.close();
    return "NOT TESTED: only root may mount a disk to fill";
  }
  const callers = startCallers(small, CALLERS);
  try {
    await callers.answered(SOME);
    const filledAt = performance.now();
    while (count(callers.seen, [503]) < REFUSED || performance.now() - filledAt < FULL_MS) {
      disk.fill();
      // The log of PostgreSQL takes its room ahead: this uses that up.
      await small.query("select pg_switch_wal()").catch(() => {});
      await sleep(POLL_MS);
    }
    const fullMs = performance.now() - filledAt;
    disk.free();
    const freedAt = performance.now();
    await waitUntilAllServe(small);
    const backMs = performance.now() - freedAt;
    await callers.answered(SOME);
    const seen = await callers.stop();
    assertOnly(seen, SERVED_OR_TOLD);
    await assertReceipts(small, seen);
    await measureAllUnitsFree(small);
    return `full for ${seconds(fullMs)}: ${describe(seen)}; all replicas serve after ${seconds(backMs)}`;
  } finally {
    disk.free();
    await callers.stop();
    await small.close();
  }
}

/** Waits until a call to each replica is answered, however full the others are. */
async function waitUntilAllServe({ replicas, key }: ReplicaEnvironment): Promise<void> {
  const body = { messages: [{ role: "user", content: "Well?" }] };
  for (const { port } of replicas)
    await waitFor(async () => {
      const response = await post({ key, url: `http://127.0.0.1:${port}` }, body, { waitSeconds: 30 });
      assert.equal(response.status, 200, await response.text());
    });
}
