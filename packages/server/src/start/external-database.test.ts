import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { errorCode } from "@feather/testing/errors";
import { freePort } from "@feather/testing/free-port";
import { waitFor } from "@feather/testing/wait-for";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { connectDatabase } from "../platform/core/db/connect.ts";
import { isRoot } from "../platform/core/db/embedded/account.ts";
import { isStorageUnavailable } from "../platform/core/db/errors.ts";
import { detectPooling } from "../platform/core/db/pooling.ts";
import { createTemporaryFolder } from "../platform/core/db/temporary.ts";
import { beginTestStart } from "../testing/started-platform.ts";
import { openSwitchedAddress } from "../testing/switched-address.ts";
import { OWNER, SERVER, startTcpPostgres, tcpUrl, toUserList } from "../testing/tcp-postgres.ts";

const ADMIN = { email: "root@example.com", password: "a long enough secret 1" };
const ENV = {
  FEATHER_ADMIN_EMAIL: ADMIN.email,
  FEATHER_ADMIN_PASSWORD: ADMIN.password,
  FEATHER_SECRET: "s".repeat(32),
  FEATHER_PRELOAD: "off",
};

let postgres: Awaited<ReturnType<typeof startTcpPostgres>>;
let folder: string;
const stops: (() => Promise<void>)[] = [];
beforeEach(async () => {
  postgres = await startTcpPostgres();
  folder = createTemporaryFolder("feather-external-");
});
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
  await postgres.close();
  rmSync(folder, { recursive: true });
});

/** Starts a server on a database. Returns a function that calls it as its admin. */
async function start(env: Record<string, string>) {
  const server = await beginTestStart({ ...ENV, ...env }, folder);
  stops.push(server.stop);
  await server.ready;
  const { url } = server;
  const login = await call(url, "/api/auth/login", ADMIN);
  const token = login.headers.get("x-session-token") ?? "";
  return { ...server, call: (path: string, body?: object, bearer = token) => call(url, path, body, bearer) };
}
type Started = Awaited<ReturnType<typeof start>>;

