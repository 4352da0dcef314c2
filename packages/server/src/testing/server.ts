import type { AddressInfo } from "node:net";
import pino, { type Logger } from "pino";
import { readSettings } from "../config/settings.ts";
import type { SEED_PLANS } from "../db/seed/plans.ts";
import { createDependencies } from "../dependencies.ts";
import type { StartEngine } from "../engine/engine-process.ts";
import type { BackendSpec } from "../gateway/backends/registry.ts";
import type { FreeBytes } from "../modules/model-store/store-folder.ts";
import { createServer } from "../server.ts";
import type { Clock } from "../shared/clock.ts";
import { createTestDatabase } from "./database.ts";
import { type FakeUpstream, type Script, startFakeUpstream } from "./fake-upstream.ts";

export type RequestOptions = {
  method?: string;
  body?: unknown;
  token?: string | undefined;
  headers?: Record<string, string>;
  signal?: AbortSignal;
};
/** An answer that was read. `body` is what its JSON says, or the text. */
export type Answer = { status: number; headers: Headers; body: unknown; text: string };
export type Account = { token: string; userId: string; organizationId: string; email: string };
/** `log` is silent unless a test reads it. */
export type ServerOptions = {
  /** Stands in for the processes that run models. */
  startEngine?: StartEngine;
  freeBytes?: FreeBytes;
  /** A built site; none unless given. */
  siteFolder?: string;
  env?: Record<string, string>;
  clock?: Clock;
  log?: Logger;
  maxConnections?: number;
  databaseNow?: () => Promise<Date>;
};
type PlanFields = Partial<(typeof SEED_PLANS)[number]>;

export const PASSWORD = "feathers-are-light";
const NO_FOLDER = "/nonexistent";

