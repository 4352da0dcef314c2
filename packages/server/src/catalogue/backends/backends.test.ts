import { startFakeUpstream } from "@feather/testing/fake-upstream";
import { toServiceAccountKey } from "@feather/testing/fake-vertex";
import { startHttpServer } from "@feather/testing/http-server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { API_NAMES } from "../../gateway/index.ts";
import { createChatRequest } from "../../testing/chat.ts";
import { type Account, createTestServer, type TestServer } from "../../testing/server.ts";

let server: TestServer;
let admin: Account;

beforeAll(async () => {
  server = await createTestServer({
    env: {
      FEATHER_OUTGOING_ALLOW: "127.0.0.1",
      FEATHER_BACKENDS: JSON.stringify([
        {
          name: "spread",
          base_url: "http://127.0.0.1:1/v1",
          api_keys: ["sk-one", { key: "sk-second-key", label: "b" }],
        },
        { name: "listed", base_url: "http://127.0.0.1:1/v1", api_key: "sk-settings", models: ["listed/model"] },
      ]),
    },
  });
  admin = await server.signInAdmin();
  await server.api.backends.discovery.refresh();
});
afterAll(() => server.close());

type Backend = { id: string; name: string; state: string; models: string[]; source: string };
const BACKENDS = "/api/admin/backends";
const create = (body: object) => server.call(BACKENDS, { token: admin.token, body });
const change = (id: string, body: object) =>
  server.call(`${BACKENDS}/${id}`, { method: "PUT", token: admin.token, body });
const remove = (id: string) => server.call(`${BACKENDS}/${id}`, { method: "DELETE", token: admin.token });
const get = (id: string) => server.call(`${BACKENDS}/${id}`, { token: admin.token });
const chat = (model: string) =>
  server.call("/v1/chat/completions", { token: admin.token, body: createChatRequest({ model }) });

