import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { errorCode } from "@feather/testing/errors";
import { createServableRepository, type FakeHub, type FakeRepository, startFakeHub } from "@feather/testing/fake-hub";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createEnsureModels } from "../../catalogue/models/ensure-models.ts";
import { privateModelKey } from "../../platform/core/models/model-keys.ts";
import { createFakeEngines } from "../../testing/fake-engines.ts";
import { type Account, createTestServer, type RequestOptions, type TestServer } from "../../testing/server.ts";
import { DEMO_MODEL_FILE } from "../runtimes/built-in-models.ts";
import { type DownloadState, type HostingState, toPrivateModelState } from "./private-model-state.ts";

const LIST = "/api/feather/private-models";
const FILE = "model-q4_k_m.gguf";
const GGUF = readFileSync(DEMO_MODEL_FILE);
type Json = Record<string, unknown>;

const folder = mkdtempSync(join(tmpdir(), "private-models-"));
const engines = createFakeEngines();
let ahead = 0;
let hub: FakeHub;
let server: TestServer;
let owner: Account;
let count = 0;
let id = "";

beforeAll(async () => {
  hub = await startFakeHub([], { hf_reader: { user: "reader", reads: ["acme/closed"] }, hf_other: { user: "other" } });
  server = await createTestServer({
    startEngine: engines.start,
    isKnownArchitecture: async (architecture) => architecture !== "unheard-of",
    clock: { now: () => new Date(Date.now() + ahead) },
    env: { FEATHER_HUB_URL: hub.baseUrl, FEATHER_DATA_DIR: folder, FEATHER_MODEL_MEMORY: "50000" },
  });
});
afterAll(async () => {
  await server.close();
  await hub.close();
  engines.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  id = `acme/support-${++count}`;
  repository();
  owner = await server.signUpOnPlan({ private_models: 3, private_cloud: true });
});
afterEach(async () => {
  hub.state.failure = null;
  hub.state.store = null;
  engines.releaseStarts();
  await server.api.modelHost.pullRunner.waitUntilIdle();
});

/** Adds a repository to the hub that passes all rules and has a file for this machine. `more` overrides fields of it. */
function repository(more: Partial<FakeRepository> = {}, name = id): string {
  const model = createServableRepository(name, more);
  // A few bytes at the end make the file different for each repository.
  hub.add({ ...model, files: { ...model.files, [FILE]: Buffer.concat([GGUF, Buffer.from(name)]), ...more.files } });
  return name;
}
function without(...paths: string[]): FakeRepository["files"] {
  const all = { ...createServableRepository(id).files, [FILE]: GGUF };
  return Object.fromEntries(Object.entries(all).filter(([path]) => !paths.includes(path)));
}

const call = async (path: string, options: RequestOptions = {}) => {
  const { status, body, headers } = await server.call(path, { token: owner.token, ...options });
  return { status, body: body as Json, headers };
};
const create = (body: object = {}, options: RequestOptions = {}) =>
  call(`${LIST}/${id}`, { method: "POST", body, ...options });
const get = async (name = id) => (await call(`${LIST}/${name}`)).body;
/** Waits for a state. Tries a download again that was interrupted on a busy machine, as the job does every five seconds. */
const until = (state: string, name = id) =>
  expect
    .poll(async () => {
      if (state === "ready") await server.api.modelHost.pullRunner.poll();
      return (await get(name)).state;
    })
    .toBe(state);
const unload = () => call(`${LIST}/${id}/unload`, { method: "POST" });
const chat = (options: RequestOptions = {}) =>
  call("/v1/chat/completions", {
    body: { model: id, messages: [{ role: "user", content: "Hello" }] },
    headers: { "x-wait-for-model": "5" },
    ...options,
  });

