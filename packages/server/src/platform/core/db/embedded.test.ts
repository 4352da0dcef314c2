import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { clientConfig, type SocketConnection } from "./connect.ts";
import { isRoot } from "./embedded/account.ts";
import { findBinaries } from "./embedded/binaries.ts";
import {
  connectEmbeddedPostgres,
  type EmbeddedOptions,
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from "./embedded.ts";
import { LOCKS } from "./locks.ts";
import { createTemporaryFolder } from "./temporary.ts";

let folder: string;
let log: string[];
const running: EmbeddedPostgres[] = [];
const children: ChildProcess[] = [];
beforeEach(() => {
  folder = createTemporaryFolder("feather-embedded-");
  log = [];
});
afterEach(async () => {
  for (const child of children.splice(0)) await kill(child);
  for (const server of running.splice(0)) await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function start(options: Partial<EmbeddedOptions> = {}): Promise<EmbeddedPostgres> {
  const say = (message: string) => log.push(message);
  const fallbackRoot = join(folder, "fallback");
  const server = await startEmbeddedPostgres({
    dataDir: join(folder, "data"),
    log: { info: say, warn: say },
    fallbackRoot,
    durable: false,
    ...options,
  });
  running.push(server);
  return server;
}

async function query(connection: SocketConnection, sql: string): Promise<unknown[]> {
  const client = new pg.Client(clientConfig(connection));
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query({ text: sql, rowMode: "array" })).rows.flat();
  } finally {
    await client.end().catch(() => {});
  }
}

/** Starts another program that owns the data folder until it is killed. */
async function startElsewhere(): Promise<ChildProcess> {
  const module = join(import.meta.dirname, "embedded.ts");
  const code = `import { startEmbeddedPostgres } from ${JSON.stringify(module)};
    await startEmbeddedPostgres({ dataDir: ${JSON.stringify(join(folder, "data"))}, durable: false, log: { info() {}, warn() {} } });
    console.log("ready"); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", code], { stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  await once(child.stdout, "data");
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "exit");
}

test("data survives a restart, with durability on and without TCP", async () => {
  const first = await start({ durable: true });
  await query(first.connection, "create table notes as select 'kept' as text");
  const settings = ["fsync", "synchronous_commit", "full_page_writes", "listen_addresses", "max_connections"];
  const shown = await Promise.all(settings.map((name) => query(first.connection, `show ${name}`)));
  expect(shown.flat()).toEqual(["on", "on", "on", "", "100"]);
  await first.stop();
  await expect(query(first.connection, "select 1")).rejects.toThrow();
  const second = await start();
  expect(await query(second.connection, "select text from notes")).toEqual(["kept"]);
  expect(await query(second.connection, "show server_encoding")).toEqual(["UTF8"]);
});

test("a database that outlived its killed server is adopted without data loss", async () => {
  const child = await startElsewhere();
  const connection = { host: join(folder, "data/postgres/run"), user: "feather", database: "feather" };
  await query(connection, "create table notes as select 'kept' as text");
  await kill(child);
  const server = await start();
  expect(log.join()).toContain("Adopted");
  expect(await query(server.connection, "select text from notes")).toEqual(["kept"]);
  await server.stop();
  expect(existsSync(join(folder, "data/postgres/data/postmaster.pid"))).toBe(false);
});

test("a second server fails with the owner of the folder and what to do", async () => {
  const child = await startElsewhere();
  await expect(start()).rejects.toThrow(
    new RegExp(`${join(folder, "data")} is in use .*process ${child.pid}.*FEATHER_DATA_DIR`),
  );
  await kill(child);
  await start();
});

test("a start waits until PostgreSQL notices that the previous server was killed", async () => {
  const child = await startElsewhere();
  const { connection } = await connectEmbeddedPostgres({
    dataDir: join(folder, "data"),
    log: { info() {}, warn() {} },
  });
  await kill(child);
  const postgres = { ...connection, database: "postgres" };
  const lingering = new pg.Client({ ...clientConfig(postgres), application_name: `feather-owner-${child.pid}` });
  await lingering.connect();
  await lingering.query("select pg_advisory_lock($1)", [LOCKS.databaseOwner]);
  const again = start();
  await sleep(3_000); // longer than a running server is given to stop
  await lingering.end();
  await again;
});

test("a database server that dies is restarted", async () => {
  const server = await start({ durable: true });
  await query(server.connection, "create table notes as select 'kept' as text");
  const pid = Number(readFileSync(join(folder, "data/postgres/data/postmaster.pid"), "utf8").split("\n")[0]);
  process.kill(pid, "SIGKILL");
  const answer = async (): Promise<unknown[]> =>
    query(server.connection, "select text from notes").catch(() => sleep(100).then(answer));
  expect(await answer()).toEqual(["kept"]);
});

test("a database whose socket is gone is restarted", async () => {
  const child = await startElsewhere();
  await kill(child);
  rmSync(join(folder, "data/postgres/run"), { recursive: true });
  const server = await start();
  expect(await query(server.connection, "select 1")).toEqual([1]);
});

test("a command uses the running database, or starts it until the command ends", async () => {
  const options = { dataDir: join(folder, "data"), log: { info: () => {}, warn: () => {} }, durable: false };
  const server = await start();
  await query(server.connection, "create table notes as select 'kept' as text");
  const beside = await connectEmbeddedPostgres(options);
  expect(await query(beside.connection, "select text from notes")).toEqual(["kept"]);
  await beside.stop();
  expect(await query(server.connection, "select text from notes")).toEqual(["kept"]);
  await server.stop();
  const alone = await connectEmbeddedPostgres(options);
  expect(await query(alone.connection, "select text from notes")).toEqual(["kept"]);
  await alone.stop();
  await expect(query(alone.connection, "select 1")).rejects.toThrow();
});

test("only processes of the server's user can connect to the database", async () => {
  const server = await start();
  const rules = "select distinct type, auth_method from pg_hba_file_rules";
  expect(await query(server.connection, rules)).toEqual(["local", "peer"]);
  const users = "select distinct sys_name from pg_ident_file_mappings order by 1";
  expect(await query(server.connection, users)).toEqual([...new Set([userInfo().username, "root"])].sort());
});

test("a long path gets a socket elsewhere", async () => {
  const server = await start({ dataDir: join(folder, "a".repeat(60), "b".repeat(60)), socketRoot: folder });
  expect(server.connection.host.length).toBeLessThan(85);
  expect(await query(server.connection, "select 1")).toEqual([1]);
});

test("a socket directory that others can enter is rejected", async () => {
  const options = { dataDir: join(folder, "a".repeat(60), "b".repeat(60)), socketRoot: folder };
  const server = await start(options);
  await server.stop();
  chmodSync(server.connection.host, 0o777);
  await expect(start(options)).rejects.toThrow(/somebody else may have made it/);
});

test.runIf(isRoot())(
  "root's database below a private home is created in the fallback folder and noted in the data folder",
  async () => {
    const home = join(folder, "home");
    mkdirSync(home, { mode: 0o700 });
    const dataDir = join(home, "data");
    const first = await start({ dataDir });
    await query(first.connection, "create table notes as select 'kept' as text");
    expect(readFileSync(join(dataDir, "postgres.location"), "utf8")).toContain(join(folder, "fallback", "data-"));
    expect(log.filter((line) => line.includes("is kept in"))).toHaveLength(1);
    await first.stop();
    const second = await start({ dataDir });
    expect(await query(second.connection, "select text from notes")).toEqual(["kept"]);
    expect(log.filter((line) => line.includes("is kept in"))).toHaveLength(1);
  },
);

test.runIf(isRoot())("a new data folder does not adopt the database of an earlier one at the same path", async () => {
  const dataDir = join(folder, "home/data");
  mkdirSync(join(folder, "home"), { mode: 0o700 });
  const first = await start({ dataDir });
  await first.stop();
  const pointer = readFileSync(join(dataDir, "postgres.location"), "utf8");
  rmSync(dataDir, { recursive: true });
  const moveAway = new RegExp(`To begin with an empty one, move ${join(folder, "fallback/data-")}`);
  await expect(start({ dataDir })).rejects.toThrow(moveAway);
  writeFileSync(join(dataDir, "postgres.location"), pointer);
  await expect(start({ dataDir })).rejects.toThrow(moveAway);
});

test.runIf(isRoot())("a data folder that the database's user cannot enter is named with what to do", async () => {
  const server = await start();
  await server.stop();
  chmodSync(join(folder, "data"), 0o700);
  await expect(start()).rejects.toThrow(`chmod o+x ${join(folder, "data")}`);
});

test("a data folder whose noted database is missing is not silently recreated", async () => {
  const dataDir = join(folder, "data");
  mkdirSync(dataDir);
  writeFileSync(join(dataDir, "postgres.location"), "/nowhere/feather\n");
  await expect(start()).rejects.toThrow(/nothing is there/);
});

/** Returns each file below a folder, with its content and time of change. */
function readFolder(path: string): string[] {
  return readdirSync(path, { recursive: true, encoding: "utf8" })
    .sort()
    .map((name) => {
      const found = statSync(join(path, name));
      const hash = found.isFile()
        ? createHash("sha256")
            .update(readFileSync(join(path, name)))
            .digest("hex")
        : "";
      return `${name} ${found.mode} ${found.uid} ${found.mtimeMs} ${hash}`;
    });
}

test("a database of another major version is refused with what to do, and left as it is", async () => {
  const first = await start();
  await query(first.connection, "create table notes as select 'kept' as text");
  await first.stop();
  const data = join(folder, "data/postgres/data");
  const current = readFileSync(join(data, "PG_VERSION"), "utf8");
  writeFileSync(join(data, "PG_VERSION"), "17\n");
  const before = readFolder(folder);

  const options = { dataDir: join(folder, "data"), log: { info: () => {}, warn: () => {} }, durable: false };
  for (const open of [start, () => connectEmbeddedPostgres(options)])
    await expect(open()).rejects.toThrow(
      `was made by PostgreSQL 17. This version of the server brings PostgreSQL ${current.trim()}, which cannot read it. Nothing was changed.`,
    );
  await expect(start()).rejects.toThrow(
    "npx node packages/server/src/commands/upgrade-database.ts --postgres <folder>",
  );
  expect(readFolder(folder)).toEqual(before);

  writeFileSync(join(data, "PG_VERSION"), "99\n");
  await expect(start()).rejects.toThrow("Nothing was changed.\nStart the newer version of the server again");
  writeFileSync(join(data, "PG_VERSION"), current);
  expect(await query((await start()).connection, "select text from notes")).toEqual(["kept"]);
});

test("a folder that cannot be created is named with the setting to change", async () => {
  await expect(start({ dataDir: "/dev/null/x" })).rejects.toThrow(/\/dev\/null\/x cannot be created.*FEATHER_DATA_DIR/);
});

test("a platform without binaries fails with a hint to DATABASE_URL", () => {
  expect(() => findBinaries("aix", "ppc")).toThrow(/aix-ppc.*DATABASE_URL/);
});
