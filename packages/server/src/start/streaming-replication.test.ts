import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { errorCode } from "@feather/testing/errors";
import { startFakeUpstream } from "@feather/testing/fake-upstream";
import { freePort } from "@feather/testing/free-port";
import { waitFor } from "@feather/testing/wait-for";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Modules } from "../modules.ts";
import { verifyLedger } from "../money/ledger/index.ts";
import { createTemporaryFolder } from "../platform/core/db/temporary.ts";
import { beginTestStart } from "../testing/started-platform.ts";
import { openSwitchedAddress } from "../testing/switched-address.ts";
import { OWNER, startTcpPostgres, tcpUrl } from "../testing/tcp-postgres.ts";

const ADMIN = { email: "root@example.com", password: "a long enough secret 1" };
const MODEL = "acme/talker";
const GRANT_NANO_USD = 1_000_000_000_000n;
const CALL_NANO_USD = 1_000_000n;
/** Enough callers for the cut to interrupt calls in every stage. */
const CALLERS = 6;
const PAUSE_MS = 20;

let postgres: Awaited<ReturnType<typeof startTcpPostgres>>;
let address: Awaited<ReturnType<typeof openSwitchedAddress>>;
let folder: string;
const stops: (() => Promise<void>)[] = [];
beforeEach(async () => {
  folder = createTemporaryFolder("feather-replication-");
  postgres = await startTcpPostgres({ synchronous_commit: "on", fsync: "on" });
  address = await openSwitchedAddress(postgres.port);
});
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
  await address.close();
  await postgres.close();
  rmSync(folder, { recursive: true });
});

/** Starts a server on the address of the database. Returns it with a session of its admin. */
async function start(backend: string) {
  const server = await beginTestStart(
    {
      FEATHER_ADMIN_EMAIL: ADMIN.email,
      FEATHER_ADMIN_PASSWORD: ADMIN.password,
      FEATHER_SECRET: "s".repeat(32),
      FEATHER_PRELOAD: "off",
      FEATHER_OUTGOING_ALLOW: "127.0.0.1",
      FEATHER_BACKENDS: JSON.stringify([{ name: "talker", base_url: backend, models: [MODEL] }]),
      FEATHER_REPLICA_ADDRESS: `http://127.0.0.1:${await freePort()}`,
      DATABASE_URL: tcpUrl(address.port, OWNER),
    },
    folder,
  );
  stops.push(server.stop);
  await server.ready;
  const platform = server.platform();
  if (platform === null) throw new Error("It has no platform.");
  const login = await post(server.url, "/api/auth/login", ADMIN);
  return { ...server, platform, token: login.headers.get("x-session-token") ?? "" };
}
type Server = Awaited<ReturnType<typeof start>>;