describe("backends of admins", () => {
  test("calls a backend after it is added, and not while it is disabled or after it is deleted", async () => {
    const upstream = await startFakeUpstream();
    const made = await create({ name: "mine", base_url: upstream.baseUrl, models: ["me/one"], api_key: "sk-canary" });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      name: "mine",
      source: "admin",
      has_api_key: true,
      enabled: true,
      models: ["me/one"],
    });
    expect(made.text).not.toContain("sk-canary");
    const { id } = made.body as Backend;
    expect((await chat("me/one")).status).toBe(200);
    expect(upstream.recordedRequests.at(-1)?.headers.authorization).toBe("Bearer sk-canary");

    expect((await change(id, { name: "mine", base_url: upstream.baseUrl, enabled: false })).body).toMatchObject({
      state: "disabled",
      has_api_key: true,
    });
    expect((await chat("me/one")).status).not.toBe(200);
    await change(id, { name: "renamed", base_url: upstream.baseUrl, enabled: true, api_key: null });
    expect((await chat("me/one")).status).toBe(200);
    expect(upstream.recordedRequests.at(-1)?.headers.authorization).toBeUndefined();

    expect((await remove(id)).status).toBe(204);
    expect((await chat("me/one")).status).not.toBe(200);
    expect((await get(id)).status).toBe(404);
    await upstream.close();
  });

  test("calls a model by its alias, which a change without aliases keeps and one with none takes away", async () => {
    const name = "accounts/provider/models/tiny v1";
    const upstream = await startFakeUpstream({}, [name, "other/model"]);
    const aliases = [{ name, as: "me/tiny" }];
    const made = await create({ name: "aliased", base_url: upstream.baseUrl, aliases });
    expect(made.body).toMatchObject({ models: ["me/tiny", "other/model"], configured_models: [], aliases });
    expect((await chat("me/tiny")).status).toBe(200);
    expect(upstream.recordedRequests.at(-1)?.body.model).toBe(name);

    const { id } = made.body as Backend;
    const fields = { name: "aliased", base_url: upstream.baseUrl };
    expect((await change(id, { ...fields, weight: 2 })).body).toMatchObject({ aliases });
    expect((await change(id, { ...fields, aliases: [] })).body).toMatchObject({ aliases: [], models: ["other/model"] });
    expect((await chat("me/tiny")).status).not.toBe(200);
    await remove(id);
    await upstream.close();
  });

  test.each([
    [
      "one name twice",
      [
        { name: "a", as: "me/a" },
        { name: "a", as: "me/b" },
      ],
      "The model a has two aliases.",
    ],
    [
      "one id twice",
      [
        { name: "a", as: "me/a" },
        { name: "b", as: "ME/A" },
      ],
      "Two models have the alias me/a.",
    ],
    ["an id with two dots", [{ name: "a", as: "me/a..b" }], "is not a model id (owner/name)"],
    ["an id of one part", [{ name: "a", as: "tiny" }], "aliases"],
    ["an id of three parts", [{ name: "a", as: "a/b/c" }], "aliases"],
    ["an alias without a name", [{ as: "me/a" }], "aliases"],
    ["an alias with an empty name", [{ name: "", as: "me/a" }], "aliases"],
  ])("rejects a backend with %s, and stores nothing", async (_what, aliases, message) => {
    const answer = await create({ name: "badly-aliased", base_url: "http://127.0.0.1:1/v1", aliases });
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(message)]);
    const stored = await server.db.selectFrom("backends").select("id").where("name", "=", "badly-aliased").execute();
    expect(stored).toEqual([]);
  });

  test.each(API_NAMES)("adds a backend that speaks the API %s", async (api) => {
    const { status, body } = await create({ name: `speaks-${api}`, base_url: "http://127.0.0.1:1/v1", api });
    expect([status, body]).toMatchObject([201, { api }]);
    expect((await remove((body as Backend).id)).status).toBe(204);
  });

  test("stores the API key of a backend encrypted", async () => {
    const { body } = await create({ name: "sealed", base_url: "http://127.0.0.1:1/v1", api_key: "sk-plain-text" });
    const row = await server.db
      .selectFrom("backends")
      .select("sealed_api_key")
      .where("name", "=", "sealed")
      .executeTakeFirstOrThrow();
    expect(row.sealed_api_key?.toString("latin1")).not.toContain("sk-plain-text");
    await remove((body as Backend).id);
  });

  test("requires the key of a backend again when its address changes to another server", async () => {
    const { body } = await create({ name: "moved", base_url: "http://127.0.0.1:1/v1", api_key: "sk-stays" });
    const { id } = body as Backend;
    const keyed = async () => ((await get(id)).body as { has_api_key: boolean }).has_api_key;
    expect((await change(id, { name: "moved", base_url: "http://127.0.0.1:1/other/v1" })).status).toBe(200);
    expect(await keyed()).toBe(true);
    const elsewhere = { name: "moved", base_url: "http://127.0.0.1:2/v1" };
    const refused = await change(id, elsewhere);
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining("Send api_key again")]);
    expect((await get(id)).body).toMatchObject({ base_url: "http://127.0.0.1:1/other/v1" });
    expect((await change(id, { ...elsewhere, api_key: "sk-new" })).status).toBe(200);
    expect((await change(id, { name: "moved", base_url: "http://127.0.0.1:3/v1", api_key: null })).status).toBe(200);
    expect(await keyed()).toBe(false);
    await remove(id);
  });

  test("only one of many concurrent requests gets a backend's name", async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => create({ name: "race", base_url: "http://127.0.0.1:1/v1" })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(9).fill(409)]);
  });

  test.each([
    ["a name of the settings", { name: "listed", base_url: "http://127.0.0.1:2/v1" }, 409],
    ["a name of the platform", { name: "engine", base_url: "http://127.0.0.1:2/v1" }, 409],
    ["a password in the address", { name: "x", base_url: "http://me:pw@127.0.0.1:2/v1" }, 400],
    ["another protocol", { name: "x", base_url: "file:///etc/passwd" }, 400],
    ["an address that is none", { name: "x", base_url: "http://[" }, 400],
    ["no name", { name: " ", base_url: "http://127.0.0.1:2/v1" }, 400],
    ["a weight of nothing", { name: "x", base_url: "http://127.0.0.1:2/v1", weight: 0 }, 400],
  ])("rejects a backend with %s", async (_what, body, status) => {
    expect((await create(body)).status).toBe(status);
  });
});

