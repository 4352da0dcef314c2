import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { createLedger } from "../money/ledger/index.ts";
import { systemClock } from "../platform/core/clock.ts";
import { grantRowAccess } from "../platform/core/db/application-role.ts";
import { connectDatabase, type DatabaseConnection } from "../platform/core/db/connect.ts";
import { startEmbeddedPostgres } from "../platform/core/db/embedded.ts";
import { migrate } from "../platform/core/db/migrate.ts";
import { acquireServerLock } from "../platform/core/db/server-lock.ts";
import { createTemporaryFolder } from "../platform/core/db/temporary.ts";
import { randomIds } from "../platform/core/ids.ts";
import { fingerprintSecret } from "../platform/installation/secret.ts";
import { createEmptyDatabase, createTestDatabase } from "../testing/database.ts";

const KEY = "ab".repeat(32);
let folder: string;
let file: string;
let source: DatabaseConnection;
let target: DatabaseConnection;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "feather-commands-"));
  file = join(folder, "backup");
  source = await createTestDatabase();
  target = await createEmptyDatabase();
  mkdirSync(join(folder, "data", "models", "parts"), { recursive: true });
  writeFileSync(join(folder, "data", "secret.key"), KEY);
  writeFileSync(join(folder, "data", "models", "model.gguf"), "weights");
  writeFileSync(join(folder, "data", "models", "parts", "unfinished.part"), "wei");
  await source.db
    .insertInto("installation")
    .values({ secret_fingerprint: fingerprintSecret(Buffer.from(KEY, "hex")), created_at: systemClock.now() })
    .execute();
  await source.db.insertInto("organizations").values({ id: "org_1", name: "One" }).execute();
  await createLedger(source.db, systemClock, randomIds).post({
    kind: "grant",
    organizationId: "org_1",
    description: "Test",
    reference: "test:1",
    entries: [
      { account: "promotions", amountNano: -10n },
      { account: "credits:org_1", amountNano: 10n },
    ],
  });
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  await source.close();
  await target.close();
});

async function urlOf(database: DatabaseConnection, role?: string): Promise<string> {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(database.db);
  const { host, user } = inject("postgres");
  const query = new URLSearchParams({ host, ...(role && { options: `-c role=${role}` }) });
  return `postgres://${user}@localhost/${rows[0]?.name}?${query.toString().replaceAll("+", "%20")}`;
}

function run(command: string, args: readonly string[], settings: Record<string, string> = {}) {
  const path = fileURLToPath(new URL(`./${command}.ts`, import.meta.url));
  const env = { ...process.env, FEATHER_DATA_DIR: join(folder, "data"), ...settings };
  const { status, stdout, stderr } = spawnSync(process.execPath, [path, ...args], { env, encoding: "utf8" });
  return { status, stdout, stderr };
}
const backUp = async (settings: Record<string, string> = {}) =>
  run("backup", [file], { DATABASE_URL: await urlOf(source), ...settings });
const restore = async (settings: Record<string, string> = {}, ...args: string[]) =>
  run("restore", [file, ...args], {
    DATABASE_URL: await urlOf(target),
    FEATHER_DATA_DIR: join(folder, "new"),
    ...settings,
  });
const countTables = async () =>
  (await sql`select from pg_tables where schemaname = 'public'`.execute(target.db)).rows.length;

test("saves database and secret, says what is not in the file, and restores both elsewhere", async () => {
  const saved = await backUp();
  expect(saved).toMatchObject({ status: 0, stderr: "" });
  expect(saved.stdout).toMatch(/^Saved \d+ tables with [\d,]+ rows to .*, and read them back\.\nIt holds the secret/);
  expect(saved.stdout).toContain("Files of models are not in it: 1 file, 0 MB.\n");
  expect(run("verify-backup", [file, "--restore"])).toMatchObject({
    status: 0,
    stdout: expect.stringContaining("It can be restored: rows, checksums, ledger and audit log are right.\n"),
  });

  const restored = await restore();
  expect(restored).toMatchObject({ status: 0, stderr: "" });
  expect(restored.stdout).toMatch(/^Restored \d+ tables .*\nThe secret is in .*secret\.key\.\n/);
  expect(restored.stdout).toContain("\n  model.gguf\n");
  expect(restored.stdout).not.toContain("unfinished");
  expect(readFileSync(join(folder, "new", "secret.key"), "utf8")).toBe(KEY);
  expect(statSync(join(folder, "new", "secret.key")).mode & 0o777).toBe(0o600);
  const entries = (database: DatabaseConnection) => database.db.selectFrom("ledger_entries").selectAll().execute();
  expect(await entries(target)).toEqual(await entries(source));
  expect((await restore()).stderr).toMatch(/^The database is not empty\. .*--replace/);
  expect(await restore({}, "--replace")).toMatchObject({ status: 0 });
});