describe("compatibility of a private model", () => {
  const check = async (headers: Record<string, string> = {}) => call(`${LIST}/${id}/compatibility`, { headers });
  const failing = async () => {
    const { body } = await check();
    const checks = body.checks as { id: string; ok: boolean; detail: string }[];
    return { compatible: body.compatible, failed: checks.filter(({ ok }) => !ok).map((one) => one.id) };
  };

  test("a repository like a catalogue model passes the checks and gets its class", async () => {
    const { status, body } = await check();
    expect(status).toBe(200);
    expect(body).toMatchObject({
      compatible: true,
      detected: {
        architecture: "Qwen3ForCausalLM",
        parameter_size: 8_190_735_360,
        format: "safetensors",
        dtype: "bf16",
      },
    });
    expect((body.checks as Json[]).map(({ id: rule }) => rule)).toEqual([
      "model_card",
      "full_weights",
      "safetensors",
      "dtype",
      "architecture",
      "tensor_shapes",
      "runnable_file",
    ]);
    expect(body.model_class).toMatch(/qwen3/i);
  });

  const config = (fields: object) => ({
    "config.json": JSON.stringify({ architectures: ["Qwen3ForCausalLM"], ...fields }),
  });
  test.each<[string, string, () => void]>([
    ["model_card", "no README.md", () => hub.add({ ...createServableRepository(id), files: without("README.md") })],
    ["full_weights", "an adapter", () => repository({ files: { "adapter_config.json": "{}" } })],
    [
      "full_weights",
      "a missing shard",
      () => hub.add({ ...createServableRepository(id), files: without("model-00002-of-00002.safetensors") }),
    ],
    ["dtype", "32 bits", () => repository({ parameters: { F32: 8_190_735_360 } })],
    [
      "dtype",
      "quantized weights",
      () => repository({ files: config({ quantization_config: { quant_method: "gptq" } }) }),
    ],
    ["tensor_shapes", "another number of layers", () => repository({ parameters: { BF16: 9_500_000_000 } })],
  ])("a repository fails the checks for %s: %s", async (rule, _what, change) => {
    change();
    expect(await failing()).toEqual({ compatible: false, failed: [rule] });
  });

  test("the checks fail for pickle files and unsupported architectures", async () => {
    hub.add({
      ...createServableRepository(id),
      files: {
        ...without("model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors", FILE),
        "pytorch_model.bin": { size: 5_000 },
      },
    });
    expect((await failing()).failed).toContain("safetensors");
    repository({ files: { "config.json": JSON.stringify({ architectures: ["MadeUpForCausalLM"] }) } });
    expect((await failing()).failed).toContain("architecture");
  });

  test("checks a gated repository only with a token that can read it", async () => {
    id = repository({ private: true }, "acme/closed");
    expect([(await check()).status, (await check({ "x-hub-token": "hf_other" })).status]).toEqual([404, 404]);
    expect((await check({ "x-hub-token": "hf_reader" })).body.compatible).toBe(true);
    const wrong = await check({ "x-hub-token": "hf_wrong" });
    expect([wrong.status, errorCode(wrong.body)]).toEqual([403, "hub.token_refused"]);
  });

  test.each([
    [{ status: 500 }, 503, "hub.unavailable"],
    [{ status: 200, body: "<html>" }, 502, "hub.invalid_response"],
  ])("returns the hub's error while it responds %j", async (fault, status, code) => {
    hub.state.failure = fault;
    const answer = await check();
    expect([answer.status, errorCode(answer.body)]).toEqual([status, code]);
  });

  test("responds 404 for a repository that does not exist", async () => {
    const answer = await call(`${LIST}/nobody/nothing/compatibility`);
    expect([answer.status, errorCode(answer.body)]).toEqual([404, "hub.not_found"]);
  });
});

