import { createTestClock } from "@feather/testing/clock";
import { errorCode } from "@feather/testing/errors";
import { createServableRepository, type FakeHub, startFakeHub } from "@feather/testing/fake-hub";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { BUILT_IN_MODELS } from "../../hosting/runtimes/built-in-models.ts";
import { seed } from "../../platform/core/db/seed/seed.ts";
import { privateModelKey } from "../../platform/core/models/model-keys.ts";
import { type Account, createTestServer, type TestServer } from "../../testing/server.ts";

const MODELS = "/api/admin/models";
const clock = createTestClock("2026-11-01T12:00:00Z");
const reworded = (readme: string) => BUILT_IN_MODELS.map((model) => ({ ...model, readme }));

let hub: FakeHub;
let server: TestServer;
let admin: Account;
let user: Account;
beforeAll(async () => {
  hub = await startFakeHub(
    [
      createServableRepository("acme/fresh-8b"),
      createServableRepository("acme/eyes-8b", {
        task: "image-text-to-text",
        files: {
          "config.json": JSON.stringify({
            architectures: ["Qwen3ForCausalLM"],
            text_config: { max_position_embeddings: 40_960, num_experts: 8 },
            vision_config: {},
          }),
        },
      }),
      createServableRepository("acme/closed", { gated: true }),
      createServableRepository("acme/adapter", { files: { "adapter_model.safetensors": { size: 5 } } }),
      createServableRepository("acme/both-8b", {
        cardData: {},
        parameters: { BF16: 8_030_261_248 },
        files: { "config.json": JSON.stringify({ architectures: ["LlamaForCausalLM"], max_position_embeddings: 777 }) },
      }),
      createServableRepository("Qwen/Qwen3-8B", {
        downloads: 999_999,
        files: { "README.md": "# Qwen3-8B\n\nFrom the hub itself.\n" },
      }),
    ],
    { hf_mine: { user: "ada", reads: ["acme/closed"] } },
  );
  server = await createTestServer({ clock, env: { FEATHER_HUB_URL: hub.baseUrl } });
  admin = await server.signInAdmin();
  user = await server.signUp();
});
beforeEach(() => {
  hub.state.failure = null;
});
afterAll(async () => {
  await server.close();
  await hub.close();
});

const call = (path: string, method: string, body?: object, by = admin) =>
  server.call(`${MODELS}${path}`, { method, token: by.token, ...(body && { body }) });
const create = (body: object) => call("", "POST", body);
const change = (id: string, body: object) => call(`/${id}`, "PUT", body);
const remove = (id: string) => call(`/${id}`, "DELETE");
const get = async (id: string) => (await call(`/${id}`, "GET")).body as Record<string, unknown>;
const shown = (id: string) => server.call(`/api/feather/models/${id}`);
const importAll = (body: object) => call("/import", "POST", body);
const statusOf = (answer: { status: number; body: unknown }) => {
  if (answer.status < 400) return `${answer.status}`;
  return `${answer.status} ${errorCode(answer.body)}`;
};
const acts = async (target: string) =>
  (
    await server.db.selectFrom("audit_log").select("action").where("target", "=", target).orderBy("sequence").execute()
  ).map(({ action }) => action);