test("a backup leaves out a secret that a setting holds, and asks the operator to keep it", async () => {
  expect((await backUp({ FEATHER_SECRET: KEY })).stdout).toContain("keep FEATHER_SECRET");
  expect(readFileSync(file).includes(KEY)).toBe(false);
  const without = await restore();
  expect(without).toMatchObject({ status: 1, stderr: expect.stringContaining("Set FEATHER_SECRET to the secret") });
  const wrong = await restore({ FEATHER_SECRET: "x".repeat(32) });
  expect(wrong).toMatchObject({ status: 1, stderr: expect.stringContaining("another secret than FEATHER_SECRET") });
  expect(await countTables()).toBe(0);
  expect(await restore({ FEATHER_SECRET: KEY })).toMatchObject({ status: 0 });
  expect(existsSync(join(folder, "new"))).toBe(false);
});

test("a backup leaves the secret out on request, and restores on a server that has it", async () => {
  const saved = run("backup", [file, "--without-secret"], { DATABASE_URL: await urlOf(source) });
  expect(saved).toMatchObject({ status: 0, stdout: expect.stringContaining("It does not hold the secret") });
  expect(readFileSync(file).includes(KEY)).toBe(false);
  expect(run("verify-backup", [file])).toMatchObject({ status: 0 });
  expect(await restore()).toMatchObject({ status: 1, stderr: expect.stringContaining("does not hold the secret") });
  mkdirSync(join(folder, "new"));
  writeFileSync(join(folder, "new", "secret.key"), KEY);
  expect(await restore()).toMatchObject({ status: 0 });
});

test("restoring a backup does not overwrite another server's secret.key", async () => {
  await backUp();
  mkdirSync(join(folder, "new"));
  writeFileSync(join(folder, "new", "secret.key"), "cd".repeat(32));
  expect((await restore()).stderr).toContain("holds another secret than the backup was made with");
  expect(await countTables()).toBe(0);
});

test("restoring refuses a damaged file before it touches database or data folder", async () => {
  await backUp();
  const bytes = readFileSync(file);
  writeFileSync(file, bytes.subarray(0, -1));
  expect(run("verify-backup", [file])).toMatchObject({ status: 1, stderr: expect.stringContaining("damaged") });
  expect(await restore()).toMatchObject({ status: 1, stderr: expect.stringContaining("damaged") });
  expect(await countTables()).toBe(0);
  expect(readdirSync(folder).sort()).toEqual(["backup", "data"]);
});

test("saves the database of a running server, and restores into none that a server uses", async () => {
  const { host, user } = inject("postgres");
  const lockOf = async (database: DatabaseConnection) => {
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(database.db);
    const log = { info: () => {}, warn: () => {} };
    return acquireServerLock({ host, user, database: rows[0]?.name ?? "" }, { log, onLost: () => {} });
  };
  const locks = [await lockOf(source), await lockOf(target)];
  try {
    expect(await backUp()).toMatchObject({ status: 0 });
    expect(await restore()).toMatchObject({ status: 1, stderr: expect.stringContaining("in use by another server") });
    const move = run("migrate", ["--to", await urlOf(target)], { DATABASE_URL: await urlOf(source) });
    expect(move).toMatchObject({ status: 1, stderr: expect.stringContaining("in use by another server") });
    expect(await countTables()).toBe(0);
  } finally {
    for (const lock of locks) await lock.release();
  }
});

