import { chownSync, cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SELF_SIGNED } from "@feather/testing/certificate";
import { freePort } from "@feather/testing/free-port";
import { waitFor } from "@feather/testing/wait-for";
import pg from "pg";
import { expect } from "vitest";
import { chooseDatabaseAccount } from "../platform/core/db/embedded/account.ts";
import { ensureReachableBinaries, findBinaries } from "../platform/core/db/embedded/binaries.ts";
import { ensureDataDirectory, SUPERUSER } from "../platform/core/db/embedded/cluster.ts";
import {
  type Cluster,
  findRunningPostmaster,
  spawnPostmaster,
  stopPostmaster,
} from "../platform/core/db/embedded/postmaster.ts";
import { createTemporaryFolder } from "../platform/core/db/temporary.ts";
import { openSwitchedAddress } from "./switched-address.ts";

/** The role that owns the database and has no other rights. */
export const OWNER = "feather_owner";
/** A role that has no rights by default. */
export const SERVER = "feather_server";
const PASSWORD = "a password of the database/@:";
const DATABASE = "platform";
const REPLICATION_ROLE = "replicator";
/** The name of the standby and of its replication slot, for which commits wait. */
const STANDBY = "standby";

/** Settings that make tests fast: the data need not survive a crash of the machine. */
const SETTINGS = { fsync: "off", synchronous_commit: "off", full_page_writes: "off", timezone: "UTC" };