describe("a model that an operator describes", () => {
  test("creates, changes and deletes a model", async () => {
    const made = await create({
      id: "acme/support-8b",
      model_class: "qwen3-8b",
      description: "Our support model.",
      tags: ["chat"],
      languages: ["en"],
      readme: "# Support <script>alert(1)</script>",
    });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      id: "acme/support-8b",
      model_class: "qwen3-8b",
      family: "qwen",
      source: "operator",
      disabled: false,
      plan_ids: null,
      hub_revision: null,
      request_count: 0,
      readme: "# Support alert(1)\n",
    });
    expect((await shown("acme/support-8b")).body).toMatchObject({ description: "Our support model.", favorites: 0 });

    const fields = {
      model_class: "qwen3-14b",
      tags: ["chat", "reasoning"],
      context_length: 1_000,
      max_completion_tokens: 500,
      license: "mit",
      plan_ids: ["feather_max"],
      is_gated: true,
      input_modalities: ["text", "image"],
      parameter_size: null,
      disabled: true,
    };
    const changed = await change("ACME/support-8b", fields);
    expect(changed.body).toMatchObject({ ...fields, description: "Our support model.", concurrency_cost: 1 });
    expect(await get("acme/support-8b")).toMatchObject(fields);
    expect((await change("acme/support-8b", {})).body).toMatchObject(fields);

    expect((await remove("acme/support-8b")).status).toBe(204);
    expect((await shown("acme/support-8b")).status).toBe(404);
    expect(statusOf(await remove("acme/support-8b"))).toBe("404 model_not_found");
    expect(await acts("acme/support-8b")).toEqual(["models.create", "models.update", "models.update", "models.delete"]);
  });

  test("rejects calls to a model while it is disabled", async () => {
    await server.addUpstream({}, ["feather/demo"]);
    const chat = async () => {
      const body = { model: "feather/demo", messages: [{ role: "user", content: "x" }] };
      const { status, body: answer } = await server.call("/v1/chat/completions", { token: user.token, body });
      return status === 200 ? status : `${status} ${(answer as { error: { code: string } }).error.code}`;
    };
    expect(await chat()).toBe(200);
    await change("feather/demo", { disabled: true });
    expect(await chat()).toBe("403 model_disabled");
    await change("feather/demo", { disabled: false, plan_ids: ["feather_max"] });
    expect(await chat()).toBe("403 model_not_on_plan");
    await change("feather/demo", { plan_ids: null });
    expect(await chat()).toBe(200);
    await server.removeUpstreams();
  });

  test.each([
    ["an id that is none", { id: "acme/a..b", model_class: "qwen3-8b" }, "400 invalid_request"],
    ["an id with no owner", { id: "support", model_class: "qwen3-8b" }, "400 invalid_request"],
    ["an unknown class", { id: "acme/x", model_class: "nonsense" }, "400 invalid_request"],
    ["an unknown family", { id: "acme/x", model_class: "qwen3-8b", family: "nonsense" }, "400 invalid_request"],
    ["an unknown sub-type", { id: "acme/x", model_class: "qwen3-8b", sub_type: "nonsense" }, "400 invalid_request"],
    [
      "a sub-type of another family",
      { id: "acme/x", model_class: "qwen3-8b", sub_type: "llama-3" },
      "400 invalid_request",
    ],
    ["an unknown plan", { id: "acme/x", model_class: "qwen3-8b", plan_ids: ["nonsense"] }, "400 invalid_request"],
    ["no plan at all", { id: "acme/x", model_class: "qwen3-8b", plan_ids: [] }, "400 invalid_request"],
    ["a size of nothing", { id: "acme/x", model_class: "qwen3-8b", parameter_size: 0 }, "400 invalid_request"],
    ["an unknown field", { id: "acme/x", model_class: "qwen3-8b", favorites: 1_000 }, "400 invalid_request"],
    ["an id that is taken", { id: "qwen/QWEN3-32B", model_class: "qwen3-8b" }, "409 models.exists"],
    ["no id", { model_class: "qwen3-8b" }, "400 invalid_request"],
  ])("rejects a new model with %s", async (_what, body, expected) => {
    expect(statusOf(await create(body))).toBe(expected);
    expect((await shown("acme/x")).status).toBe(404);
  });

  test("creates a model once when fifty requests create it concurrently", async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => create({ id: "acme/race", model_class: "qwen3-8b" })),
    );
    expect(answers.map(statusOf).sort()).toEqual(["201", ...Array<string>(49).fill("409 models.exists")]);
    await remove("acme/race");
  });

  test.each([
    ["an unknown class", { model_class: "nonsense" }],
    ["an unknown family", { family: "nonsense" }],
    ["an unknown plan", { plan_ids: ["feather_max", "nonsense"] }],
    ["an id", { id: "acme/y" }],
    ["a source", { source: "hub" }],
    ["a context of text", { context_length: "long" }],
    ["a description that is too long", { description: "x".repeat(2_001) }],
  ])("rejects a change of a model to %s", async (_what, fields) => {
    const before = await get("Qwen/Qwen3-4B");
    expect((await change("Qwen/Qwen3-4B", fields)).status).toBe(400);
    expect(await get("Qwen/Qwen3-4B")).toEqual(before);
  });

  test("responds 404 for an unknown model and to users who are not admins", async () => {
    expect(statusOf(await change("nobody/nothing", { tags: [] }))).toBe("404 model_not_found");
    expect(statusOf(await call("/nobody/nothing", "GET"))).toBe("404 model_not_found");
    for (const [path, method, body] of [
      ["", "GET", undefined],
      ["", "POST", { id: "acme/x", model_class: "qwen3-8b" }],
      ["/Qwen/Qwen3-4B", "GET", undefined],
      ["/Qwen/Qwen3-4B", "PUT", { tags: [] }],
      ["/Qwen/Qwen3-4B", "DELETE", undefined],
      ["/import", "POST", { ids: ["a/b"] }],
    ] as const)
      expect([path, method, (await call(path, method, body, user)).status]).toEqual([path, method, 404]);
    expect((await shown("Qwen/Qwen3-4B")).status).toBe(200);
  });
});

