import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FakeHub, type FakeStore, startFakeHub } from "@feather/testing/fake-hub";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Credential, KeyLimits, SignedInActor } from "../../platform/core/auth/actor.ts";
import { createFakeEngines } from "../../testing/fake-engines.ts";
import { type Account, createTestServer, type TestServer } from "../../testing/server.ts";
import { DEMO_MODEL_FILE } from "../runtimes/built-in-models.ts";
import { createAutoPull } from "./auto-pull.ts";

const GGUF = readFileSync(DEMO_MODEL_FILE);
const folders: string[] = [];
const engines = createFakeEngines();
/** Sends the first part of each file, and then nothing. */
const holding: FakeStore = (_request, response, bytes) => {
  response.writeHead(200, { "content-length": bytes.length });
  response.write(bytes.subarray(0, 600_000));
};
let hub: FakeHub;
let count = 0;
let id = "";

beforeAll(async () => {
  hub = await startFakeHub();
});
afterAll(async () => {
  await hub.close();
  engines.close();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  id = `acme/auto-${++count}`;
  hub.state.store = null;
  addToHub(id);
});
afterEach(() => {
  hub.state.failure = null;
});

/** Adds a repository without GGUF files, and a repository of its quantized weights whose content is unique to the model. */
function addToHub(name: string): void {
  hub.add({ id: name, files: { "model.safetensors": { size: 5000 } } });
  const tags = ["gguf", `base_model:quantized:${name}`];
  hub.add({ id: `${name}-GGUF`, tags, files: { "w-Q8_0.gguf": Buffer.concat([GGUF, Buffer.from(name)]) } });
}

type Setup = { server: TestServer; admin: Account; user: Account; ahead: { ms: number } };

async function setUp(mode: "off" | "admins" | "everyone"): Promise<Setup> {
  const folder = mkdtempSync(join(tmpdir(), "auto-pull-"));
  folders.push(folder);
  const ahead = { ms: 0 };
  const server = await createTestServer({
    startEngine: engines.start,
    clock: { now: () => new Date(Date.now() + ahead.ms) },
    env: {
      FEATHER_HUB_URL: hub.baseUrl,
      FEATHER_DATA_DIR: folder,
      FEATHER_AUTO_PULL: mode,
      FEATHER_MODEL_MEMORY: "4000",
    },
  });
  return { server, admin: await server.signInAdmin(), user: await server.signUp(), ahead };
}

function addModel({ server }: Setup, columns: object = {}, name = id) {
  const [owned_by = "", short = ""] = name.split("/");
  const row = { id: name, id_lower: name.toLowerCase(), owned_by, name: short, parameter_size: 1e9 };
  return server.db
    .insertInto("models")
    .values({ ...row, model_class_id: "qwen3-8b", source: "catalogue", ...columns })
    .execute();
}
const call = ({ server }: Setup, token: string, model = id, headers: Record<string, string> = {}) =>
  server.call("/v1/chat/completions", {
    token,
    body: { model, messages: [{ role: "user", content: "x" }] },
    headers: { "x-wait-for-model": "0", ...headers },
  });
const listPulls = ({ server }: Setup) =>
  server.db.selectFrom("store_pulls").selectAll().where("model_id", "=", id).orderBy("created_at").execute();
const runnerOf = ({ server }: Setup) => server.api.modelHost.pullRunner;
const errorIn = (body: unknown) => (body as { error: { code: string; message: string; details: object } }).error;