/** The whole server on a port of its own, over a database of its own. Limits by address are off unless `env` says otherwise. */
export async function createTestServer({
  env = {},
  clock,
  log = pino({ level: "silent" }),
  startEngine,
  freeBytes,
  siteFolder = NO_FOLDER,
  maxConnections,
  databaseNow,
}: ServerOptions = {}) {
  const database = await createTestDatabase(maxConnections);
  const settings = readSettings(
    {
      FEATHER_RATE_LIMITS: "off",
      FEATHER_DISCOVER: "off",
      FEATHER_FIRST_BYTE_TIMEOUT: "2",
      FEATHER_STREAM_IDLE_TIMEOUT: "2",
      FEATHER_HUB_URL: "http://127.0.0.1:9", // nothing there: tests do not go out
      FEATHER_REGISTRATION: "open",
      FEATHER_APPLICATION_REVIEW: "off",
      ...env,
    },
    NO_FOLDER,
  );
  const deps = createDependencies({
    db: database.db,
    settings,
    log,
    checkResponses: true,
    siteFolder,
    ...(clock && { clock, databaseNow: databaseNow ?? (async () => clock.now()) }),
    ...(startEngine && { startEngine }),
    ...(freeBytes && { freeBytes }),
  });
  const app = await createServer(deps);
  await app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = app.server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const upstreams: FakeUpstream[] = [];
  let counter = 0;

  function send(path: string, { method, body, token, headers, signal }: RequestOptions = {}): Promise<Response> {
    return fetch(url + path, {
      method: method ?? (body === undefined ? "GET" : "POST"),
      headers: {
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        "x-session-transport": "token",
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
      ...(signal && { signal }),
    });
  }

  async function call(path: string, options: RequestOptions = {}): Promise<Answer> {
    const response = await send(path, options);
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: parsed(text), text };
  }

  async function account(answer: Answer, email: string): Promise<Account> {
    const user = answer.body as { id: string; organization: { id: string } };
    const token = answer.headers.get("x-session-token");
    if (token === null) throw new Error(`No session: ${answer.status} ${answer.text}`);
    return { token, userId: user.id, organizationId: user.organization.id, email };
  }

  /** An account with a session; where mail is sent, as one whose address an admin has declared unconfirmed. */
  async function signUp(email = `user${++counter}@example.com`): Promise<Account> {
    const answer = await call("/api/auth/register", { body: { email, password: PASSWORD } });
    if (answer.status !== 202) return account(answer, email);
    await deps.registration.settled();
    const user = await deps.identities.findByEmail(email);
    if (!user) throw new Error(`No account: ${answer.status} ${answer.text}`);
    await database.db.updateTable("users").set({ awaiting_confirmation: false }).where("id", "=", user.id).execute();
    const visitor = { ip: "127.0.0.1", userAgent: undefined };
    const { secret } = await deps.identity.startSession(user.id, visitor, "registration");
    const own = await deps.identities.findWithOrganization(user.id);
    return { token: secret, userId: user.id, organizationId: own?.organization_id ?? "", email };
  }

  return {
    url,
    deps,
    db: database.db,
    send,
    call,
    signUp,

    async signInAdmin(email = "admin@example.com"): Promise<Account> {
      await deps.identity.ensureAdmin(email, PASSWORD);
      return account(await call("/api/auth/login", { body: { email, password: PASSWORD } }), email);
    },

    /** A key of the account, as the public API makes it. */
    async createKey(owner: Account, fields: object = {}): Promise<{ id: string; secret: string }> {
      const { status, body, text } = await call("/api/api-keys", {
        token: owner.token,
        body: { name: "test", ...fields },
      });
      if (status !== 201) throw new Error(`No key: ${status} ${text}`);
      return body as { id: string; secret: string };
    },

    /** An account on a plan of its own, with every limit off but those given. */
    async signUpOnPlan(fields: PlanFields): Promise<Account> {
      const owner = await signUp();
      const id = `plan_${owner.userId}`;
      const open = {
        max_model_size: null,
        max_context_length: null,
        daily_request_limit: null,
        model_switches_per_minute: null,
      };
      const names = {
        id,
        name: "Test",
        description: "",
        audience: "individual",
        billing_mode: "subscription",
        features: [],
        api_keys_max: 100,
        concurrency: 100,
      };
      await database.db
        .insertInto("plans")
        .values({ ...names, ...open, ...fields })
        .execute();
      await database.db
        .insertInto("subscriptions")
        .values({ id: `sub_${owner.userId}`, organization_id: owner.organizationId, plan_id: id, status: "active" })
        .execute();
      return owner;
    },

    /** A backend that runs these models; it knows each by a name of its own, `up:` and the id. */
    async addUpstream(
      script: Script = {},
      models: readonly string[] = ["feather/demo"],
      weight = 1,
      abilities: Pick<BackendSpec, "program" | "parameters"> & { source?: BackendSpec["source"] } = {},
    ): Promise<FakeUpstream> {
      const upstream = await startFakeUpstream(script);
      upstreams.push(upstream);
      const names = new Map(models.map((id) => [id, `up:${id}`]));
      deps.registry.set({
        name: `fake-${upstreams.length}`,
        source: "settings",
        baseUrl: upstream.baseUrl,
        weight,
        models: names,
        ...abilities,
      });
      return upstream;
    },

    /** Takes all backends away, for the next test. */
    async removeUpstreams(): Promise<void> {
      for (const { name } of deps.registry.list()) deps.registry.remove(name);
      await Promise.all(upstreams.splice(0).map((upstream) => upstream.close()));
    },

    async usageRow(id: string | null) {
      await deps.usage.flush();
      return database.db
        .selectFrom("requests")
        .selectAll()
        .where("id", "=", id ?? "")
        .executeTakeFirst();
    },

    async close(): Promise<void> {
      app.server.closeAllConnections();
      await app.close();
      await Promise.all([deps.usage.flush(), deps.refusals.flush()]);
      await deps.privateCloud.stop();
      await deps.hosting.stop();
      await deps.registry.close();
      await Promise.all(upstreams.map((upstream) => upstream.close()));
      await database.close();
    },
  };
}

export type TestServer = Awaited<ReturnType<typeof createTestServer>>;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
