import { randomBytes } from "node:crypto";
import type { AddressInfo } from "node:net";
import { resolve } from "node:path";
import { type FakeUpstream, startFakeUpstream, type UpstreamScript } from "@feather/testing/fake-upstream";
import pino, { type Logger } from "pino";
import { createPasswordHasher, type PasswordHasher } from "../accounts/identity/index.ts";
import { publicUrlOf } from "../config/public-url.ts";
import { readSettings } from "../config/settings.ts";
import type { BackendSpec } from "../gateway/backends/registry.ts";
import {
  type EngineGpu,
  type GgufConverter,
  type Gpu,
  type IsKnownArchitecture,
  RUNTIMES_WITHOUT_GPU,
  type RuntimeStates,
  type StartEngine,
  toRuntimeState,
  type VllmState,
} from "../hosting/runtimes/index.ts";
import type { GetFreeBytes } from "../hosting/store/files/store-folder.ts";
import { loadContract } from "../http/contract.ts";
import type { LoadShedder } from "../http/load-shedding.ts";
import { createValidators } from "../http/validation.ts";
import { toThresholdMs, watchQueries } from "../insight/operations/index.ts";
import { createModules } from "../modules.ts";
import { loadPaymentService } from "../money/payment-services/index.ts";
import type { Clock } from "../platform/core/clock.ts";
import { type Database, readPoolState } from "../platform/core/db/connect.ts";
import type { SEED_PLANS } from "../platform/core/db/seed/plans.ts";
import { QueryStats } from "../platform/core/metrics/query-stats.ts";
import type { Replicas } from "../platform/core/replicas/replicas.ts";
import type { Tracing } from "../platform/core/tracing.ts";
import { createServer } from "../server.ts";
import type { ServerOptions } from "../server-options.ts";
import { createTestDatabase } from "./database.ts";

/** Options of a request to the test server. */
export type RequestOptions = {
  method?: string;
  body?: unknown;
  token?: string | undefined;
  headers?: Record<string, string>;
  signal?: AbortSignal;
};
/** A response that was read. `body` is the parsed JSON, or the text. */
export type Answer = { status: number; headers: Headers; body: unknown; text: string };
/** A user with a session. */
export type Account = { token: string; userId: string; organizationId: string; email: string };
/** Options of a test server. `log` is silent by default. */
export type TestServerOptions = {
  /** What admins had saved for settings; nothing by default. */
  saved?: ReadonlyMap<string, string>;
  /** Starts the server again; nothing does by default. */
  restart?: (() => void) | null;
  /** Replaces the processes that run models. */
  startEngine?: StartEngine;
  engineGpu?: EngineGpu;
  /** Returns whether llama.cpp knows an architecture. By default it knows all, because most tests run no engine. */
  isKnownArchitecture?: IsKnownArchitecture;
  /** The command of llama-server; none by default. */
  llamaServer?: string | undefined;
  /** The state of vLLM; off by default. */
  vllm?: VllmState;
  converter?: GgufConverter;
  /** The graphics cards of the machine; none by default. */
  gpus?: readonly Gpu[];
  freeBytes?: GetFreeBytes;
  /** Stands in for the parser of model cards. */
  cardParser?: ServerOptions["cardParser"];
  /** A built site; none by default. */
  siteFolder?: string;
  env?: Record<string, string>;
  clock?: Clock;
  log?: Logger;
  maxConnections?: number;
  databaseNow?: () => Promise<Date>;
  /** The password hashing; by default as cheap as argon2id allows. */
  passwords?: PasswordHasher;
  /** The secret of the installation; random by default. */
  secret?: Uint8Array;
  /** What traces requests; nothing by default. */
  tracing?: Tracing | null;
  /** The other server processes on its database; none by default. */
  replicas?: Replicas;
  /** Decides whether requests are rejected; by default none are. */
  loadShedder?: LoadShedder;
  /** Joins the replicas of the database; by default the server has no other replicas. */
  joinReplicas?: (db: Database) => Promise<Replicas>;
};
type PlanFields = Partial<(typeof SEED_PLANS)[number]>;

/** The minimum that argon2id allows, because tests create thousands of accounts. */
const CHEAPEST = { memory: 8, passes: 1 };
/** Password of all test accounts. */
export const PASSWORD = "feathers-are-light";
const NO_FOLDER = "/nonexistent";

/** Returns functions that send requests to a server. */
export function createCaller(url: string) {
  function send(path: string, { method, body, token, headers, signal }: RequestOptions = {}): Promise<Response> {
    return fetch(url + path, {
      method: method ?? (body === undefined ? "GET" : "POST"),
      headers: {
        ...(body !== undefined && !(body instanceof FormData) && { "content-type": "application/json" }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        "x-session-transport": "token",
        ...headers,
      },
      ...(body !== undefined && { body: toRequestBody(body) }),
      ...(signal && { signal }),
    });
  }

  async function call(path: string, options: RequestOptions = {}): Promise<Answer> {
    const response = await send(path, options);
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: parseBody(text), text };
  }

  return { send, call };
}