describe("with FEATHER_AUTO_PULL=everyone", () => {
  let setup: Setup;
  beforeAll(async () => {
    setup = await setUp("everyone");
  });
  afterEach(async () => {
    hub.state.store = null;
    const open = await setup.server.db.selectFrom("store_pulls").select("id").where("state", "<>", "done").execute();
    for (const pull of open)
      await setup.server.call(`/api/admin/store/pulls/${pull.id}`, { method: "DELETE", token: setup.admin.token });
    await runnerOf(setup).waitUntilIdle();
  });
  afterAll(() => setup.server.close());

  test("a call starts the download of a model with FEATHER_AUTO_PULL=everyone, and says how far it is until the model answers", async () => {
    await addModel(setup);
    hub.state.store = holding;
    const first = await call(setup, setup.user.token);
    expect([first.status, first.headers.get("retry-after")]).toEqual([503, expect.stringMatching(/^\d+$/)]);
    expect(errorIn(first.body)).toMatchObject({
      code: "model_loading",
      details: { tier: "loading", loading_stage: expect.stringMatching(/^(queued|downloading)$/) },
    });
    await expect.poll(async () => (await listPulls(setup))[0]?.bytes_done).toBeGreaterThan(0);
    const second = errorIn((await call(setup, setup.user.token)).body);
    expect(second.message).toMatch(/is being downloaded \(\d+ %\)\. Try again/);
    expect(second.details).toMatchObject({
      loading_stage: "downloading",
      loading_progress: expect.any(Number),
      estimated_ready_at: expect.any(String),
    });
    const [pull] = await listPulls(setup);
    expect(pull).toMatchObject({ created_by: setup.user.userId, automatic_for: setup.user.organizationId });
    const acts = await setup.server.db
      .selectFrom("audit_log")
      .select("action")
      .where("target", "=", pull?.id ?? "")
      .execute();
    expect(acts).toEqual([{ action: "store.auto_pull" }]);
  });

  test("a call that waits is answered by the model that was downloaded for it", async () => {
    await addModel(setup);
    const answer = await call(setup, setup.user.token, id, { "x-wait-for-model": "20" });
    expect(answer.status).toBe(200);
    expect(await listPulls(setup)).toMatchObject([{ state: "done", repository: `${id}-GGUF` }]);
  });

  test("calls at the same time start one download", async () => {
    await addModel(setup);
    hub.state.store = holding;
    const other = await setup.server.signUp();
    const callers = Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? setup.user : other).token);
    const answers = await Promise.all(callers.map((token) => call(setup, token)));
    expect(new Set(answers.map(({ body }) => errorIn(body).code))).toEqual(new Set(["model_loading"]));
    expect(await listPulls(setup)).toHaveLength(1);
  });

  test.each<[string, object]>([
    ["is disabled", { disabled_at: new Date() }],
    ["is too large for this machine", { parameter_size: 7e9 }],
    ["is too large for the plan", { parameter_size: 9e9 }],
    ["has a size that nobody knows", { parameter_size: null }],
    ["is not in the plan", { plan_ids: ["feather_max"] }],
    ["is gated and not unlocked", { is_gated: true }],
    ["only runs on a backend of the operator", { source: "backend" }],
    ["is hidden", { is_private: true }],
  ])("no download starts for a model that %s", async (_what, columns) => {
    await addModel(setup, columns);
    const answer = await call(setup, setup.user.token);
    expect(errorIn(answer.body).code).not.toBe("model_loading");
    expect(await listPulls(setup)).toEqual([]);
  });

  test("an organization may have two downloads open that its calls started, and other organizations theirs", async () => {
    hub.state.store = holding;
    const names = ["a", "b", "c"].map((name) => `${id}-${name}`);
    for (const name of names) {
      addToHub(name);
      await addModel(setup, {}, name);
    }
    const { token } = await setup.server.signUp();
    const codes: string[] = [];
    for (const name of names) codes.push(errorIn((await call(setup, token, name)).body).code);
    expect(codes).toEqual(["model_loading", "model_loading", "capacity_exhausted"]);
    const refused = await call(setup, token, names[2]);
    expect(errorIn(refused.body).message).toContain("started 2 downloads already");
    expect(errorIn((await call(setup, setup.user.token, names[2])).body).code).toBe("model_loading");
  });

  test("a download that failed says why, and is tried again after a while", async () => {
    await addModel(setup);
    hub.add({
      id: `${id}-GGUF`,
      tags: ["gguf", `base_model:quantized:${id}`],
      files: { "w-Q8_0.gguf": Buffer.alloc(5000) },
    });
    expect(errorIn((await call(setup, setup.user.token)).body).code).toBe("model_loading");
    await runnerOf(setup).waitUntilIdle();
    const failed = errorIn((await call(setup, setup.user.token)).body);
    expect(failed.code).toBe("capacity_exhausted");
    expect(failed.message).toContain("Its download failed: w-Q8_0.gguf is not a GGUF file that can be read");
    expect(await listPulls(setup)).toHaveLength(1);
    setup.ahead.ms += 11 * 60_000;
    expect(errorIn((await call(setup, setup.user.token)).body).code).toBe("model_loading");
    await runnerOf(setup).waitUntilIdle();
  });

  test.each<[string, string, string]>([
    ["stopped", "canceled", "An administrator stopped its download."],
    ["paused", "paused", "An administrator paused its download."],
  ])("a download that an administrator %s does not start again by a call", async (_what, state, reason) => {
    await addModel(setup);
    hub.state.store = holding;
    await call(setup, setup.user.token);
    const [pull] = await listPulls(setup);
    const address = `/api/admin/store/pulls/${pull?.id}`;
    if (state === "paused") await setup.server.call(`${address}/pause`, { method: "POST", token: setup.admin.token });
    else await setup.server.call(address, { method: "DELETE", token: setup.admin.token });
    await runnerOf(setup).waitUntilIdle();
    expect(errorIn((await call(setup, setup.user.token)).body).message).toContain(reason);
    expect(await listPulls(setup)).toMatchObject([{ state }]);
  });

  test("a call of a model that the hub does not have in a form that runs here says so", async () => {
    id = `acme/none-${count}`;
    hub.add({ id, files: { "model.safetensors": { size: 5000 } } });
    await addModel(setup);
    const answer = errorIn((await call(setup, setup.user.token)).body);
    expect([answer.code, answer.message]).toEqual(["capacity_exhausted", expect.stringContaining("no GGUF file")]);
    const before = hub.requests.length;
    await call(setup, setup.user.token);
    expect(hub.requests.length).toBe(before);
  });

  test("a call while the hub cannot be reached says so, and the hub is asked again after a minute", async () => {
    await addModel(setup);
    hub.state.failure = { status: 500 };
    const answer = errorIn((await call(setup, setup.user.token)).body);
    expect([answer.code, answer.message]).toEqual([
      "capacity_exhausted",
      expect.stringContaining("The model hub cannot be reached"),
    ]);
    hub.state.failure = null;
    setup.ahead.ms += 61_000;
    expect(errorIn((await call(setup, setup.user.token)).body).code).toBe("model_loading");
  });

  test("preflight returns what a call would get, and starts no download", async () => {
    await addModel(setup);
    const preflight = await setup.server.call("/v1/preflight", { token: setup.user.token, body: { model: id } });
    expect(preflight.body).toMatchObject({ admitted: false, tier: "cold", refusal: { code: "model_loading" } });
    expect(await listPulls(setup)).toEqual([]);
  });

  test("a request for a model starts its download", async () => {
    await addModel(setup);
    hub.state.store = holding;
    const request = () =>
      setup.server.call(`/api/feather/models/${id}`, { method: "POST", token: setup.user.token, body: {} });
    expect(await request()).toMatchObject({ status: 202, body: { id, status: "pending_deploy" } });
    expect(await listPulls(setup)).toMatchObject([{ automatic_for: setup.user.organizationId }]);
    expect((await request()).status).toBe(202);
    expect(await listPulls(setup)).toHaveLength(1);
  });

  test("a request for a model that the plan does not include is only kept", async () => {
    await addModel(setup, { plan_ids: ["feather_max"] });
    const { token } = setup.user;
    const answer = await setup.server.call(`/api/feather/models/${id}`, { method: "POST", token, body: {} });
    expect(answer.status).toBe(202);
    expect(await listPulls(setup)).toEqual([]);
  });

  test("a repository that was renamed on the hub is found, and the model keeps its id", async () => {
    const renamed = `Acme/Auto-New-${count}`;
    hub.add({ id: renamed, files: { "w-Q8_0.gguf": Buffer.concat([GGUF, Buffer.from(renamed)]) } });
    hub.rename(id, renamed);
    await addModel(setup);
    expect((await call(setup, setup.user.token, id, { "x-wait-for-model": "20" })).status).toBe(200);
    // The model becomes callable just before its download is stored as done.
    await expect.poll(() => listPulls(setup)).toMatchObject([{ model_id: id, repository: renamed, state: "done" }]);
  });

  test("a model whose id differs in letter case from that of the hub runs under its own", async () => {
    id = `ACME/Auto-${count}`;
    await addModel(setup);
    expect((await call(setup, setup.user.token, id, { "x-wait-for-model": "20" })).status).toBe(200);
    expect(await listPulls(setup)).toMatchObject([{ model_id: id, repository: `${id.toLowerCase()}-GGUF` }]);
  });
});