describe("a private model", () => {
  test("a private model passes through its states until its organization can call it", async () => {
    const { promise: sendRest, resolve: resumeDownload } = Promise.withResolvers<void>();
    hub.state.store = (_request, response, bytes) => {
      response.writeHead(200, { "content-length": bytes.length });
      response.write(bytes.subarray(0, 1_000_000));
      void sendRest.then(() => response.end(bytes.subarray(1_000_000)));
    };
    engines.holdStarts();
    const created = await create({ name: " Support ", revision: "main" });
    expect(created.status).toBe(202);
    expect(created.body).toMatchObject({ id, name: "Support", revision: "main", error: null });
    expect(["queued", "downloading"]).toContain(created.body.state);
    await expect.poll(async () => (await get()).progress).toBeGreaterThan(0.1);
    expect(await get()).toMatchObject({ state: "downloading" });
    resumeDownload();
    await until("loading");
    const engine = engines.running().at(-1);
    engine?.events.progress?.(0.5);
    expect(await get()).toMatchObject({ state: "loading", progress: 0.5 });
    await engine?.ready();
    await until("ready");
    expect(await get()).toMatchObject({ progress: null, error: null, model_class: expect.stringMatching(/qwen3/i) });
    expect((await chat()).body.model).toBe(id);
    const acts = await server.db.selectFrom("audit_log").select("action").where("target", "=", id).execute();
    expect(acts).toEqual([{ action: "private_models.create" }]);
  });

  test("other organizations cannot read, call or change a private model", async () => {
    await create();
    await until("ready");
    const other = await server.signUpOnPlan({ private_models: 3 });
    const { token } = other;
    const attempts = [
      await call(`${LIST}/${id}`, { token }),
      await call(`${LIST}/${id}/unload`, { token, method: "POST" }),
      await call(`${LIST}/${id}`, { token, method: "DELETE" }),
      await chat({ token }),
    ];
    expect(attempts.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect((await call(LIST, { token })).body.items).toEqual([]);
    expect((await get()).state).toBe("ready");
    for (const list of ["/api/feather/models?perPage=100&search=support", "/v1/models?q=support"])
      expect(JSON.stringify((await call(list, { token })).body)).not.toContain(id);
    const deployed = await call("/api/feather/private-cloud/deployments", {
      token: (await server.signUpOnPlan({ private_cloud: true })).token,
      body: { name: "thief", provider_id: "local", region: "here", instance_type: "cpu", model_id: id },
    });
    expect([deployed.status, errorCode(deployed.body)]).toEqual([404, "model_not_found"]);
  });

  test("lists private models, the newest first", async () => {
    const first = id;
    await create();
    ahead += 1_000;
    id = repository({}, `${id}-b`);
    await create();
    const { body } = await call(LIST);
    expect((body.items as Json[]).map((item) => item.id)).toEqual([id, first]);
  });

  test("unloading is idempotent, and the next call loads the model", async () => {
    await create();
    await until("ready");
    const release = engines.holdStops();
    expect((await unload()).body.state).toBe("unloading");
    release();
    await until("unloaded");
    expect((await unload()).body.state).toBe("unloaded");
    expect(engines.running().filter(({ model }) => model.id === id)).toEqual([]);
    expect((await chat()).status).toBe(200);
    await until("ready");
    await unload();
    await until("unloaded");
    expect((await create()).status).toBe(202);
    await until("ready");
    const acts = await server.db.selectFrom("audit_log").select("action").where("target", "=", id).execute();
    expect(acts.filter(({ action }) => action === "private_models.unload")).toHaveLength(2);
  });

  test("unloading cancels the download, and creating starts it again", async () => {
    hub.state.store = (_request, response, bytes) => {
      response.writeHead(200, { "content-length": bytes.length });
      response.write(bytes.subarray(0, 500_000));
    };
    await create();
    await expect.poll(async () => (await get()).progress).toBeGreaterThan(0);
    expect((await unload()).body.state).toBe("unloaded");
    await server.api.modelHost.pullRunner.waitUntilIdle();
    hub.state.store = null;
    await create();
    await until("ready");
  });

  test("a failed download reports its error and can be retried", async () => {
    hub.state.store = (_request, response, bytes) => {
      bytes[1_500_000] = (bytes[1_500_000] ?? 0) ^ 1;
      response.writeHead(200, { "content-length": bytes.length }).end(bytes);
    };
    await create();
    await until("failed");
    expect((await get()).error).toMatch(/checksum/);
    hub.state.store = null;
    await create();
    await until("ready");
    for (let time = 0; time < 3; time++)
      engines
        .running()
        .find(({ model }) => model.id === privateModelKey(owner.organizationId, id))
        ?.events.exited("Out of memory.", 500);
    await until("failed");
    expect((await get()).error).toBe("Out of memory.");
  });

  test("deletes the token after the download", async () => {
    id = repository({ private: true }, "acme/closed");
    expect((await create()).status).toBe(404);
    expect((await create({ hf_token: "hf_reader" })).status).toBe(202);
    await until("ready");
    const pulls = await server.db.selectFrom("store_pulls").selectAll().where("model_id", "=", id).execute();
    expect(pulls.map(({ state, sealed_token }) => [state, sealed_token])).toEqual([["done", null]]);
    await call(`${LIST}/${id}`, { method: "DELETE" });
  });

  test("deleting a private model deletes its file unless another model uses it", async () => {
    repository({ files: { [FILE]: GGUF } });
    await create();
    await until("ready");
    const twin = repository({ files: { [FILE]: GGUF } }, `${id}-twin`);
    await call(`${LIST}/${twin}`, { method: "POST", body: {} });
    await until("ready", twin);
    const files = () => readdirSync(join(folder, "models")).filter((name) => name.endsWith(".gguf"));
    const before = files().length;
    const remove = (name: string) => call(`${LIST}/${name}`, { method: "DELETE" });
    expect((await remove(id)).status).toBe(204);
    expect([(await remove(id)).status, (await chat()).status]).toEqual([404, 404]);
    expect(files()).toHaveLength(before);
    expect((await remove(twin)).status).toBe(204);
    expect(files()).toHaveLength(before - 1);
    expect((await call(LIST)).body.items).toEqual([]);
  });

  test("a private model is available after a restart and loaded by the next call", async () => {
    await create();
    await until("ready");
    const { modelHost } = server.createOtherPlatform().api;
    await modelHost.start();
    const { organizationId } = owner;
    const key = privateModelKey(organizationId, id);
    expect([
      modelHost.findForOrganization(key, organizationId)?.id,
      modelHost.findForOrganization(key, "org_other"),
    ]).toEqual([key, null]);
    expect(modelHost.host.availability(key)).toMatchObject({ tier: "cold" });
    expect(await modelHost.host.wake(key)).toMatchObject({ tier: "loading" });
    await expect.poll(() => modelHost.host.isWarm(key)).toBe(true);
    await modelHost.stop();
  });

  test("deleting an organization deletes its private models", async () => {
    await create();
    await until("ready");
    await server.db.deleteFrom("organizations").where("id", "=", owner.organizationId).execute();
    await server.api.modelHost.deleteOrphans();
    const key = privateModelKey(owner.organizationId, id);
    await expect.poll(() => engines.running().filter(({ model }) => model.id === key)).toEqual([]);
    expect(server.api.modelHost.host.find(key)).toBe(null);
  });
});

describe("private models that share an id", () => {
  /** Returns the name of the engine that answered, by which this test distinguishes engines. */
  async function answerTo(token: string): Promise<unknown> {
    const { status, body } = await chat({ token });
    const [choice] = (body.choices ?? []) as { message: { content: string } }[];
    return status === 200 ? { model: body.model, engine: choice?.message.content } : status;
  }
  const engineOf = (key: string) => `engine ${engines.all.findLastIndex(({ model }) => model.id === key)}`;
  const untilReady = async ({ token }: Account) =>
    expect.poll(async () => (await call(`${LIST}/${id}`, { token })).body.state).toBe("ready");

  test("two organizations call their own models under the same id", async () => {
    const other = await server.signUpOnPlan({ private_models: 3, private_cloud: true });
    expect((await create()).status).toBe(202);
    expect((await create({}, { token: other.token })).status).toBe(202);
    await untilReady(owner);
    await untilReady(other);
    for (const { token, organizationId } of [owner, other])
      expect(await answerTo(token)).toEqual({ model: id, engine: engineOf(privateModelKey(organizationId, id)) });
    await server.api.gateway.usageWriter.flush();
    for (const { token, organizationId } of [owner, other]) {
      const answers = await Promise.all(
        [LIST, `/api/feather/models?search=${id}`, "/api/usage/activity/requests", `/v1/models?q=${id}`].map(
          async (path) => JSON.stringify((await call(path, { token })).body),
        ),
      );
      const foreign = [owner, other].find((account) => account.organizationId !== organizationId)?.organizationId;
      for (const answer of answers) {
        expect(answer).toContain(`"${id}"`);
        expect(answer).not.toContain(foreign);
        expect(answer).not.toMatch(/"(id|model)":"org_/);
      }
    }
    expect((await call(`${LIST}/${id}`, { method: "DELETE" })).status).toBe(204);
    expect(await answerTo(owner.token)).toBe(404);
    expect(await answerTo(other.token)).toMatchObject({ model: id });
  });

  test("the operator can add a public model with the id of a private one", async () => {
    await create();
    await untilReady(owner);
    await server.addUpstream({}, [id]);
    await createEnsureModels(
      server.db,
      server.platform.clock,
      server.api.catalogue.callableModels.invalidate,
    )([{ id, contextLength: null, parameterSize: 1e9 }]);
    const stranger = await server.signUp();
    expect(await answerTo(stranger.token)).toMatchObject({ model: id });
    expect(await answerTo(owner.token)).toEqual({
      model: id,
      engine: engineOf(privateModelKey(owner.organizationId, id)),
    });
    expect((await call(`/api/feather/models/${id}`, { token: stranger.token })).body).toMatchObject({
      is_private: false,
    });
    expect((await call(`/api/feather/models/${id}`)).body).toMatchObject({ is_private: true });
    for (const { token } of [owner, stranger]) {
      const { body } = await call(`/api/feather/models?search=${id}`, { token });
      expect((body.items as Json[]).filter((item) => item.id === id)).toHaveLength(1);
    }
    await server.removeUpstreams();
  });

  test("rejects the key of a private model in calls", async () => {
    await create();
    await untilReady(owner);
    const key = privateModelKey(owner.organizationId, id);
    const { token } = await server.signUp();
    for (const caller of [owner.token, token]) {
      const answer = await chat({
        token: caller,
        body: { model: key, messages: [{ role: "user", content: "Hello" }] },
      });
      expect([answer.status, errorCode(answer.body)]).toEqual([404, "model_not_found"]);
      expect((await call(`/api/feather/models/${key}`, { token: caller })).status).toBe(404);
    }
  });

  test("favorites, deployments and prices differ from those of the public model with the same id", async () => {
    await server.db
      .insertInto("models")
      .values({ id, id_lower: id, owned_by: "acme", name: id.slice(5), model_class_id: "qwen3-8b", source: "operator" })
      .execute();
    const stranger = await server.signUp();
    const admin = await server.signInAdmin();
    const priced = { prompt: "0.000009", completion: "0.000009" };
    await call(`/api/admin/base-models/${id}/prices`, { token: admin.token, method: "POST", body: priced });
    await create();
    await untilReady(owner);
    for (const { token } of [owner, stranger])
      expect((await call(`/api/feather/models/${id}/favorite`, { token, method: "PUT" })).status).toBe(204);
    const saved = async ({ token }: Account) =>
      ((await call("/api/feather/favorites", { token })).body.items as Json[]).map((item) => [
        item.id,
        item.is_private,
      ]);
    expect([await saved(owner), await saved(stranger)]).toEqual([[[id, true]], [[id, false]]]);
    const inputPrice = async ({ token }: Account) =>
      ((await call(`/api/feather/models/${id}`, { token })).body.pricing as Json).input;
    expect(await inputPrice(stranger)).toBe(9);
    expect(await inputPrice(owner)).not.toBe(9);
    const deployed = await call("/api/feather/private-cloud/deployments", {
      body: { name: "own", provider_id: "local", region: "here", instance_type: "cpu", model_id: id },
    });
    expect([deployed.status, deployed.body.model_id]).toEqual([202, id]);
    expect((await call(`${LIST}/${id}`, { method: "DELETE" })).status).toBe(409);
  });
});

describe("restrictions of public models apply to private ones", () => {
  test("only the plans of the public model can call a private copy", async () => {
    await create();
    await until("ready");
    const admin = await server.signInAdmin();
    const key = privateModelKey(owner.organizationId, id);
    const body = { plan_ids: ["feather_max"] };
    expect((await call(`/api/admin/models/${key}`, { token: admin.token, method: "PUT", body })).status).toBe(200);
    const answer = await chat();
    expect([answer.status, errorCode(answer.body)]).toEqual([403, "model_not_on_plan"]);
    const { access } = (await call(`/api/feather/models/${id}`)).body as { access: Json };
    expect(access).toMatchObject({ callable: false, reasons: expect.arrayContaining(["not_on_plan"]) });
  });

  test.each([
    ["kept to other plans", { plan_ids: ["feather_max"] }, "model_not_on_plan"],
    ["switched off", { disabled_at: new Date() }, "model_disabled"],
  ])("rejects a private copy of a public model that is %s", async (_what, terms, code) => {
    const row = { id, id_lower: id, owned_by: "acme", name: id.slice(5), model_class_id: "qwen3-8b" };
    await server.db
      .insertInto("models")
      .values({ ...row, source: "operator", ...terms })
      .execute();
    const answer = await create();
    expect([answer.status, errorCode(answer.body)]).toEqual([403, code]);
  });

  test("rejects a private model larger than the plan allows", async () => {
    const small = await server.signUpOnPlan({ private_models: 1, max_model_size: 1e9 });
    const answer = await create({}, { token: small.token });
    expect([answer.status, errorCode(answer.body)]).toEqual([403, "model_not_on_plan"]);
  });

  test("a gated model needs a token of the hub that can read it", async () => {
    id = repository({ gated: true }, "acme/closed");
    const without = await create();
    expect([without.status, errorCode(without.body)]).toEqual([403, "model_gated_needs_oauth"]);
    expect((await create({ hf_token: "hf_other" })).status).toBe(403);
    expect((await create({ hf_token: "hf_reader" })).status).toBe(202);
    await until("ready");
    expect((await chat()).body.model).toBe(id);
    await server.db.deleteFrom("model_unlocks").where("organization_id", "=", owner.organizationId).execute();
    server.api.catalogue.callableModels.invalidate();
    expect((await chat()).status).toBe(403);
  });
});

describe("loading a private model is refused", () => {
  test.each<[string, object, number]>([
    ["an unknown field", { path: "x" }, 400],
    ["an empty name", { name: " " }, 400],
    ["a name too long", { name: "x".repeat(65) }, 400],
    ["a revision that is none", { revision: "" }, 400],
    ["a revision that is not there", { revision: "v9" }, 404],
  ])("rejects a private model for %s", async (_what, body, status) => {
    expect((await create(body)).status).toBe(status);
    expect((await call(LIST)).body.items).toEqual([]);
  });

  test("rejects an incompatible model with the failed checks", async () => {
    repository({ parameters: { F32: 8_190_735_360 } });
    const answer = await create();
    expect([answer.status, errorCode(answer.body)]).toEqual([422, "private_models.incompatible"]);
    const { details } = JSON.parse(String(answer.body.data)) as { details: { checks: Json[] } };
    expect(details.checks).toMatchObject([{ id: "dtype", ok: false }]);
  });

  test.each([
    [{ status: 500 }, 503, "hub.unavailable"],
    [{ status: 200, body: "<html>" }, 502, "hub.invalid_response"],
  ])("returns the hub's error when it responds %j", async (fault, status, code) => {
    hub.state.failure = fault;
    const answer = await create();
    expect([answer.status, errorCode(answer.body)]).toEqual([status, code]);
  });

  test("rejects a repository without a GGUF file", async () => {
    hub.add(createServableRepository(id));
    expect((await call(`${LIST}/${id}/compatibility`)).body).toMatchObject({ compatible: false });
    const answer = await create();
    expect([answer.status, errorCode(answer.body)]).toEqual([422, "private_models.incompatible"]);
    const { details } = JSON.parse(String(answer.body.data)) as { details: { checks: Json[] } };
    const detail = expect.stringContaining("convert_hf_to_gguf.py");
    expect(details.checks).toMatchObject([{ id: "runnable_file", ok: false, detail }]);
  });

  test("a repository with an architecture that llama.cpp does not know is reported as not compatible", async () => {
    repository({ ggufArchitecture: "unheard-of" });
    const { body } = await call(`${LIST}/${id}/compatibility`);
    const failed = (body.checks as { ok: boolean }[]).filter(({ ok }) => !ok);
    const detail = expect.stringContaining("the architecture unheard-of");
    expect([body.compatible, failed]).toMatchObject([false, [{ id: "runnable_file", detail }]]);
    expect((await create()).status).toBe(422);
  });

  test("rejects a plan without private models", async () => {
    const poor = await server.signUpOnPlan({ private_models: 0 });
    const answer = await create({}, { token: poor.token });
    expect([answer.status, errorCode(answer.body)]).toEqual([403, "private_models.not_on_plan"]);
  });

  test("rejects more than the plan's limit times its quantity, also in concurrent requests", async () => {
    await server.db
      .updateTable("subscriptions")
      .set({ quantity: 2 })
      .where("organization_id", "=", owner.organizationId)
      .execute();
    const names = Array.from({ length: 10 }, (_, index) => repository({}, `acme/many-${count}-${index}`));
    const answers = await Promise.all(names.map((name) => call(`${LIST}/${name}`, { method: "POST", body: {} })));
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(6);
    expect(new Set(answers.filter(({ status }) => status !== 202).map(({ body }) => errorCode(body)))).toEqual(
      new Set(["private_models.limit_reached"]),
    );
    expect((await call(LIST)).body.items).toHaveLength(6);
    const [one] = (await call(LIST)).body.items as Json[];
    await call(`${LIST}/${one?.id}`, { method: "DELETE" });
    expect((await create()).status).toBe(202);
  });

  test("rejects members without the permission", async () => {
    await server.db.updateTable("memberships").set({ role: "developer" }).where("user_id", "=", owner.userId).execute();
    const answers = [await create(), await unload(), await call(`${LIST}/${id}`, { method: "DELETE" })];
    expect(answers.map(({ status, body }) => [status, errorCode(body)])).toEqual(
      answers.map(() => [403, "organization_permission_denied"]),
    );
  });

  test("responds 404 to changes of an unknown private model", async () => {
    const answers = [await call(`${LIST}/${id}`), await unload(), await call(`${LIST}/${id}`, { method: "DELETE" })];
    expect(answers.map(({ status, body }) => [status, errorCode(body)])).toEqual(
      answers.map(() => [404, "private_models.not_found"]),
    );
  });
});

describe("the state of a private model", () => {
  const fetching = (state: string, bytesDone = 0, error: string | null = null): DownloadState => ({
    state,
    bytesDone,
    bytesTotal: 200,
    error,
  });
  const converting = { state: "converting", bytesDone: 200, bytesTotal: 200, error: null };
  test.each<[DownloadState, HostingState, string, number | null, string | null]>([
    [null, null, "unloaded", null, null],
    [fetching("queued"), null, "queued", 0, null],
    [fetching("queued", 50, "The hub broke off."), null, "queued", 0.25, "The hub broke off."],
    [fetching("downloading", 100), null, "downloading", 0.5, null],
    [fetching("downloading", 100), { state: "warm" }, "downloading", 0.5, null],
    [fetching("verifying", 200), null, "downloading", 1, null],
    [{ ...converting, converted: 0.4 }, null, "converting", 0.4, null],
    [{ ...converting, converted: null }, null, "converting", null, null],
    [fetching("done", 200), { state: "loading", progress: 0.3 }, "loading", 0.3, null],
    [fetching("done", 200), { state: "loading", progress: null }, "loading", null, null],
    [
      fetching("done", 200),
      { state: "loading", progress: null, reason: "No node has room for it." },
      ...(["loading", null, "No node has room for it."] as const),
    ],
    [fetching("done", 200), { state: "warm" }, "ready", null, null],
    [fetching("done", 200), { state: "unloading" }, "unloading", null, null],
    [fetching("done", 200), { state: "cold" }, "unloaded", null, null],
    [fetching("done", 200), { state: "failed", reason: "No." }, "failed", null, "No."],
    [fetching("failed", 10, "Wrong."), null, "failed", null, "Wrong."],
    [fetching("failed", 10, "Wrong."), { state: "warm" }, "ready", null, null],
    [fetching("canceled", 10), null, "unloaded", null, null],
  ])("download %j and hosting %j give the state %s", (download, hosted, state, progress, error) => {
    expect(toPrivateModelState(download, hosted)).toEqual({ state, progress, error });
  });
});