/** A PostgreSQL that listens on TCP, accepts passwords only, and offers TLS for `localhost` and `127.0.0.1`. */
export async function startTcpPostgres(settings: Record<string, string> = {}) {
  const folder = createTemporaryFolder("feather-tcp-");
  const cluster = await createCluster(folder, "primary", { settings });
  await start(cluster);
  await query(cluster, "postgres", [
    `create role ${OWNER} login password '${PASSWORD}'`,
    `create role ${SERVER} login password '${PASSWORD}'`,
    `create database ${DATABASE} owner ${OWNER}`,
  ]);
  const running = [cluster];
  let line: Awaited<ReturnType<typeof openSwitchedAddress>> | undefined;
  return {
    port: cluster.port,
    /** The server's self-signed certificate. */
    certificate: join(cluster.data, "server.crt"),
    query: (statement: string, database = DATABASE) => query(cluster, database, [statement]),
    /** Stops the database, and starts a copy of it on another port that is read-only until it is promoted. */
    async replaceByStandby() {
      await stopPostmaster(cluster);
      const standby = await createCluster(folder, "standby", { original: cluster.data, settings });
      return startStandby(standby, running);
    },
    /** Starts a standby that receives all changes through a replication slot, over a connection that can be cut. */
    async addStandby() {
      await query(cluster, "postgres", [
        `create role ${REPLICATION_ROLE} replication login password '${PASSWORD}'`,
        `select pg_create_physical_replication_slot('${STANDBY}', true)`,
      ]);
      line = await openSwitchedAddress(cluster.port);
      const standby = await copyRunning(cluster, folder, {
        ...settings,
        primary_slot_name: STANDBY,
        primary_conninfo: `host=127.0.0.1 port=${line.port} user=${REPLICATION_ROLE} password='${PASSWORD}' application_name=${STANDBY}`,
      });
      return startStandby(standby, running);
    },
    /** Makes commits wait until the standby has them. Resolves when it is synchronous. */
    async waitForStandby(): Promise<void> {
      const settle = [`alter system set synchronous_standby_names = '${STANDBY}'`, "select pg_reload_conf()"];
      for (const statement of settle) await query(cluster, "postgres", [statement]);
      const states = "select sync_state from pg_stat_replication";
      await waitFor(async () => expect(await query(cluster, "postgres", [states])).toEqual([{ sync_state: "sync" }]));
    },
    /** Cuts the standby off from all changes. Resolves when a commit waits for it. */
    async cutOffStandby(): Promise<void> {
      line?.hold(true);
      const waiting = "select count(*)::int as commits from pg_stat_activity where wait_event = 'SyncRep'";
      await waitFor(async () => expect(await query(cluster, "postgres", [waiting])).not.toEqual([{ commits: 0 }]));
    },
    /** Kills the database, as if its machine lost power. What it was doing is left unfinished. */
    async kill(): Promise<void> {
      const pid = findRunningPostmaster(cluster)?.pid;
      if (pid === undefined) throw new Error("It is not running.");
      process.kill(pid, "SIGKILL");
      await waitFor(() => expect(query(cluster, "postgres", ["select 1"])).rejects.toThrow());
    },
    async close(): Promise<void> {
      await line?.close();
      for (const each of running) await stopPostmaster(each);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Returns the address of the database. `parameters` are added to it, such as `sslmode=verify-full`. */
export function tcpUrl(port: number, role: string, parameters = "", database = DATABASE): string {
  return `postgres://${role}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/${database}${parameters && `?${parameters}`}`;
}

/** Returns the user list of PgBouncer for both roles. */
export const toUserList = (): string => [OWNER, SERVER].map((role) => `"${role}" "${PASSWORD}"\n`).join("");

type TcpCluster = Cluster & { port: number };
/** `original` is the data folder that is copied. */
type ClusterOptions = { settings: Record<string, string>; original?: string };

/** Starts a cluster that is read-only until it is promoted. */
async function startStandby(standby: TcpCluster, running: TcpCluster[]) {
  writeFileSync(join(standby.data, "standby.signal"), "");
  await start(standby);
  running.push(standby);
  return {
    port: standby.port,
    promote: () => query(standby, "postgres", ["select pg_promote()"]),
    query: (statement: string) => query(standby, DATABASE, [statement]),
  };
}

/** Copies the data of a running cluster with a base backup, and prepares a new cluster with it. */
async function copyRunning(cluster: TcpCluster, parent: string, settings: Record<string, string>): Promise<TcpCluster> {
  const client = await connect(cluster, "postgres");
  try {
    await client.query("select pg_backup_start('standby', true)");
    const standby = await createCluster(parent, "standby", { original: cluster.data, settings });
    const { rows } = await client.query<{ labelfile: string }>("select labelfile from pg_backup_stop()");
    writeFileSync(join(standby.data, "backup_label"), rows[0]?.labelfile ?? "");
    rmSync(join(standby.data, "postmaster.pid"), { force: true });
    rmSync(join(standby.data, "pg_replslot"), { recursive: true });
    mkdirSync(join(standby.data, "pg_replslot"), { mode: 0o700 });
    ownAll(standby);
    return standby;
  } finally {
    await client.end();
  }
}

/** Makes the database's account own all files in a data folder. */
function ownAll({ data, account }: Pick<TcpCluster, "data" | "account">): void {
  if (!account) return;
  for (const name of readdirSync(data, { recursive: true, encoding: "utf8" }))
    chownSync(join(data, name), account.uid, account.gid);
}

/** Prepares a cluster, a new one or a copy of another's data. */
async function createCluster(
  parent: string,
  name: string,
  { settings, original }: ClusterOptions,
): Promise<TcpCluster> {
  const directory = join(parent, name);
  mkdirSync(directory, { mode: 0o700 });
  const account = chooseDatabaseAccount(directory);
  const own = (path: string) => account && chownSync(path, account.uid, account.gid);
  own(directory);
  const binaries = ensureReachableBinaries(findBinaries(), account, directory);
  if (original !== undefined) cpSync(original, join(directory, "data"), { recursive: true, preserveTimestamps: true });
  const data = ensureDataDirectory(directory, binaries, account, false);
  ownAll({ data, account });
  own(data);
  const rules = [
    "local all all trust",
    "hostnossl all all 127.0.0.1/32 scram-sha-256",
    "hostssl all all 127.0.0.1/32 scram-sha-256",
    `host replication ${REPLICATION_ROLE} 127.0.0.1/32 scram-sha-256`,
  ];
  const files = { "pg_hba.conf": rules.join("\n"), "server.crt": SELF_SIGNED.cert, "server.key": SELF_SIGNED.key };
  for (const [file, text] of Object.entries(files)) {
    writeFileSync(join(data, file), `${text}\n`, { mode: 0o600 });
    own(join(data, file));
  }
  const port = await freePort();
  const all = { ...SETTINGS, ...settings, listen_addresses: "127.0.0.1", port: String(port), ssl: "on" };
  return { directory, data, socket: directory, binaries, account, settings: all, port };
}

async function start(cluster: TcpCluster): Promise<void> {
  const postmaster = spawnPostmaster(cluster);
  await waitFor(() => {
    if (postmaster.hasExited()) throw new Error(postmaster.log());
    return query(cluster, "postgres", ["select 1"]);
  });
}

async function connect({ socket, port }: TcpCluster, database: string): Promise<pg.Client> {
  const client = new pg.Client({ host: socket, port, user: SUPERUSER, database });
  client.on("error", () => {});
  await client.connect();
  return client;
}

async function query(cluster: TcpCluster, database: string, statements: readonly string[]): Promise<unknown[]> {
  const client = await connect(cluster, database);
  try {
    let rows: unknown[] = [];
    for (const statement of statements) rows = (await client.query<object>(statement)).rows;
    return rows;
  } finally {
    await client.end();
  }
}