describe("with FEATHER_AUTO_PULL=admins", () => {
  let setup: Setup;
  beforeAll(async () => {
    setup = await setUp("admins");
  });
  afterEach(() => runnerOf(setup).waitUntilIdle());
  afterAll(() => setup.server.close());

  test("a call of a user who is no admin starts no download", async () => {
    await addModel(setup);
    expect(errorIn((await call(setup, setup.user.token)).body)).toMatchObject({
      code: "capacity_exhausted",
      message: expect.stringMatching(/^No backend that runs .* Request it on its page/),
    });
    expect(await listPulls(setup)).toEqual([]);
    expect(errorIn((await call(setup, setup.admin.token)).body).code).toBe("model_loading");
    expect(await listPulls(setup)).toHaveLength(1);
  });

  test("a key of an admin starts a download", async () => {
    await addModel(setup);
    const { body } = await setup.server.call("/api/api-keys", { token: setup.admin.token, body: { name: "mine" } });
    const { secret } = body as { secret: string };
    expect(errorIn((await call(setup, secret)).body).code).toBe("model_loading");
    expect(await listPulls(setup)).toHaveLength(1);
  });

  test("with FEATHER_AUTO_PULL=admins a request of another user is stored without a download", async () => {
    await addModel(setup);
    const { token } = setup.user;
    expect((await setup.server.call(`/api/feather/models/${id}`, { method: "POST", token, body: {} })).status).toBe(
      202,
    );
    expect(await listPulls(setup)).toEqual([]);
  });

  test("an admin who acts as another user starts no download", async () => {
    await addModel(setup);
    const { headers } = await setup.server.call(`/api/admin/users/${setup.user.userId}/impersonate`, {
      method: "POST",
      token: setup.admin.token,
      body: { reason: "Ticket 41" },
    });
    const answer = await call(setup, headers.get("x-session-token") ?? "");
    expect(errorIn(answer.body).code).toBe("impersonation_forbidden");
    expect(await listPulls(setup)).toEqual([]);
  });
});

