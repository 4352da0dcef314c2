import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFeather, type Feather } from "@feather/sdk";
import { type FakeUpstream, startFakeUpstream, type UpstreamScript } from "@feather/testing/fake-upstream";
import { freePort } from "@feather/testing/free-port";
import pg from "pg";
import { TOKEN_TRANSPORT } from "../support/accounts.ts";
import { ADMIN, type Platform, startPlatform } from "../support/platform.ts";
import { startBalancer } from "./balancer.ts";
import { startNginx } from "./nginx.ts";
import { mountSmallDisk, type SmallDisk } from "./small-disk.ts";

/** What the server package starts as the embedded PostgreSQL; TypeScript's projects keep its source out of this one. */
type EmbeddedPostgres = {
  connection: { host: string; user: string; database: string };
  stop(): Promise<void>;
};
type StartPostgres = (options: { dataDir: string; log: object }) => Promise<EmbeddedPostgres>;
const EMBEDDED = new URL("../../packages/server/src/platform/core/db/embedded.ts", import.meta.url).href;

/** The model of the backend. */
export const MODEL = "slow/talker";
/** Units of the first admin's plan; a call to the model takes one. */
export const UNITS = 8;

/** A server of the database, which can be paused, killed and started again. */
export type ReplicaProcess = {
  port: number;
  /** Where it listens for the others. */
  replicaAddress: string;
  /** Its process at the moment. */
  platform(): Platform;
  kill(): Promise<void>;
  /** Ends it as an operator does; returns its exit code. */
  stop(): Promise<number | null>;
  pause(): void;
  resume(): void;
  start(settings?: Record<string, string>): Promise<void>;
};

/** Several replicas on one PostgreSQL behind nginx, with a slow backend. */
export type ReplicaEnvironment = {
  backend: FakeUpstream;
  replicas: readonly ReplicaProcess[];
  /** Where callers send their requests: nginx, or a stand-in where it is not installed. */
  url: string;
  hasNginx: boolean;
  /** The secret of an API key of the first admin. */
  key: string;
  /** A client of the first admin at one address. */
  adminAt(baseUrl: string): Feather;
  /** Runs a query as the owner of the database, or of another one of the same PostgreSQL. */
  query<Row extends pg.QueryResultRow>(text: string, database?: string): Promise<Row[]>;
  /** The address of the database as its owner, or of another one of the same PostgreSQL. */
  databaseUrl(database?: string): string;
  /** The settings that all replicas have. */
  settings: Readonly<Record<string, string>>;
  /** A new folder, which is removed with the environment. */
  createFolder(): string;
  /** The disk of the database; null if it shares one. */
  disk: SmallDisk | null;
  /** The processes of PostgreSQL. */
  listDatabaseProcesses(): number[];
  close(): Promise<void>;
};

/** Streams as many tokens as the request allows, 20 a second; other answers take a tenth of a second. */
export const SLOW: UpstreamScript = {
  usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 },
  reply: ({ stream, max_tokens }) =>
    stream === true
      ? { delayMs: 50, tokens: Array.from({ length: Number(max_tokens ?? 20) }, () => " more") }
      : { thinkMs: 100, tokens: ["Well."] },
};

type ReplicaOptions = {
  settings?: Record<string, string>;
  /** Puts the database on its own disk of this many bytes, if this machine allows that. */
  diskBytes?: number;
};

/** Starts PostgreSQL, the backend, this many replicas and nginx. If one of them cannot be started, stops the others. */
export async function openReplicas(count: number, options: ReplicaOptions = {}): Promise<ReplicaEnvironment> {
  const folder = mkdtempSync(join(tmpdir(), "feather-faults-"));
  chmodSync(folder, 0o711);
  /** What ends the parts, in the order of their start. */
  const stops: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
  const close = async () => {
    for (const stop of stops.splice(0).reverse()) await stop();
  };
  try {
    return { ...(await openParts({ ...options, count, folder, stops })), close };
  } catch (error) {
    await close();
    throw error;
  }
}

type Parts = ReplicaOptions & { count: number; folder: string; stops: (() => unknown)[] };