function post(url: string, path: string, body: object, token?: string): Promise<Response> {
  return fetch(url + path, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-session-transport": "token",
      ...(token && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
}

/** Makes calls of the admin's organization cost credits, and grants it more than it uses. */
async function sellCalls({ api, db, clock }: Modules): Promise<string> {
  const { id } = await db.selectFrom("organizations").select("id").executeTakeFirstOrThrow();
  const limits = { max_model_size: null, max_context_length: null, daily_request_limit: null };
  await db
    .insertInto("plans")
    .values({
      id: "metered",
      name: "Metered",
      description: "",
      audience: "individual",
      features: [],
      ...limits,
      billing_mode: "request_pricing",
      model_switches_per_minute: null,
      api_keys_max: 10_000,
      concurrency: 100,
    })
    .execute();
  await db.deleteFrom("subscriptions").where("organization_id", "=", id).execute();
  await db
    .insertInto("subscriptions")
    .values({ id: "sub_metered", organization_id: id, plan_id: "metered", status: "active" })
    .execute();
  await api.prices.pricesRepository.add(
    {
      id: "price_1",
      scope: "model",
      target: MODEL,
      prompt: "0",
      completion: "0",
      image: "0",
      request: "0.001",
      effective_at: clock.now(),
      created_at: clock.now(),
    },
    db,
  );
  await api.credits.credits.grant(id, GRANT_NANO_USD, { kind: "top_up", description: "Top-up", reference: "test:1" });
  return id;
}

/** Calls the model and creates keys through both servers until it is stopped. Records the acknowledged ones. */
function keepCalling(servers: readonly Server[]) {
  const acknowledged = { calls: [] as string[], keys: [] as string[], refusals: new Set<string>() };
  let isStopped = false;
  let count = 0;

  async function send(server: Server, isCall: boolean): Promise<void> {
    count += 1;
    const name = `key ${count}`;
    const response = isCall
      ? await post(
          server.url,
          "/v1/chat/completions",
          { model: MODEL, messages: [{ role: "user", content: "Hi" }] },
          server.token,
        )
      : await post(server.url, "/api/api-keys", { name }, server.token);
    const text = await response.text();
    if (response.status === (isCall ? 200 : 201))
      (isCall ? acknowledged.calls : acknowledged.keys).push(
        isCall ? (response.headers.get("request-id") ?? "") : name,
      );
    else acknowledged.refusals.add(`${response.status} ${errorCode(JSON.parse(text))}`);
  }
  async function callInTurn(index: number): Promise<void> {
    for (let turn = 0; !isStopped; turn += 1) {
      const server = servers[(index + turn) % servers.length];
      if (server) await send(server, index % 3 !== 0);
      await sleep(PAUSE_MS);
    }
  }
  const callers = Promise.all(Array.from({ length: CALLERS }, (_, index) => callInTurn(index)));
  return {
    acknowledged,
    async stop() {
      isStopped = true;
      await callers;
    },
  };
}

const readyOf = async ({ url }: Server) => (await fetch(`${url}/api/health/ready`)).status;

test("with synchronous replication, no acknowledged change is lost when the primary is killed and its standby takes over", async () => {
  const upstream = await startFakeUpstream({}, [MODEL]);
  stops.push(upstream.close);
  const backend = upstream.baseUrl;
  const servers = [await start(backend), await start(backend)] as const;
  const [first, second] = servers;
  const organizationId = await sellCalls(first.platform);
  const standby = await postgres.addStandby();
  await postgres.waitForStandby();

  const load = keepCalling(servers);
  const { acknowledged } = load;
  const grows = (by: number) => {
    const [calls, keys] = [acknowledged.calls.length + by, acknowledged.keys.length + by];
    return waitFor(() => {
      expect(acknowledged.calls.length).toBeGreaterThanOrEqual(calls);
      expect(acknowledged.keys.length).toBeGreaterThanOrEqual(keys);
    });
  };
  await grows(20);
  await postgres.cutOffStandby();
  await postgres.kill();
  address.end();
  await waitFor(async () => expect(await Promise.all(servers.map(readyOf))).toEqual([503, 503]));

  // The address leads to the standby before it is promoted: nothing is written, and nothing hangs.
  address.lead(standby.port);
  await waitFor(() => expect([...acknowledged.refusals].sort()).toContain("503 storage_unavailable"));
  expect(await Promise.all(servers.map(readyOf))).toEqual([503, 503]);
  await standby.promote();
  await waitFor(async () => expect(await Promise.all(servers.map(readyOf))).toEqual([200, 200]));
  await grows(20);
  await load.stop();

  for (const { platform } of servers) await platform.api.gateway.usageWriter.flush();
  expect(servers.map(({ lost }) => lost)).toEqual([[], []]);
  expect([...acknowledged.refusals].filter((refusal) => !refusal.startsWith("503 "))).toEqual([]);
  const { db, api } = first.platform;
  const names = (await db.selectFrom("api_keys").select("name").execute()).map(({ name }) => name);
  expect(acknowledged.keys.filter((name) => !names.includes(name))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
  const rows = await db.selectFrom("requests").select(["id", "cost_nano_usd"]).where("status", "=", 200).execute();
  const stored = new Set(rows.map(({ id }) => id));
  expect(acknowledged.calls.filter((id) => !stored.has(id))).toEqual([]);
  expect(rows.length, "each call once").toBe(stored.size);
  const { balance, reserved } = await api.credits.credits.balance(organizationId);
  expect([balance, reserved]).toEqual([GRANT_NANO_USD - CALL_NANO_USD * BigInt(rows.length), 0n]);
  expect(await verifyLedger(db)).toEqual([]);

  const heard: string[] = [];
  second.platform.replicas.bus.subscribe("hosting", () => heard.push("second"));
  await waitFor(() => {
    first.platform.replicas.bus.publish("hosting", {});
    expect(heard).not.toEqual([]);
  });
  await waitFor(() =>
    expect(servers.map(({ platform }) => platform.replicas.isLeader()).sort()).toEqual([false, true]),
  );
  expect(servers.map(({ platform }) => platform.replicas.others().length)).toEqual([1, 1]);
  expect(await standby.query("select count(*)::int as replicas from replicas")).toEqual([{ replicas: 2 }]);
}, 180_000);