function toRequestBody(body: unknown): string | FormData {
  return typeof body === "string" || body instanceof FormData ? body : JSON.stringify(body);
}

const NO_CARD = { state: "off", reason: "FEATHER_GPU is off." } as const;
type StateOptions = {
  llamaServer?: string | undefined;
  vllm?: VllmState | undefined;
  engineGpu?: EngineGpu | undefined;
};

/** Returns the states of the runtimes of a test server: without llama-server, vLLM and graphics cards by default. */
export function createRuntimeStates({ llamaServer, vllm, engineGpu }: StateOptions): RuntimeStates {
  return {
    ...RUNTIMES_WITHOUT_GPU,
    ...(llamaServer !== undefined && { "llama-server": { command: llamaServer, gpu: NO_CARD, notice: null } }),
    ...(vllm && { vllm: toRuntimeState(vllm) }),
    ...(engineGpu && { "llama.cpp": { command: "", gpu: engineGpu, notice: null } }),
  };
}

/** Of all servers of a process, which would otherwise read the same contract and compile the same schemas. */
const contract = loadContract();
const validators = createValidators();

/** A server with its own port and database. Rate limits are off unless `env` enables them. */
export async function createTestServer({
  env = {},
  clock,
  log = pino({ level: "silent" }),
  startEngine,
  llamaServer,
  vllm,
  converter,
  gpus = [],
  engineGpu,
  isKnownArchitecture = async () => true,
  freeBytes,
  cardParser,
  siteFolder = NO_FOLDER,
  maxConnections,
  databaseNow,
  passwords = createPasswordHasher(CHEAPEST),
  loadShedder,
  tracing = null,
  secret = randomBytes(32),
  replicas,
  joinReplicas,
  saved = new Map(),
  restart = null,
}: TestServerOptions = {}) {
  const settingsPlace = {
    env: {
      FEATHER_RATE_LIMITS: "off",
      FEATHER_DISCOVER: "off",
      FEATHER_HUB_URL: "http://127.0.0.1:9", // nothing listens there: tests use no network
      FEATHER_REGISTRATION: "open",
      FEATHER_APPLICATION_REVIEW: "off",
      FEATHER_AUTO_PULL: "off",
      ...env,
    },
    folder: NO_FOLDER,
    saved,
  };
  const settings = readSettings(settingsPlace.env, NO_FOLDER, saved);
  const queries = new QueryStats();
  const database = await createTestDatabase(
    maxConnections,
    watchQueries(queries, log, toThresholdMs(settings.operations.slowQuerySeconds)),
  );
  const options: ServerOptions = {
    db: database.db,
    tracing,
    queries,
    readPool: () => readPoolState(database.pool),
    settings,
    settingsPlace,
    restart,
    log,
    // All platforms of a test share one database, so they need the same secret.
    secret,
    contract,
    validators,
    checkResponses: true,
    moduleService: await loadPaymentService(settings.billing, { publicUrl: publicUrlOf(settings.server), log }),
    passwords,
    siteFolder,
    ...(clock && { clock, databaseNow: databaseNow ?? (async () => clock.now()) }),
    runtimeProcesses: { "llama.cpp": { ...(startEngine && { start: startEngine }), canRun: isKnownArchitecture } },
    runtimeStates: createRuntimeStates({ llamaServer, vllm, engineGpu }),
    ...(converter && { converter }),
    listGpus: async () => gpus,
    ...(freeBytes && { freeBytes }),
    ...(cardParser && { cardParser }),
    ...(replicas && { replicas }),
    ...(joinReplicas && { replicas: await joinReplicas(database.db) }),
    dataDir: resolve(NO_FOLDER, settings.storage.dataDir),
  };
  const platform = createModules(options);
  const { api } = platform;
  const app = await createServer(platform, platform.handlers, loadShedder);
  await app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = app.server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const { send, call } = createCaller(url);
  const upstreams: FakeUpstream[] = [];
  let counter = 0;

  async function toAccount(answer: Answer, email: string): Promise<Account> {
    const user = answer.body as { id: string; organization: { id: string } };
    const token = answer.headers.get("x-session-token");
    if (token === null) throw new Error(`No session: ${answer.status} ${answer.text}`);
    return { token, userId: user.id, organizationId: user.organization.id, email };
  }

  /** Creates an account with a session. With a mail server its address stays unconfirmed. */
  async function signUp(email = `user${++counter}@example.com`): Promise<Account> {
    const answer = await call("/api/auth/register", { body: { email, password: PASSWORD } });
    if (answer.status !== 202) return toAccount(answer, email);
    await api.registration.registration.settled();
    const user = await api.identity.usersRepository.findByEmail(email);
    if (!user) throw new Error(`No account: ${answer.status} ${answer.text}`);
    const password_hash = await passwords.hash(PASSWORD);
    const set = { awaiting_confirmation: false, password_hash };
    await database.db.updateTable("users").set(set).where("id", "=", user.id).execute();
    const clientInfo = { ip: "127.0.0.1", userAgent: undefined, language: null };
    const { secret } = await api.identity.auth.startSession(user.id, clientInfo, "registration");
    const userWithOrganization = await api.identity.usersRepository.findWithOrganization(user.id);
    return { token: secret, userId: user.id, organizationId: userWithOrganization?.organization_id ?? "", email };
  }

  return {
    url,
    app,
    httpServer: app.server,
    platform,
    api,
    db: database.db,
    send,
    call,
    signUp,

    async signInAdmin(email = "admin@example.com"): Promise<Account> {
      await api.identity.auth.ensureAdmin(email, PASSWORD);
      return toAccount(await call("/api/auth/login", { body: { email, password: PASSWORD } }), email);
    },

    /** Creates an API key of the account through the API. */
    async createKey(owner: Account, fields: object = {}): Promise<{ id: string; secret: string }> {
      const { status, body, text } = await call("/api/api-keys", {
        token: owner.token,
        body: { name: "test", ...fields },
      });
      if (status !== 201) throw new Error(`No key: ${status} ${text}`);
      return body as { id: string; secret: string };
    },

    /** Creates an account on a new plan, with all limits off except the given ones. */
    async signUpOnPlan(fields: PlanFields): Promise<Account> {
      const owner = await signUp();
      const id = `plan_${owner.userId}`;
      const unlimited = {
        max_model_size: null,
        max_context_length: null,
        daily_request_limit: null,
        model_switches_per_minute: null,
      };
      const planDefaults = {
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
        .values({ ...planDefaults, ...unlimited, ...fields })
        .execute();
      await database.db
        .insertInto("subscriptions")
        .values({ id: `sub_${owner.userId}`, organization_id: owner.organizationId, plan_id: id, status: "active" })
        .execute();
      return owner;
    },

    /** Adds a backend that runs these models. On the backend, their names are `up:` and the id. */
    async addUpstream(
      script: UpstreamScript = {},
      models: readonly string[] = ["feather/demo"],
      weight = 1,
      capabilities: Pick<BackendSpec, "program" | "parameters" | "contextLengths" | "hosted" | "places"> & {
        source?: BackendSpec["source"];
      } = {},
    ): Promise<FakeUpstream> {
      const upstream = await startFakeUpstream(script);
      upstreams.push(upstream);
      const planDefaults = new Map(models.map((id) => [id, `up:${id}`]));
      api.backends.registry.set({
        name: `fake-${upstreams.length}`,
        source: "settings",
        baseUrl: upstream.baseUrl,
        weight,
        models: planDefaults,
        ...capabilities,
      });
      return upstream;
    },

    /** Registers a backend, as one of the settings would be. */
    addBackend(spec: Omit<BackendSpec, "source" | "weight" | "models"> & { models: Readonly<Record<string, string>> }) {
      api.backends.registry.set({
        ...spec,
        source: "settings",
        weight: 1,
        models: new Map(Object.entries(spec.models)),
      });
    },

    /** Runs a background job of this name now. */
    async runJob(name: string): Promise<void> {
      const job = platform.jobs.find((candidate) => candidate.name === name);
      if (!job) throw new Error(`There is no job called ${name}.`);
      await job.run();
    },

    /** Creates the platform of another server process on the same database. */
    createOtherPlatform: (overrides: Partial<ServerOptions> = {}) => createModules({ ...options, ...overrides }),

    /** Removes all backends, for the next test. */
    async removeUpstreams(): Promise<void> {
      for (const { name } of api.backends.registry.list()) api.backends.registry.remove(name);
      await Promise.all(upstreams.splice(0).map((upstream) => upstream.close()));
    },

    async usageRow(id: string | null) {
      await api.gateway.usageWriter.flush();
      return database.db
        .selectFrom("requests")
        .selectAll()
        .where("id", "=", id ?? "")
        .executeTakeFirst();
    },

    async close(): Promise<void> {
      app.server.closeAllConnections();
      await app.close();
      await Promise.all([api.gateway.usageWriter.flush(), api.usage.refusals.flush()]);
      await api.webhooks.stop();
      await api.deployments.stop();
      await api.modelHost.stop();
      await api.backends.registry.close();
      await platform.closePeers();
      await platform.closeParsers();
      await Promise.all(upstreams.map((upstream) => upstream.close()));
      await database.close();
    },
  };
}

/** A running test server. */
export type TestServer = Awaited<ReturnType<typeof createTestServer>>;

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