test("moves a database to an empty one and prints the rows and checksums of each table", async () => {
  const move = async () => run("migrate", ["--to", await urlOf(target)], { DATABASE_URL: await urlOf(source) });
  const moved = await move();
  expect(moved).toMatchObject({ status: 0, stderr: "" });
  expect(moved.stdout).toMatch(/^ledger_entries\t2 rows\tchecksum [1-9]\d+$/m);
  expect(moved.stdout).toContain("Rows and checksums are the same in both databases.\nNow set DATABASE_URL");
  expect(await move()).toMatchObject({ status: 1, stderr: expect.stringContaining("--to is not empty") });
});

test("saving needs only the rights of the server's role, and restoring only those of an owner", async () => {
  const suffix = Math.random().toString(36).slice(2, 8);
  const [limited, owner] = [`limited_${suffix}`, `owner_${suffix}`];
  const name = new URL(await urlOf(target)).pathname.slice(1);
  await target.pool.query(
    `create role ${limited} login; create role ${owner} login; alter database ${name} owner to ${owner}`,
  );
  const application = connectDatabase({ connectionString: await urlOf(source, limited) });
  try {
    await grantRowAccess(source.pool, application.pool);
    expect(await backUp({ DATABASE_URL: await urlOf(source, limited) })).toMatchObject({ status: 0 });
    expect(await restore({ DATABASE_URL: await urlOf(target, owner) })).toMatchObject({ status: 0, stderr: "" });
    const owners = await sql`select distinct tableowner from pg_tables where schemaname = 'public'`.execute(target.db);
    expect(owners.rows).toEqual([{ tableowner: owner }]);
  } finally {
    await application.close();
    await source.pool.query(`drop owned by ${limited}`);
    await target.pool.query(`drop owned by ${owner} cascade`);
    await target.pool.query(
      `alter database ${name} owner to ${inject("postgres").user}; drop role ${owner}, ${limited}`,
    );
  }
});

test("a backup of the previous version is restored although the embedded database cannot be read by this version", async () => {
  const parent = createTemporaryFolder("feather-major-");
  const dataDir = join(parent, "data");
  const data = join(dataDir, "postgres", "data");
  const options = { dataDir, log: { info: () => {}, warn: () => {} }, durable: false };
  const embedded = { DATABASE_URL: "", FEATHER_DATA_DIR: dataDir };
  try {
    const made = await startEmbeddedPostgres(options);
    const old = connectDatabase(made.connection);
    await migrate(old.pool);
    await old.pool.query("insert into organizations (id, name) values ('org_1', 'Kept')");
    await old.close();
    await made.stop();
    expect(run("backup", [file], embedded)).toMatchObject({ status: 0 }); // with the version before
    writeFileSync(join(data, "PG_VERSION"), "17\n");

    const refused = run("restore", [file], embedded);
    expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining("made by PostgreSQL 17") });
    const kept = join(parent, "postgres-17");
    renameSync(join(dataDir, "postgres"), kept);
    expect(run("restore", [file], embedded)).toMatchObject({ status: 0, stderr: "" });

    const brought = await startEmbeddedPostgres(options);
    const current = connectDatabase(brought.connection);
    expect((await current.pool.query("select name from organizations")).rows).toEqual([{ name: "Kept" }]);
    await current.close();
    await brought.stop();
    expect(readFileSync(join(kept, "data", "PG_VERSION"), "utf8")).toBe("17\n");
  } finally {
    rmSync(parent, { recursive: true });
  }
});

test.each([
  ["backup", ["--help"], 0],
  ["backup", [], 2],
  ["backup", ["one", "two"], 2],
  ["backup", ["one", "--replace"], 2],
  ["verify-backup", [], 2],
  ["verify-backup", ["--restore"], 2],
  ["restore", ["--help"], 0],
  ["restore", ["one", "--force"], 2],
  ["migrate", ["--help"], 0],
  ["migrate", ["--to", "mysql://localhost/feather"], 2],
])("%s with %j exits with %i", (command, args, status) => {
  expect(run(command, args).status).toBe(status);
});