describe("changes by the operator", () => {
  test("an update of the shipped catalogue keeps what the operator changed", async () => {
    await change("Qwen/Qwen3-4B", { description: "Ours." });
    expect((await remove("Qwen/Qwen2-1.5B-Instruct")).status).toBe(204);
    expect(await get("Qwen/Qwen3-4B")).toMatchObject({ source: "operator" });
    await seed(server.db, reworded("News."));
    expect(await get("Qwen/Qwen3-4B")).toMatchObject({ description: "Ours." });
    expect((await shown("Qwen/Qwen2-1.5B-Instruct")).status).toBe(404);
    expect((await shown("feather/demo")).body).toMatchObject({ readme: "News." });
    const made = await create({ id: "Qwen/Qwen2-1.5B-Instruct", model_class: "qwen3-4b" });
    expect(made.status).toBe(201);
  });

  test("rejects deleting a model that runs or that is private", async () => {
    await server.addUpstream({}, ["feather/demo"]);
    expect(statusOf(await remove("feather/demo"))).toBe("409 models.in_use");
    await server.removeUpstreams();
    const key = privateModelKey(user.organizationId, "own/model");
    const row = { id: key, id_lower: key.toLowerCase(), owned_by: "own", name: "model", model_class_id: "qwen3-8b" };
    const own = { ...row, source: "private", is_private: true, organization_id: user.organizationId };
    await server.db.insertInto("models").values(own).execute();
    expect(statusOf(await remove(key))).toBe("409 models.private");
    expect(await get(key)).toMatchObject({ id: key, is_private: true });
    await server.db.deleteFrom("models").where("id", "=", key).execute();
  });

  test("deleting a model deletes its reviews and favorites and keeps its usage in reports", async () => {
    await create({ id: "acme/short", model_class: "qwen3-8b" });
    await server.addUpstream({}, ["acme/short"]);
    const body = { model: "acme/short", messages: [{ role: "user", content: "x" }] };
    expect((await server.call("/v1/chat/completions", { token: user.token, body })).status).toBe(200);
    await server.api.gateway.usageWriter.flush();
    await server.removeUpstreams();
    const review = { rating: 5, review: "Good." };
    const path = "/api/feather/models/acme/short";
    expect((await server.call(`${path}/reviews`, { token: user.token, body: review })).status).toBe(201);
    expect((await server.call(`${path}/favorite`, { method: "PUT", token: user.token })).status).toBe(204);
    expect((await remove("acme/short")).status).toBe(204);
    for (const table of ["reviews", "favorites"] as const)
      expect(await server.db.selectFrom(table).selectAll().where("model_id", "=", "acme/short").execute()).toEqual([]);
    const used = server.db.selectFrom("requests").select("id").where("model_id", "=", "acme/short");
    expect(await used.execute()).toHaveLength(1);
  });
});