describe("backends of providers", () => {
  test("lists the providers for admins only", async () => {
    const { body } = await server.call("/api/admin/providers", { token: admin.token });
    const { items } = body as { items: { id: string }[] };
    expect(items).toContainEqual(
      expect.objectContaining({ id: "openrouter", base_url: "https://openrouter.ai/api/v1", lists_models: true }),
    );
    const region = { name: "region", suggestions: expect.arrayContaining(["eu-central-1"]) };
    expect(items).toContainEqual(
      expect.objectContaining({ id: "bedrock", placeholders: [expect.objectContaining(region)] }),
    );
    expect(items.map(({ id }) => id)).toEqual(expect.arrayContaining(["anthropic", "azure", "bedrock", "groq"]));
    expect((await server.call("/api/admin/providers")).status).toBe(401);
  });

  test("adds a provider by its id and a key, with its address and its API", async () => {
    const { body, status } = await create({ provider: "anthropic", api_key: "sk-ant-x" });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      name: "anthropic",
      base_url: "https://api.anthropic.com/v1",
      api: "anthropic",
      provider: "anthropic",
      has_api_key: true,
    });
    await remove((body as Backend).id);
  });

  test.each([
    ["no JSON", "AIza-test", "must be the JSON"],
    ["a token_uri of another server", toServiceAccountKey({ token_uri: "https://evil.example/" }), "must be Google's"],
  ])("refuses a key for Vertex AI with %s, at a new backend and as a further key", async (_what, key, message) => {
    const ofVertex = {
      provider: "vertex",
      placeholders: { project: "my-project-123" },
      api_key: toServiceAccountKey(),
    };
    const refused = await create({ ...ofVertex, api_key: key });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining(message)]);
    const { body, text } = await create(ofVertex);
    expect(body).toMatchObject({ api: "vertex", provider: "vertex", has_api_key: true });
    expect(text).not.toContain("PRIVATE KEY");
    const { id } = body as Backend;
    const added = await server.call(`${BACKENDS}/${id}/keys`, { token: admin.token, body: { key } });
    expect([added.status, added.text]).toEqual([400, expect.stringContaining(message)]);
    await remove(id);
  });

  test("completes the address of a provider, and loses the provider with another address", async () => {
    const region = { provider: "bedrock", placeholders: { region: "eu-central-1" } };
    const { body } = await create({ ...region, name: "eu", api_key: "x" });
    const { id } = body as Backend;
    expect(body).toMatchObject({ base_url: "https://bedrock-mantle.eu-central-1.api.aws/v1", provider: "bedrock" });
    expect((await change(id, { weight: 3 })).body).toMatchObject({ name: "eu", weight: 3, provider: "bedrock" });
    const moved = await change(id, { base_url: "http://127.0.0.1:1/v1", api_key: null });
    expect(moved.body).toMatchObject({ name: "eu", provider: null });
    await remove(id);
  });

  test.each([
    ["an unknown provider", { provider: "nobody" }, "There is no such provider."],
    ["a provider without the region of its address", { provider: "bedrock" }, "needs a valid region."],
    [
      "a region that leads elsewhere",
      { provider: "bedrock", placeholders: { region: "evil.example/" } },
      "needs a valid region.",
    ],
    ["a backend without provider and address", { name: "x" }, "Send provider or base_url."],
    ["a backend without provider and name", { base_url: "http://127.0.0.1:1/v1" }, "Send provider or name."],
  ])("rejects %s", async (_what, body, message) => {
    const { status, text } = await create(body);
    expect([status, text]).toEqual([400, expect.stringContaining(message)]);
  });
});

