import { chownSync, cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SELF_SIGNED } from "@feather/testing/certificate";
import { freePort } from "@feather/testing/free-port";
import { waitFor } from "@feather/testing/wait-for";
import pg from "pg";
import { chooseDatabaseAccount } from "../core/db/embedded/account.ts";
import { ensureReachableBinaries, findBinaries } from "../core/db/embedded/binaries.ts";
import { ensureDataDirectory, SUPERUSER } from "../core/db/embedded/cluster.ts";
import { type Cluster, spawnPostmaster, stopPostmaster } from "../core/db/embedded/postmaster.ts";
import { createTemporaryFolder } from "../core/db/temporary.ts";

/** The role that owns the database, and nothing else. */
export const OWNER = "feather_owner";
/** A role without rights of its own. */
export const SERVER = "feather_server";
const PASSWORD = "a password of the database/@:";
const DATABASE = "platform";

/** Settings that make tests fast: nothing has to survive a crash of the machine. */
const SETTINGS = { fsync: "off", synchronous_commit: "off", full_page_writes: "off", timezone: "UTC" };

/** A PostgreSQL that listens on TCP, takes passwords only, and offers TLS for `localhost` and `127.0.0.1`. */
export async function startTcpPostgres() {
  const folder = createTemporaryFolder("feather-tcp-");
  const cluster = await createCluster(folder, "primary");
  await start(cluster);
  await query(cluster, "postgres", [
    `create role ${OWNER} login password '${PASSWORD}'`,
    `create role ${SERVER} login password '${PASSWORD}'`,
    `create database ${DATABASE} owner ${OWNER}`,
  ]);
  const running = [cluster];
  return {
    port: cluster.port,
    /** The file of the certificate that the server shows, which signs itself. */
    certificate: join(cluster.data, "server.crt"),
    query: (statement: string, database = DATABASE) => query(cluster, database, [statement]),
    /** Stops it, and starts a copy of it at a port of its own that only reads until it is promoted. */
    async replaceByStandby() {
      await stopPostmaster(cluster);
      const standby = await createCluster(folder, "standby", cluster.data);
      writeFileSync(join(standby.data, "standby.signal"), "");
      await start(standby);
      running.push(standby);
      return {
        port: standby.port,
        promote: () => query(standby, "postgres", ["select pg_promote()"]),
        query: (statement: string) => query(standby, DATABASE, [statement]),
      };
    },
    async close(): Promise<void> {
      for (const each of running) await stopPostmaster(each);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The address of the database. `parameters` are those of the connection, such as `sslmode=verify-full`. */
export function tcpUrl(port: number, role: string, parameters = "", database = DATABASE): string {
  return `postgres://${role}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/${database}${parameters && `?${parameters}`}`;
}

/** The user list of PgBouncer for both roles. */
export const toUserList = (): string => [OWNER, SERVER].map((role) => `"${role}" "${PASSWORD}"\n`).join("");

type TcpCluster = Cluster & { port: number };

/** Prepares a cluster, a new one or a copy of another's data. */
async function createCluster(parent: string, name: string, original?: string): Promise<TcpCluster> {
  const directory = join(parent, name);
  mkdirSync(directory, { mode: 0o700 });
  const account = chooseDatabaseAccount(directory);
  const own = (path: string) => account && chownSync(path, account.uid, account.gid);
  own(directory);
  const binaries = ensureReachableBinaries(findBinaries(), account, directory);
  if (original !== undefined) cpSync(original, join(directory, "data"), { recursive: true, preserveTimestamps: true });
  const data = ensureDataDirectory(directory, binaries, account, false);
  for (const copied of readdirSync(data, { recursive: true, encoding: "utf8" })) own(join(data, copied));
  own(data);
  const rules = [
    "local all all trust",
    "hostnossl all all 127.0.0.1/32 scram-sha-256",
    "hostssl all all 127.0.0.1/32 scram-sha-256",
  ];
  const files = { "pg_hba.conf": rules.join("\n"), "server.crt": SELF_SIGNED.cert, "server.key": SELF_SIGNED.key };
  for (const [file, text] of Object.entries(files)) {
    writeFileSync(join(data, file), `${text}\n`, { mode: 0o600 });
    own(join(data, file));
  }
  const port = await freePort();
  const settings = { ...SETTINGS, listen_addresses: "127.0.0.1", port: String(port), ssl: "on" };
  return { directory, data, socket: directory, binaries, account, settings, port };
}

async function start(cluster: TcpCluster): Promise<void> {
  const postmaster = spawnPostmaster(cluster);
  await waitFor(() => {
    if (postmaster.hasExited()) throw new Error(postmaster.log());
    return query(cluster, "postgres", ["select 1"]);
  });
}

async function query(
  { socket, port }: TcpCluster,
  database: string,
  statements: readonly string[],
): Promise<unknown[]> {
  const client = new pg.Client({ host: socket, port, user: SUPERUSER, database });
  client.on("error", () => {});
  await client.connect();
  try {
    let rows: unknown[] = [];
    for (const statement of statements) rows = (await client.query<object>(statement)).rows;
    return rows;
  } finally {
    await client.end();
  }
}
