import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import { APPLICATION_ROLE } from "./application-role.ts";
import type { SocketConnection } from "./connect.ts";
import { restrictAccess } from "./embedded/access.ts";
import { chooseDatabaseAccount } from "./embedded/account.ts";
import { type Binaries, ensureReachableBinaries, findBinaries } from "./embedded/binaries.ts";
import { chooseSharedBuffers, readMemoryBytes } from "./embedded/buffers.ts";
import { ensureDataDirectory, finishUpgrade, refuseOtherMajorVersion, SUPERUSER } from "./embedded/cluster.ts";
import { createMaintenanceClient, ensureRunning } from "./embedded/ensure-running.ts";
import { ensureClusterDirectory, FALLBACK_ROOT } from "./embedded/location.ts";
import type { DatabaseLog } from "./embedded/log.ts";
import { acquireOwnership } from "./embedded/ownership.ts";
import { type Cluster, findRunningPostmaster, stopPostmaster } from "./embedded/postmaster.ts";
import { ensureSocketDirectory, SOCKET_ROOT } from "./embedded/socket.ts";

export type { DatabaseLog } from "./embedded/log.ts";

/** Options of the embedded PostgreSQL. */
export type EmbeddedOptions = {
  /** The data folder; created if needed. */
  dataDir: string;
  log: DatabaseLog;
  /** False only for databases that may be lost, for example in tests. */
  durable?: boolean;
  /** Parent of the cluster directory when root's data folder cannot be entered by the database's user. */
  fallbackRoot?: string;
  /** The PostgreSQL programs; by default those that are installed with the server. */
  binaries?: Binaries;
  /** Parent of the socket directory when the cluster's own path is too long for a socket. */
  socketRoot?: string;
};

/** A running embedded PostgreSQL. */
export type EmbeddedPostgres = {
  /** The connection as the owner of all tables, for migrations and operators' commands. */
  connection: SocketConnection;
  /** The connection as the server's role, which `grantApplicationRole` creates. */
  application: SocketConnection;
  /** Stops the database server. Takes at most 30 seconds. */
  stop(): Promise<void>;
};

const DATABASE_NAME = "feather";

const COMMON_SETTINGS = {
  max_connections: "100",
  effective_cache_size: "1GB",
  work_mem: "8MB",
  maintenance_work_mem: "64MB",
  jit: "off",
  timezone: "UTC",
  log_timezone: "UTC",
  log_checkpoints: "off",
};
const DURABLE_SETTINGS = { fsync: "on", synchronous_commit: "on", full_page_writes: "on" };
const VOLATILE_SETTINGS = { fsync: "off", synchronous_commit: "off", full_page_writes: "off" };

/**
 * Starts the PostgreSQL of this data folder, or adopts one that is still running after its server was killed, and locks the
 * folder for this process. It listens only on a Unix socket, and is restarted if it dies before `stop`. Throws an Error for
 * operators: no binaries for this platform, unusable folder, database of another major version, or folder in use by another
 * server.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { dataDir, log } = options;
  const cluster = prepareCluster(options);
  await ensureRunning(cluster, log);
  const owner = keepOwnership(cluster, dataDir, log, await acquireOwnership(cluster, dataDir));
  const stop = async () => {
    owner.release();
    await stopPostmaster(cluster);
  };
  try {
    await createDatabase(cluster);
  } catch (error) {
    await stop();
    throw error;
  }
  let stopped: Promise<void> | undefined;
  return {
    ...connectionsTo(cluster),
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
}

/**
 * Connects to the PostgreSQL that a running server uses, or starts it until the returned connection is stopped. Used by
 * commands.
 */
export async function connectEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const cluster = prepareCluster(options);
  if (findRunningPostmaster(cluster) === undefined) return startEmbeddedPostgres(options);
  return { ...connectionsTo(cluster), stop: async () => {} };
}

function connectionsTo(cluster: Cluster): Pick<EmbeddedPostgres, "connection" | "application"> {
  const connection = { host: cluster.socket, user: SUPERUSER, database: DATABASE_NAME };
  return { connection, application: { ...connection, user: APPLICATION_ROLE } };
}

function prepareCluster(options: EmbeddedOptions): Cluster {
  const installedBinaries = options.binaries ?? findBinaries();
  const directory = ensureClusterDirectory(options.dataDir, options.fallbackRoot ?? FALLBACK_ROOT, options.log);
  finishUpgrade(directory);
  refuseOtherMajorVersion(directory, installedBinaries);
  const account = chooseDatabaseAccount(directory);
  const binaries = ensureReachableBinaries(installedBinaries, account, directory);
  const durable = options.durable !== false;
  const data = ensureDataDirectory(directory, binaries, account, durable);
  restrictAccess(data, account);
  const socket = ensureSocketDirectory(directory, account, options.socketRoot ?? SOCKET_ROOT);
  const buffers = { shared_buffers: chooseSharedBuffers(readMemoryBytes()) };
  const settings = { ...COMMON_SETTINGS, ...buffers, ...(durable ? DURABLE_SETTINGS : VOLATILE_SETTINGS) };
  return { directory, data, socket, binaries, account, settings };
}

async function createDatabase(cluster: Cluster): Promise<void> {
  const client = createMaintenanceClient(cluster, "feather-start");
  try {
    await client.connect();
    await client.query("select pg_reload_conf()"); // an adopted server may have loaded older access rules
    const { rowCount } = await client.query("select from pg_database where datname = $1", [DATABASE_NAME]);
    if (rowCount === 0) await client.query(`create database ${DATABASE_NAME}`);
  } finally {
    await client.end();
  }
}

/** Keeps the folder locked for this process: if the database server dies, restarts it and takes the lock again. */
function keepOwnership(
  cluster: Cluster,
  dataDir: string,
  log: DatabaseLog,
  initialClient: Client,
): { release(): void } {
  let released = false;
  const watch = (client: Client) => client.once("end", () => void reacquire());
  const reacquire = async (): Promise<void> => {
    while (!released) {
      try {
        log.warn("The connection to the embedded database broke; looking after the database server.");
        await ensureRunning(cluster, log);
        watch(await acquireOwnership(cluster, dataDir));
        return;
      } catch (error) {
        log.warn(`The embedded database is not back yet: ${error instanceof Error ? error.message : String(error)}`);
        await sleep(1_000, undefined, { ref: false });
      }
    }
  };
  watch(initialClient);
  return {
    release: () => {
      released = true;
    },
  };
}