describe("who starts downloads", () => {
  let setup: Setup;
  beforeAll(async () => {
    setup = await setUp("off");
  });
  afterAll(() => setup.server.close());

  /** Calls a model with a credential of the admin and a hub that does not respond. Returns the progress and the lookups. */
  async function callBy(credential: Credential, times = 1) {
    await addModel(setup);
    let lookups = 0;
    const { host } = createAutoPull({
      db: setup.server.db,
      mode: "admins",
      lookupWaitMs: 1,
      files: setup.server.api.modelHost.files,
      pullEstimate: setup.server.api.modelHost.pullEstimate,
      clock: { now: () => new Date() },
      audit: { record: async () => {} },
      host: { find: () => null, wake: async () => null, state: async () => null },
      fit: { of: () => ({ verdict: "fits" }) },
      modelStore: {
        pullPublic: () => {
          lookups += 1;
          return new Promise(() => {});
        },
      },
    });
    const { userId, organizationId } = setup.admin;
    const actor: SignedInActor = {
      kind: "user",
      userId,
      organizationId,
      role: "admin",
      isAdmin: true,
      emailVerified: true,
      scopes: ["api.access"],
      credential,
    };
    const model = await setup.server.platform.api.catalogue.callableModels.find(id, organizationId);
    const answers = [];
    for (let index = 0; index < times; index++) answers.push(await host.wake(id, { actor, model }));
    return { answers, lookups };
  }
  const limits: KeyLimits = {
    allowedModels: [],
    ipAllowlist: [],
    maxConcurrency: null,
    isBatch: false,
    spendLimitNano: null,
    limitReset: "none",
    expires: false,
  };
  const delegation = { applicationId: "app_1", grantId: "grant_1" };

  test.each<[string, Credential]>([
    ["a session", { type: "session", id: "ses_1", impersonatedBy: null }],
    ["a key", { type: "key", id: "key_1", limits, delegation: null }],
  ])("an admin starts a download by %s, and a slow hub is asked once", async (_what, credential) => {
    const { answers, lookups } = await callBy(credential, 3);
    expect(answers).toMatchObject(Array(3).fill({ tier: "loading", stage: "queued", progress: null }));
    expect(lookups).toBe(1);
  });

  test.each<[string, Credential]>([
    ["an application that has a token of theirs", { type: "oauth", id: "tok_1", delegation }],
    ["an application that has a key of theirs", { type: "key", id: "key_1", limits, delegation }],
    ["somebody who acts as them", { type: "session", id: "ses_1", impersonatedBy: "usr_2" }],
  ])("%s does not start a download for an admin", async (_what, credential) => {
    expect(await callBy(credential)).toEqual({ answers: [null], lookups: 0 });
  });
});

test("with FEATHER_AUTO_PULL=off no call starts a download", async () => {
  const setup = await setUp("off");
  await addModel(setup);
  expect(errorIn((await call(setup, setup.admin.token)).body).code).toBe("capacity_exhausted");
  expect(await listPulls(setup)).toEqual([]);
  await setup.server.close();
});
