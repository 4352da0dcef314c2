import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import { APPLICATION_ROLE } from "./application-role.ts";
import type { SocketConnection } from "./connect.ts";
import { restrictAccess } from "./embedded/access.ts";
import { databaseAccount } from "./embedded/account.ts";
import { initialisedData, SUPERUSER } from "./embedded/cluster.ts";
import { clusterDirectory, FALLBACK_ROOT } from "./embedded/location.ts";
import type { DatabaseLog } from "./embedded/log.ts";
import { takeOwnership } from "./embedded/owner.ts";
import { type Cluster, runningPostmaster, stopPostmaster } from "./embedded/postmaster.ts";
import { findBinaries, reachableBinaries } from "./embedded/programs.ts";
import { ensureRunning, maintenanceClient } from "./embedded/running.ts";
import { SOCKET_ROOT, socketDirectory } from "./embedded/socket.ts";

export type { DatabaseLog } from "./embedded/log.ts";

export type EmbeddedOptions = {
  /** The platform's data folder; created where needed. */
  dataDir: string;
  log: DatabaseLog;
  /** False only for databases that may be lost, such as those of tests. */
  durable?: boolean;
  /** Where the cluster goes when root keeps its data folder where the database's user cannot enter. */
  fallbackRoot?: string;
  /** Where the socket's directory goes when the cluster's own path is too long for it. */
  socketRoot?: string;
};

export type EmbeddedPostgres = {
  /** As the owner of everything, for migrations and for the commands of operators. */
  connection: SocketConnection;
  /** As the role of the server, which `grantApplicationRole` makes. */
  application: SocketConnection;
  /** Ends the database server; takes at most half a minute. */
  stop(): Promise<void>;
};

const DATABASE = "feather";

const SETTINGS = {
  max_connections: "100",
  shared_buffers: "128MB",
  effective_cache_size: "1GB",
  work_mem: "8MB",
  maintenance_work_mem: "64MB",
  jit: "off",
  timezone: "UTC",
  log_timezone: "UTC",
  log_checkpoints: "off",
};
const DURABLE = { fsync: "on", synchronous_commit: "on", full_page_writes: "on" };
const VOLATILE = { fsync: "off", synchronous_commit: "off", full_page_writes: "off" };

/**
 * Starts the PostgreSQL of this data folder, or adopts it when it outlived a killed server, and takes the folder for
 * this process. It listens on a Unix socket only. A server that dies is started again until `stop`.
 * Throws an Error that says what to do: no binaries for this platform, folder unusable, folder owned by another server.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { dataDir, log } = options;
  const cluster = prepareCluster(options);
  await ensureRunning(cluster, log);
  const owner = keepOwnership(cluster, dataDir, log, await takeOwnership(cluster, dataDir));
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

/** For commands: the PostgreSQL of this data folder as its server runs it, or started for as long as the command takes. */
export async function visitEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const cluster = prepareCluster(options);
  if (runningPostmaster(cluster) === undefined) return startEmbeddedPostgres(options);
  return { ...connectionsTo(cluster), stop: async () => {} };
}

function connectionsTo(cluster: Cluster): Pick<EmbeddedPostgres, "connection" | "application"> {
  const connection = { host: cluster.socket, user: SUPERUSER, database: DATABASE };
  return { connection, application: { ...connection, user: APPLICATION_ROLE } };
}

function prepareCluster(options: EmbeddedOptions): Cluster {
  const packaged = findBinaries();
  const directory = clusterDirectory(options.dataDir, options.fallbackRoot ?? FALLBACK_ROOT, options.log);
  const account = databaseAccount(directory);
  const binaries = reachableBinaries(packaged, account, directory);
  const durable = options.durable !== false;
  const data = initialisedData(directory, binaries, account, durable);
  restrictAccess(data, account);
  const socket = socketDirectory(directory, account, options.socketRoot ?? SOCKET_ROOT);
  const settings = { ...SETTINGS, ...(durable ? DURABLE : VOLATILE) };
  return { directory, data, socket, binaries, account, settings };
}

async function createDatabase(cluster: Cluster): Promise<void> {
  const client = maintenanceClient(cluster, "feather-start");
  try {
    await client.connect();
    await client.query("select pg_reload_conf()"); // one that was adopted may know older rules of access
    const { rowCount } = await client.query("select from pg_database where datname = $1", [DATABASE]);
    if (rowCount === 0) await client.query(`create database ${DATABASE}`);
  } finally {
    await client.end();
  }
}

/** Holds the folder for this process: when the database server dies, it is started and the folder taken again. */
function keepOwnership(cluster: Cluster, dataDir: string, log: DatabaseLog, first: Client): { release(): void } {
  let released = false;
  const hold = (client: Client) => client.once("end", () => void regain());
  const regain = async (): Promise<void> => {
    while (!released) {
      try {
        log.warn("The connection to the embedded database broke; looking after the database server.");
        await ensureRunning(cluster, log);
        hold(await takeOwnership(cluster, dataDir));
        return;
      } catch (error) {
        log.warn(`The embedded database is not back yet: ${error instanceof Error ? error.message : String(error)}`);
        await sleep(1_000, undefined, { ref: false });
      }
    }
  };
  hold(first);
  return {
    release: () => {
      released = true;
    },
  };
}