async function openParts({
  count,
  folder,
  stops,
  settings,
  diskBytes,
}: Parts): Promise<Omit<ReplicaEnvironment, "close">> {
  const disk = diskBytes === undefined ? null : mountSmallDisk(join(folder, "database"), diskBytes);
  stops.push(() => disk?.unmount());
  const { startEmbeddedPostgres } = (await import(EMBEDDED)) as { startEmbeddedPostgres: StartPostgres };
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, "database"), log: { info() {}, warn() {} } });
  stops.push(postgres.stop);
  const backend = await startFakeUpstream(SLOW, [MODEL]);
  stops.push(backend.close);
  const shared = {
    DATABASE_URL: toUrl(postgres.connection),
    FEATHER_SECRET: randomBytes(32).toString("hex"),
    FEATHER_LOG_LEVEL: "silent",
    FEATHER_PRELOAD: "off", // no call is to a model of this machine
    FEATHER_TRUSTED_PROXIES: "loopback",
    FEATHER_SHUTDOWN_DELAY: "2", // as where other machines can reach the server
    FEATHER_BACKENDS: JSON.stringify([{ name: "slow", base_url: backend.baseUrl, models: [MODEL] }]),
    ...settings,
  };
  const replicas: ReplicaProcess[] = [];
  stops.push(() => Promise.all(replicas.map((replica) => replica.stop())));
  for (let index = 0; index < count; index++)
    replicas.push(await startReplica(join(folder, `replica-${index}`), shared));
  const ports = replicas.map(({ port }) => port);
  const nginx = await startNginx(folder, ports);
  const front = nginx ?? (await startBalancer(ports));
  stops.push(front.stop);
  const { url } = front;
  const { response } = await createFeather({ baseUrl: url }).auth.login(ADMIN, TOKEN_TRANSPORT).withResponse();
  const token = response.headers.get("x-session-token") ?? "";
  const adminAt = (baseUrl: string) => createFeather({ baseUrl, token, maxRetries: 0, timeout: 60_000 });
  const { secret } = await adminAt(url).apiKeys.create({ name: "callers" });
  return {
    backend,
    replicas,
    url,
    hasNginx: nginx !== null,
    key: secret,
    adminAt,
    settings: shared,
    query: (text, database) => query(postgres, text, database),
    databaseUrl: (database = postgres.connection.database) => toUrl({ ...postgres.connection, database }),
    createFolder: () => mkdtempSync(join(folder, "folder-")),
    disk,
    listDatabaseProcesses: () => listDatabaseProcesses(folder),
  };
}

async function startReplica(dataDir: string, shared: Record<string, string>): Promise<ReplicaProcess> {
  mkdirSync(dataDir, { mode: 0o711 });
  const port = await freePort();
  const replicaAddress = `http://127.0.0.1:${await freePort()}`;
  const fixed = { FEATHER_PORT: String(port), FEATHER_REPLICA_ADDRESS: replicaAddress };
  const start = (settings: Record<string, string> = {}) => startPlatform(dataDir, { ...shared, ...fixed, ...settings });
  let platform = await start();
  const end = (signal: NodeJS.Signals) => {
    platform.process.kill("SIGCONT");
    platform.process.kill(signal);
    return platform.ended;
  };
  return {
    port,
    replicaAddress,
    platform: () => platform,
    async kill() {
      await end("SIGKILL");
    },
    stop: () => end("SIGTERM"),
    pause: () => void platform.process.kill("SIGSTOP"),
    resume: () => void platform.process.kill("SIGCONT"),
    async start(settings) {
      platform = await start(settings);
    },
  };
}

function toUrl({ host, user, database }: EmbeddedPostgres["connection"]): string {
  return `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`;
}

async function query<Row extends pg.QueryResultRow>(
  { connection }: EmbeddedPostgres,
  text: string,
  database = connection.database,
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: toUrl({ ...connection, database }) });
  client.on("error", () => {}); // the query fails too
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

function listDatabaseProcesses(folder: string): number[] {
  const file = readdirSync(folder, { recursive: true, encoding: "utf8" }).find((path) =>
    path.endsWith("postmaster.pid"),
  );
  const [first = ""] = readFileSync(join(folder, file ?? "postmaster.pid"), "utf8").split("\n");
  const children = execFileSync("ps", ["-o", "pid=", "--ppid", first], { encoding: "utf8" });
  return [first, ...children.trim().split(/\s+/)].map(Number);
}