describe("a model from the hub", () => {
  test("creates a model from the hub by its id, with the fields that the admin adds", async () => {
    const made = await create({ id: "acme/fresh-8b", description: "Fresh.", plan_ids: ["feather_max"] });
    expect([made.status, made.body]).toEqual([
      201,
      expect.objectContaining({
        source: "hub",
        model_class: "qwen3-8b",
        family: "qwen",
        description: "Fresh.",
        license: "apache-2.0",
        plan_ids: ["feather_max"],
        hub_revision: expect.stringMatching(/^[0-9a-f]{40}$/),
        downloads: 4321,
      }),
    ]);
    await remove("acme/fresh-8b");
  });

  test("derives capabilities of a model from the files of its repository", async () => {
    const { body } = await create({ id: "acme/eyes-8b" });
    expect(body).toMatchObject({
      input_modalities: ["text", "image"],
      tags: expect.arrayContaining(["vision", "moe"]),
      context_length: 40_960,
      features: { image_input: true },
      classified_tags: { modalities: ["vision"], domains: ["code"] },
    });
    await remove("acme/eyes-8b");
  });

  test.each([
    ["that it lacks", { id: "acme/nothing" }, "404 hub.not_found"],
    ["that is closed", { id: "acme/closed" }, "403 hub.gated"],
    ["with a wrong token", { id: "acme/closed", access_token: "hf_wrong" }, "403 hub.token_refused"],
    ["that cannot be served", { id: "acme/adapter" }, "409 models.incompatible"],
    ["that fits more than one class", { id: "acme/both-8b" }, "409 models.class_ambiguous"],
  ])("rejects a model from the hub %s", async (_what, body, expected) => {
    expect(statusOf(await create(body))).toBe(expected);
    expect((await shown(body.id)).status).toBe(404);
  });

  test("adds a gated model with a token and does not store the token", async () => {
    expect((await create({ id: "acme/closed", access_token: "hf_mine" })).body).toMatchObject({ is_gated: true });
    const dump = await server.db.selectFrom("models").selectAll().where("id", "=", "acme/closed").execute();
    expect(JSON.stringify(dump)).not.toContain("hf_mine");
    await remove("acme/closed");
  });

  test("creating a model from the hub responds hub.unavailable when the hub cannot be reached", async () => {
    hub.state.failure = { status: 503 };
    const answer = await create({ id: "acme/away-8b" });
    expect(statusOf(answer)).toBe("503 hub.unavailable");
    expect(answer.text).toContain("The model hub cannot be reached just now");
    hub.state.failure = { status: 200, body: "<html>" };
    expect(statusOf(await create({ id: "acme/away-8b" }))).toBe("502 hub.invalid_response");
  });
});