function call(url: string, path: string, body?: object, token?: string): Promise<Response> {
  return fetch(url + path, {
    method: body === undefined ? "GET" : "POST",
    headers: {
      ...(body && { "content-type": "application/json" }),
      "x-session-transport": "token",
      ...(token && { authorization: `Bearer ${token}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
}

async function createKey({ call: callServer }: Started, name: string): Promise<string> {
  const response = await callServer("/api/api-keys", { name });
  expect(response.status).toBe(201);
  return ((await response.json()) as { secret: string }).secret;
}

async function run(command: string, args: readonly string[], env: Record<string, string>) {
  const path = fileURLToPath(new URL(`../commands/${command}.ts`, import.meta.url));
  const child = spawn(process.execPath, [path, ...args], { env: { ...process.env, FEATHER_DATA_DIR: folder, ...env } });
  const closed = once(child, "close");
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  await closed;
  return { status: child.exitCode, stdout, stderr };
}

test("two servers work over TCP and TLS with roles that own one database at most, and a backup is made and restored", async () => {
  const tls = `sslmode=verify-full&sslrootcert=${encodeURIComponent(postgres.certificate)}`;
  const addresses = {
    DATABASE_URL: tcpUrl(postgres.port, SERVER, tls),
    DATABASE_OWNER_URL: tcpUrl(postgres.port, OWNER, tls),
    FEATHER_SECRET: ENV.FEATHER_SECRET,
  };
  const replica = async () => ({ ...addresses, FEATHER_REPLICA_ADDRESS: `http://127.0.0.1:${await freePort()}` });
  const [first, second] = [await start(await replica()), await start(await replica())];
  const secret = await createKey(first, "laptop");
  expect((await second.call("/v1/plan", undefined, secret)).status).toBe(200);
  expect(await postgres.query("select count(*)::int as replicas from replicas")).toEqual([{ replicas: 2 }]);
  const unencrypted =
    "select from pg_stat_ssl join pg_stat_activity using (pid) where not ssl and datname = 'platform' and client_addr is not null";
  expect(await postgres.query(unencrypted)).toEqual([]);

  const file = join(folder, "backup");
  expect(await run("backup", [file], addresses)).toMatchObject({ status: 0, stderr: "" });
  await postgres.query(`create database another owner ${OWNER}`);
  const restored = await run("restore", [file], {
    ...addresses,
    DATABASE_URL: tcpUrl(postgres.port, SERVER, tls, "another"),
    DATABASE_OWNER_URL: tcpUrl(postgres.port, OWNER, tls, "another"),
  });
  expect(restored).toMatchObject({ status: 0, stderr: "" });
  expect(await postgres.query("select name from api_keys", "another")).toEqual([{ name: "laptop" }]);
}, 120_000);

test("a gateway answers calls to models beside another server, and refuses everything else with the reason", async () => {
  const replica = async () => ({
    DATABASE_URL: tcpUrl(postgres.port, OWNER),
    FEATHER_REPLICA_ADDRESS: `http://127.0.0.1:${await freePort()}`,
  });
  const first = await start(await replica());
  const gateway = await start({ ...(await replica()), FEATHER_ROLE: "gateway" });
  expect(await postgres.query("select can_lead from replicas order by can_lead")).toEqual([
    { can_lead: false },
    { can_lead: true },
  ]);
  const secret = await createKey(first, "laptop");
  const body = { model: "feather/demo", messages: [{ role: "user", content: "Hi" }], max_tokens: 4 };
  // The first calls are refused while the leader loads the model.
  const chat = async () => (await gateway.call("/v1/chat/completions", body, secret)).status;
  await expect.poll(chat, { timeout: 60_000 }).toBe(200);
  for (const path of ["/v1/models", "/v1/plan", "/api/health/ready"])
    expect([path, (await gateway.call(path, undefined, secret)).status]).toEqual([path, 200]);
  for (const path of ["/", "/models", "/api/api-keys", "/api/auth/me", "/api/admin/users"]) {
    const answer = await gateway.call(path, undefined, secret);
    expect([path, answer.status, await answer.text()]).toEqual([
      path,
      404,
      expect.stringContaining("only answers calls"),
    ]);
  }
}, 120_000);

test("an address that cannot be used is refused with the reason", async () => {
  const attempt = async (url: string) => {
    const { ready, stop } = await beginTestStart({ ...ENV, DATABASE_URL: url }, folder);
    const reason = await ready.then(
      () => "it started",
      (error: Error) => error.message,
    );
    await stop();
    return reason;
  };
  for (const mode of ["verify-full", "require"])
    expect(await attempt(tcpUrl(postgres.port, OWNER, `sslmode=${mode}`))).toMatch(/self-signed certificate/);
  expect(await attempt(tcpUrl(await freePort(), OWNER))).toMatch(/ECONNREFUSED/);
  expect(await attempt(tcpUrl(postgres.port, OWNER).replace("127.0.0.1", "localhost").replace(":a%20", ":b"))).toMatch(
    /password authentication failed/,
  );
  expect(await attempt(tcpUrl(postgres.port, OWNER, "", "nowhere"))).toMatch(/"nowhere" does not exist/);
  expect(await attempt(tcpUrl(await freePort(), OWNER).replace("127.0.0.1", "localhost"))).toMatch(/ECONNREFUSED/);
}, 60_000);

test.each([
  ["works alone", async () => ({})],
  ["is a replica", async () => ({ FEATHER_REPLICA_ADDRESS: `http://127.0.0.1:${await freePort()}` })],
])(
  "a server that %s continues without a restart when another PostgreSQL takes over behind its address",
  async (_how, env) => {
    const address = await openSwitchedAddress(postgres.port);
    stops.push(address.close);
    const server = await start({ DATABASE_URL: tcpUrl(address.port, OWNER), ...(await env()) });
    await createKey(server, "before");
    const standby = await postgres.replaceByStandby();
    address.lead(standby.port);
    address.end();

    const statusOf = async (path: string, body?: object) => (await server.call(path, body)).status;
    await waitFor(async () => expect(await statusOf("/api/health/ready")).toBe(503));
    const refused = await server.call("/api/api-keys", { name: "meanwhile" });
    expect([refused.status, errorCode(await refused.json())]).toEqual([503, "storage_unavailable"]);
    await standby.promote();
    await waitFor(async () => expect(await statusOf("/api/api-keys", { name: "after" })).toBe(201));
    await waitFor(async () => expect(await statusOf("/api/health/ready")).toBe(200));
    expect(await standby.query("select name from api_keys order by name")).toEqual([
      { name: "after" },
      { name: "before" },
    ]);
    const locks = "select from pg_locks where locktype = 'advisory'";
    await waitFor(async () => expect(await standby.query(locks)).toHaveLength(1));
    expect(server.lost).toEqual([]);
    await expectRefused(tcpUrl(address.port, OWNER));
  },
  120_000,
);

/** Expects that a server that works alone does not start while another one uses the database. */
async function expectRefused(url: string): Promise<void> {
  const { ready, stop } = await beginTestStart({ ...ENV, DATABASE_URL: url }, folder);
  await expect(ready).rejects.toThrow("in use by another server");
  await stop();
}

test("a server does not start on a standby, which only reads", async () => {
  const server = await start({ DATABASE_URL: tcpUrl(postgres.port, OWNER) });
  await server.stop();
  const standby = await postgres.replaceByStandby();
  const { ready, stop } = await beginTestStart({ ...ENV, DATABASE_URL: tcpUrl(standby.port, OWNER) }, folder);
  await expect(ready).rejects.toThrow("leads to a read-only standby");
  await stop();
}, 60_000);

test("connections to a failed machine are given up, and the server continues with new ones", async () => {
  const address = await openSwitchedAddress(postgres.port);
  stops.push(address.close);
  const { pool, close } = connectDatabase(
    { connectionString: tcpUrl(address.port, OWNER) },
    { maxConnections: 2, timeouts: { statementMs: 300, idleTransactionMs: 300 }, silenceMarginMs: 200 },
  );
  stops.push(close);
  const ask = () => pool.query("select 1 as one");
  await Promise.all([ask(), ask()]);
  address.hold(true);
  const failures = await Promise.all([ask(), ask()].map((query) => query.catch((error: unknown) => error)));
  expect(failures.map(isStorageUnavailable)).toEqual([true, true]);
  address.hold(false);
  expect((await ask()).rows).toEqual([{ one: 1 }]);
}, 60_000);

const POOLER = "pgbouncer";
const obstacle = spawnSync(POOLER, ["--version"]).status === 0 ? null : `${POOLER} is not installed`;

describe("behind PgBouncer", () => {
  if (obstacle !== null) {
    test("the connection behind PgBouncer is tried", (context) => context.skip(obstacle));
    return;
  }

  async function startPooler(mode: "session" | "transaction"): Promise<number> {
    const port = await freePort();
    const [config, users] = [join(folder, `${mode}.ini`), join(folder, "users.txt")];
    writeFileSync(users, toUserList());
    writeFileSync(
      config,
      `[databases]
      platform = host=127.0.0.1 port=${postgres.port} dbname=platform
      [pgbouncer]
      listen_addr = 127.0.0.1
      listen_port = ${port}
      unix_socket_dir =
      auth_type = scram-sha-256
      auth_file = ${users}
      pool_mode = ${mode}
      default_pool_size = 8
      ${isRoot() ? "user = nobody" : ""}
      `,
    );
    for (const file of [config, users]) chmodSync(file, 0o644);
    const child = spawn(POOLER, [config], { stdio: ["ignore", "ignore", "pipe"] });
    const log = text(child.stderr);
    stops.push(async () => {
      child.kill("SIGKILL");
      await log;
    });
    await waitFor(() => detectPooling({ connectionString: tcpUrl(port, OWNER) }));
    return port;
  }

  test("the mode of PgBouncer is found out", async () => {
    const detect = async (port: number) => detectPooling({ connectionString: tcpUrl(port, OWNER) });
    expect(await detect(postgres.port)).toBe("none");
    expect(await detect(await startPooler("session"))).toBe("session");
    expect(await detect(await startPooler("transaction"))).toBe("transaction");
  }, 60_000);

  test("a server in session mode needs nothing more", async () => {
    const port = await startPooler("session");
    const server = await start({
      DATABASE_URL: tcpUrl(port, OWNER),
      FEATHER_REPLICA_ADDRESS: `http://127.0.0.1:${await freePort()}`,
    });
    await createKey(server, "laptop");
  }, 60_000);

  test("servers in transaction mode are refused without an address that leads around it", async () => {
    const port = await startPooler("transaction");
    const refusal = async (env: Record<string, string>) => {
      const { ready, stop } = await beginTestStart({ ...ENV, ...env }, folder);
      const message = await ready.then(
        () => "it started",
        (error: Error) => error.message,
      );
      await stop();
      return message;
    };
    const url = tcpUrl(port, OWNER);
    expect(await refusal({ DATABASE_URL: url })).toMatch(
      /^DATABASE_URL leads through a connection pooler in transaction mode.*Name PostgreSQL itself in DATABASE_DIRECT_URL/,
    );
    expect(await refusal({ DATABASE_URL: url, DATABASE_DIRECT_URL: url })).toMatch(
      /^DATABASE_DIRECT_URL leads through/,
    );
    expect(await refusal({ DATABASE_URL: tcpUrl(port, SERVER), DATABASE_OWNER_URL: url })).toMatch(
      /^DATABASE_OWNER_URL leads through/,
    );
  }, 60_000);

  test.each([
    ["one role", OWNER, "DATABASE_DIRECT_URL"],
    ["two roles", SERVER, "DATABASE_OWNER_URL"],
  ])(
    "two servers in transaction mode with %s work if a direct address is also set",
    async (_roles, role, direct) => {
      const port = await startPooler("transaction");
      const replica = async () => ({
        DATABASE_URL: tcpUrl(port, role),
        [direct]: tcpUrl(postgres.port, OWNER),
        FEATHER_REPLICA_ADDRESS: `http://127.0.0.1:${await freePort()}`,
      });
      const [first, second] = [await start(await replica()), await start(await replica())];
      const secret = await createKey(first, "laptop");
      const plan = (server: Started) => server.call("/v1/plan", undefined, secret).then(({ status }) => status);
      expect(await plan(second)).toBe(200);
      const body = { model: "feather/nothing", messages: [{ role: "user", content: "Hello" }] };
      const calls = [first, second].flatMap((server) =>
        Array.from({ length: 30 }, () =>
          server.call("/v1/chat/completions", body, secret).then(({ status }) => status),
        ),
      );
      expect(new Set(await Promise.all(calls))).toEqual(new Set([404]));
      // A server learns of changes by another one from a message of PostgreSQL.
      await postgres.query("update api_keys set disabled = true");
      await waitFor(async () => expect(await plan(second)).toBe(401));
      const settings = await postgres.query(
        `select setconfig from pg_db_role_setting join pg_roles on pg_roles.oid = setrole where rolname = '${role}'`,
      );
      expect(settings).toEqual([
        { setconfig: ["statement_timeout=30000", "idle_in_transaction_session_timeout=15000"] },
      ]);

      const file = join(folder, "backup");
      const env = {
        DATABASE_URL: tcpUrl(port, role),
        [direct]: tcpUrl(postgres.port, OWNER),
        FEATHER_SECRET: ENV.FEATHER_SECRET,
      };
      expect(await run("backup", [file], env)).toMatchObject({ status: 0, stderr: "" });
    },
    120_000,
  );
});