describe("all backends", () => {
  test("lists all backends, also those of the settings, with their state", async () => {
    const { body, text } = await server.call(BACKENDS, { token: admin.token });
    expect((body as { items: Backend[] }).items).toContainEqual(
      expect.objectContaining({
        id: "listed",
        source: "settings",
        state: "unreachable",
        has_api_key: true,
        last_error: "Nothing listens at this address.",
      }),
    );
    expect(text).not.toContain("sk-settings");
    expect((await get("listed")).body).toMatchObject({ name: "listed", models: ["listed/model"] });
  });

  test("shows the keys of a backend of the settings, which only the settings change", async () => {
    const { body, text } = await get("spread");
    expect(body).toMatchObject({
      has_api_key: true,
      keys: [
        { id: "key 1", label: "key 1", weight: 1, last_characters: "", state: "ready" },
        { id: "b", label: "b", last_characters: "-key" },
      ],
    });
    expect(text).not.toContain("sk-");
    const added = await server.call(`${BACKENDS}/spread/keys`, { token: admin.token, body: { key: "x" } });
    expect(added.status).toBe(409);
  });

  test("only backends that an admin added can be changed", async () => {
    expect((await remove("listed")).status).toBe(409);
    expect((await change("listed", { name: "listed", base_url: "http://127.0.0.1:2/v1" })).status).toBe(409);
    expect((await remove("bck_none")).status).toBe(404);
  });

  test("the test of a backend tells which of its models cannot be called, and their sizes", async () => {
    const backend = await startHttpServer((_request, response) => {
      const ids = ["some/model-7b", "hub/three/parts", "Twice/model-x", "twice/Model-X", "aliased model"];
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ object: "list", data: ids.map((id) => ({ id })) }));
    });
    const aliases = [{ name: "aliased model", as: "me/aliased" }];
    const { body } = await create({ name: "named", base_url: `${backend.url}/v1`, aliases });
    const { id } = body as Backend;
    expect(body).toMatchObject({ unsized_models: ["Twice/model-x", "me/aliased"] });
    const tested = await server.call(`${BACKENDS}/${id}/test`, { method: "POST", token: admin.token });
    expect(tested.body).toMatchObject({
      model_details: [
        { name: "some/model-7b", id: "some/model-7b", problem: null, parameter_size: 7e9 },
        { name: "hub/three/parts", id: null, problem: "not_an_id", parameter_size: null },
        { name: "Twice/model-x", id: "Twice/model-x", problem: null, parameter_size: null },
        { name: "twice/Model-X", id: null, problem: "same_id", parameter_size: null },
        { name: "aliased model", id: "me/aliased", problem: null, parameter_size: null },
      ],
    });
    const sized = { method: "PUT", token: admin.token, body: { parameter_size: 3e9 } };
    expect((await server.call("/api/admin/models/me/aliased", sized)).status).toBe(200);
    expect((await get(id)).body).toMatchObject({ unsized_models: ["Twice/model-x"] });
    await remove(id);
    await backend.close();
  });

  test("a model that its backend has to load is cold, and calls to it are admitted", async () => {
    const router = await startHttpServer((_request, response) => {
      const data = [{ id: "me/unloaded", owned_by: "llamacpp", status: { value: "unloaded", args: [] } }];
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ object: "list", data }));
    });
    const made = await create({ name: "router", base_url: `${router.url}/v1` });
    const { id } = made.body as Backend;
    const tierOf = async () =>
      ((await server.call("/v1/models/me/unloaded")).body as { availability: { tier: string } }).availability.tier;
    const listed = async (tier: string) =>
      ((await server.call(`/api/feather/models?availability=${tier}`)).body as { items: { id: string }[] }).items.map(
        (model) => model.id,
      );
    const preflight = await server.call("/v1/preflight", {
      token: admin.token,
      body: { model: "me/unloaded" },
    });
    expect(preflight.body).toMatchObject({ admitted: true, tier: "cold" });
    expect([await tierOf(), await listed("warm"), await listed("cold")]).toEqual([
      "cold",
      expect.not.arrayContaining(["me/unloaded"]),
      expect.arrayContaining(["me/unloaded"]),
    ]);
    await remove(id);
    await router.close();
  });

  test("tests the connection to a backend", async () => {
    const upstream = await startFakeUpstream();
    const { body } = await create({ name: "tried", base_url: upstream.baseUrl });
    const { id } = body as Backend;
    const attempt = async () =>
      (await server.call(`${BACKENDS}/${id}/test`, { method: "POST", token: admin.token })).body;
    expect(await attempt()).toMatchObject({ ok: true, error: null });
    await upstream.close();
    expect(await attempt()).toMatchObject({ ok: false, models: [], error: "Nothing listens at this address." });
    expect((await server.call(`${BACKENDS}/bck_none/test`, { method: "POST", token: admin.token })).status).toBe(404);
  });
});