describe("an import", () => {
  test("an import returns a result per id in the order of the request", async () => {
    const { status, body } = await importAll({
      ids: ["acme/nothing", "ACME/fresh-8b", "acme/adapter", "acme/both-8b", "acme/a..b", "Qwen/Qwen3-8B"],
    });
    expect(status).toBe(200);
    const { results } = body as { results: { id: string; ok: boolean; error: string | null }[] };
    expect(results.map(({ id, ok }) => [id, ok])).toEqual([
      ["acme/nothing", false],
      ["acme/fresh-8b", true],
      ["acme/adapter", false],
      ["acme/both-8b", false],
      ["acme/a..b", false],
      ["Qwen/Qwen3-8B", true],
    ]);
    expect(results[2]?.error).toContain("Merge it into its base model");
    expect(results[3]?.error).toContain("more than one class");
    expect(results[1]?.error).toBeNull();
    await remove("acme/fresh-8b");
  });

  test("an import keeps curated columns and refreshes those of the hub", async () => {
    const before = await get("Qwen/Qwen3-8B");
    await importAll({ ids: ["Qwen/Qwen3-8B"] });
    const after = await get("Qwen/Qwen3-8B");
    for (const field of ["description", "tags", "license", "model_class", "family", "released_date", "source"])
      expect([field, after[field]]).toEqual([field, before[field]]);
    expect(after).toMatchObject({ downloads: 999_999, hf_created_at: "2026-09-03T10:20:30.000Z" });
    expect(after.readme).toContain("From the hub itself");
    // A later version of the shipped catalogue does not replace the hub's readme.
    await seed(server.db, reworded("More news."));
    expect(await get("Qwen/Qwen3-8B")).toMatchObject({ downloads: 999_999, readme: after.readme });
  });

  test("an import refreshes models from the hub and classifies models that a backend added", async () => {
    await server.db
      .insertInto("model_classes")
      .values({ id: "unknown", name: "unknown", context_length: 8192, concurrency_cost: 1 })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const row = { id: "acme/fresh-8b", id_lower: "acme/fresh-8b", owned_by: "acme", name: "fresh-8b" };
    const found = { ...row, model_class_id: "unknown", source: "backend" };
    await server.db.insertInto("models").values(found).execute();
    await importAll({ ids: ["acme/fresh-8b"] });
    expect(await get("acme/fresh-8b")).toMatchObject({ source: "hub", model_class: "qwen3-8b", license: "apache-2.0" });
    await importAll({ ids: ["acme/fresh-8b"], model_class: "qwen3-14b" });
    expect(await get("acme/fresh-8b")).toMatchObject({ model_class: "qwen3-14b" });
    await remove("acme/fresh-8b");
  });

  test("an import accepts 100 ids and rejects more", async () => {
    const many = Array.from({ length: 100 }, (_, index) => `acme/none-${index}`);
    const { body } = await importAll({ ids: many });
    expect((body as { results: { ok: boolean }[] }).results.filter(({ ok }) => !ok)).toHaveLength(100);
    expect((await importAll({ ids: [...many, "acme/one-more"] })).status).toBe(400);
    expect((await importAll({ ids: [] })).status).toBe(400);
    expect((await importAll({ ids: ["a/b", "a/b"] })).status).toBe(400);
    expect(statusOf(await importAll({ ids: ["a/b"], model_class: "nonsense" }))).toBe("400 invalid_request");
  });

  test("an import reports hub.unavailable for each id while the hub is down", async () => {
    hub.state.failure = { status: 503 };
    const { body } = await importAll({ ids: ["acme/gone-1", "acme/gone-2"] });
    expect(body).toEqual({
      results: ["acme/gone-1", "acme/gone-2"].map((id) => ({
        id,
        ok: false,
        error: expect.stringContaining("cannot be reached"),
      })),
    });
  });
});

describe("the list for admins", () => {
  type List = { items: { id: string; request_count: number }[]; pagination: { total_items: number } };
  const list = async (query = "") => (await call(query, "GET")).body as List;

  test("lists all models for admins with search, filters and pages", async () => {
    const all = await list();
    expect(all.items).toHaveLength(50);
    expect(all.pagination.total_items).toBeGreaterThan(390);
    expect((await list("?perPage=5&page=2")).items).toHaveLength(5);
    expect((await list("?search=Qwen/Qwen3-32B")).items[0]?.id).toBe("Qwen/Qwen3-32B");
    expect((await list("?status=active")).items).toEqual([]);
    expect((await list("?status=not_deployed")).pagination.total_items).toBe(all.pagination.total_items);
    expect((await call("?status=gone", "GET")).status).toBe(400);
  });

  test("lists how many organizations requested a model", async () => {
    const others = await Promise.all([server.signUp(), server.signUp()]);
    for (const { token } of others)
      await server.call("/api/feather/models/Qwen/Qwen3-14B", { method: "POST", token, body: {} });
    expect((await list("?status=pending_deploy")).items).toMatchObject([{ id: "Qwen/Qwen3-14B", request_count: 2 }]);
    const requests = await server.call("/api/admin/model-requests?perPage=1", { token: admin.token });
    expect(requests.body).toMatchObject({
      items: [{ model_id: "Qwen/Qwen3-14B", request_count: 2, in_catalogue: true }],
      pagination: { total_items: 1, total_pages: 1 },
    });
  });
});
