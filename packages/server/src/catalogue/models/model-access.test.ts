import { createTestClock } from "@feather/testing/clock";
import { errorCode } from "@feather/testing/errors";
import { createServableRepository, type FakeHub, startFakeHub } from "@feather/testing/fake-hub";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { HOSTILE_TEXTS } from "../../testing/hostile-texts.ts";
import { type Account, createTestServer, type TestServer } from "../../testing/server.ts";

const GATED = "meta-llama/Llama-3.1-8B";
const TOKENS = {
  hf_ada: { user: "ada", reads: [GATED, "acme/closed", "acme/secret"] },
  hf_bob: { user: "bob" },
};
const clock = createTestClock("2026-11-01T12:00:00Z");

let hub: FakeHub;
let server: TestServer;
let ada: Account;
beforeAll(async () => {
  hub = await startFakeHub(
    [
      createServableRepository("acme/fresh-8b"),
      createServableRepository("acme/other-8b"),
      createServableRepository("acme/closed", { gated: true }),
      createServableRepository("acme/secret", { private: true }),
      createServableRepository("acme/both-8b", {
        cardData: {},
        parameters: { BF16: 8_030_261_248 },
        files: { "config.json": llama() },
      }),
      createServableRepository("acme/adapter", { files: { "adapter_config.json": "{}" } }),
      createServableRepository(GATED, { gated: true }),
    ],
    TOKENS,
  );
  server = await createTestServer({ clock, env: { FEATHER_HUB_URL: hub.baseUrl } });
  ada = await server.signUp();
});
beforeEach(() => {
  hub.state.failure = null;
  hub.requests.length = 0;
});
afterAll(async () => {
  await server.close();
  await hub.close();
});

function llama(): string {
  return JSON.stringify({ architectures: ["LlamaForCausalLM"], max_position_embeddings: 777, torch_dtype: "bfloat16" });
}
const get = (id: string, query = "", token?: string) => server.call(`/api/feather/models/${id}${query}`, { token });
const request = (id: string, by: Account, body: object = {}) =>
  server.call(`/api/feather/models/${id}`, { method: "POST", token: by.token, body });
const unlock = (id: string, by: Account, body: object = { access_token: "hf_ada" }) =>
  server.call(`/api/feather/models/${id}/unlock`, { method: "POST", token: by.token, body });
const statusOf = (answer: { status: number; body: unknown }) =>
  answer.status < 400 ? `${answer.status}` : `${answer.status} ${errorCode(answer.body)}`;
const drop = (id: string) => server.db.deleteFrom("models").where("id", "=", id).execute();

describe("a model that is not in the catalogue", () => {
  test("imports a model from the hub once for signed-in users", async () => {
    expect(statusOf(await get("acme/fresh-8b", "", ada.token))).toBe("404 model_not_found");
    expect(statusOf(await get("acme/fresh-8b", "?scrape=0", ada.token))).toBe("404 model_not_found");
    expect(hub.requests).toEqual([]);
    const { status, body } = await get("acme/fresh-8b", "?scrape=1", ada.token);
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({
        id: "acme/fresh-8b",
        owned_by: "acme",
        model_class: "qwen3-8b",
        family: "qwen",
        sub_type: "qwen-3",
        parameter_size: 8_190_735_360,
        context_length: 40_960,
        architecture: "Qwen3ForCausalLM",
        base_model: "Qwen/Qwen3-8B",
        license: "apache-2.0",
        languages: ["en", "de"],
        tags: ["chat", "code", "multilingual"],
        description: "A model for tests. It is not there.",
        downloads: 4321,
        is_gated: false,
        hf_created_at: "2026-09-03T10:20:30.000Z",
        released_date: "2026-09-03",
        status: "not_deployed",
        readme: expect.stringContaining("# acme/fresh-8b"),
      }),
    ]);
    const requestCount = hub.requests.length;
    expect((await get("ACME/Fresh-8B", "?scrape=1", ada.token)).body).toMatchObject({ id: "acme/fresh-8b" });
    expect((await get("acme/fresh-8b")).status).toBe(200);
    expect(hub.requests.length).toBe(requestCount);
    expect((await server.call("/api/feather/models?search=fresh")).body).toMatchObject({
      items: [{ id: "acme/fresh-8b" }],
    });
    await drop("acme/fresh-8b");
  });

  test("imports a model once when fifty users open it concurrently", async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => get("acme/other-8b", "?scrape=1", ada.token)));
    expect(answers.map(({ status }) => status)).toEqual(Array<number>(50).fill(200));
    expect(hub.requests.filter((line) => line.includes("/revision/")).length).toBeLessThanOrEqual(1);
    const acts = await server.db.selectFrom("audit_log").select("id").where("target", "=", "acme/other-8b").execute();
    expect(acts).toHaveLength(1);
    await drop("acme/other-8b");
  });

  test("does not import a model for anonymous visitors", async () => {
    expect(statusOf(await get("acme/fresh-8b", "?scrape=1"))).toBe("404 model_not_found");
    expect(hub.requests).toEqual([]);
  });

  test("importing a model responds model_class_ambiguous when more than one class fits", async () => {
    const ambiguous = await get("acme/both-8b", "?scrape=1", ada.token);
    expect(statusOf(ambiguous)).toBe("409 models.class_ambiguous");
    const { candidates } = detailsOf(ambiguous.body) as { candidates: string[] };
    expect(candidates.length).toBeGreaterThan(1);
    expect(statusOf(await get("acme/both-8b", "?scrape=1&model_class=qwen3-8b", ada.token))).toBe(
      "409 models.class_mismatch",
    );
    expect(statusOf(await get("acme/both-8b", "?scrape=1&model_class=nonsense", ada.token))).toBe(
      "400 invalid_request",
    );
    expect((await get("acme/both-8b")).status).toBe(404); // nothing has changed so far
    const { body } = await get("acme/both-8b", `?scrape=1&model_class=${candidates[1]}`, ada.token);
    expect(body).toMatchObject({ id: "acme/both-8b", model_class: candidates[1], family: "llama" });
    expect((await get("acme/both-8b", "?model_class=qwen3-8b")).status).toBe(404);
    await drop("acme/both-8b");
  });

  test("rejects an incompatible model with the failed checks", async () => {
    const answer = await get("acme/adapter", "?scrape=1", ada.token);
    expect(statusOf(answer)).toBe("409 models.incompatible");
    const { checks } = detailsOf(answer.body) as { checks: { id: string; ok: boolean }[] };
    expect(checks).toHaveLength(6);
    expect(checks.filter(({ ok }) => !ok).map(({ id }) => id)).toEqual(["full_weights"]);
    expect((await get("acme/adapter")).status).toBe(404);
  });

  test("rejects importing a gated model without a token", async () => {
    expect(statusOf(await get("acme/closed", "?scrape=1", ada.token))).toBe("403 hub.gated");
    expect(statusOf(await request("acme/closed", ada))).toBe("403 hub.gated");
    expect(statusOf(await request("acme/closed", ada, { access_token: "hf_bob" }))).toBe("403 hub.gated");
    expect(statusOf(await request("acme/closed", ada, { access_token: "hf_ada" }))).toBe("202");
    await server.db.deleteFrom("model_requests").execute();
  });

  test("does not import a private repository of the hub", async () => {
    expect(statusOf(await get("acme/secret", "?scrape=1", ada.token))).toBe("404 model_not_found");
  });

  test("asks the hub once a day for a repository that it does not have", async () => {
    for (let times = 0; times < 3; times++)
      expect(statusOf(await get("acme/late-8b", "?scrape=1", ada.token))).toBe("404 model_not_found");
    expect(hub.requests).toHaveLength(1);
    hub.add(createServableRepository("acme/late-8b"));
    clock.at += 23 * 3_600_000;
    expect((await get("acme/late-8b", "?scrape=1", ada.token)).status).toBe(404);
    clock.at += 2 * 3_600_000;
    expect((await get("acme/late-8b", "?scrape=1", ada.token)).status).toBe(200);
    await drop("acme/late-8b");
  });

  test.each([
    ["is away", { status: 503 }, "503 hub.unavailable"],
    ["says nonsense", { status: 200, body: "<html>" }, "502 hub.invalid_response"],
  ])("importing a model responds with a clear error when the hub %s", async (_what, fault, expected) => {
    hub.state.failure = fault;
    const id = `acme/unseen-${expected.slice(0, 3)}`;
    const answer = await get(id, "?scrape=1", ada.token);
    expect(statusOf(answer)).toBe(expected);
    if (answer.status === 503) expect(answer.headers.get("retry-after")).toBe("60");
    hub.state.failure = null;
    expect(statusOf(await get(id, "?scrape=1", ada.token))).toBe("404 model_not_found");
  });

  test.each(["?scrape=2", "?scrape=yes", `?model_class=${"x".repeat(101)}`])(
    "rejects the query %s for a model",
    async (query) => {
      expect((await get("acme/fresh-8b", query, ada.token)).status).toBe(400);
    },
  );

  test("limits the rate of imports from the hub", async () => {
    const limited = await createTestServer({ env: { FEATHER_HUB_URL: hub.baseUrl, FEATHER_RATE_LIMITS: "on" } });
    const { token } = await limited.signUp();
    const statuses = [];
    for (let times = 0; times < 32; times++)
      statuses.push((await limited.call(`/api/feather/models/acme/x${times}?scrape=1`, { token })).status);
    expect(statuses.slice(0, 30)).toEqual(Array<number>(30).fill(404));
    expect(statuses.slice(30)).toEqual([429, 429]);
    await limited.close();
  });

  test("sanitizes the hostile card of an imported model", async () => {
    const card = `# Card\n\n${HOSTILE_TEXTS.slice(0, 60).join("\n\n")}`;
    hub.add(createServableRepository("acme/hostile-8b", { files: { "README.md": card } }));
    const { body, headers } = await get("acme/hostile-8b", "?scrape=1", ada.token);
    const { readme, description } = body as { readme: string; description: string };
    expect(readme).toMatch(/^# Card/);
    expect(readme).not.toMatch(/(^|[^\\])<(script|img|svg|iframe|style|object|a)\b/im);
    expect(readme).not.toMatch(/\]\(\s*<?(javascript|data|vbscript):/i);
    expect(readme).not.toMatch(/(^|[^\\])!\[/);
    expect(description).not.toMatch(/<script/i);
    expect(headers.get("content-type")).toMatch(/^application\/json/);
    await drop("acme/hostile-8b");
  });
});

describe("requesting a model", () => {
  const pending = async (id: string) => (await get(id)).body as { status: string };

  test("stores a request for a model of the hub once per organization", async () => {
    const [one, two] = await Promise.all([server.signUp(), server.signUp()]);
    const answer = await request("ACME/Fresh-8b", one);
    expect([answer.status, answer.body]).toEqual([202, { id: "acme/fresh-8b", status: "pending_deploy" }]);
    const requestCount = hub.requests.length;
    expect((await request("acme/fresh-8b", one)).body).toEqual(answer.body);
    expect(hub.requests.length).toBe(requestCount);
    expect((await request("acme/fresh-8b", two)).status).toBe(202);
    const admin = await server.signInAdmin();
    const list = await server.call("/api/admin/model-requests", { token: admin.token });
    const named = await server.db
      .selectFrom("model_requests")
      .innerJoin("organizations", "organizations.id", "organization_id")
      .select("name")
      .orderBy("model_requests.created_at")
      .orderBy("organization_id")
      .execute();
    const organizations = named.map(({ name }) => name);
    expect(organizations).toHaveLength(2);
    expect(list.body).toMatchObject({
      items: [{ model_id: "acme/fresh-8b", request_count: 2, organizations, in_catalogue: false }],
      pagination: { total_items: 1 },
    });
    // A requested model is pending as soon as it is in the catalogue.
    const body = { ids: ["acme/fresh-8b"] };
    expect((await server.call("/api/admin/models/import", { token: admin.token, body })).status).toBe(200);
    expect(await pending("acme/fresh-8b")).toMatchObject({ status: "pending_deploy" });
    await drop("acme/fresh-8b");
    await server.db.deleteFrom("model_requests").execute();
  });

  test("marks a catalogue model as pending without a request to the hub", async () => {
    expect(await pending("Qwen/Qwen3-14B")).toMatchObject({ status: "not_deployed" });
    expect((await request("qwen/qwen3-14b", ada)).body).toEqual({ id: "Qwen/Qwen3-14B", status: "pending_deploy" });
    expect(await pending("Qwen/Qwen3-14B")).toMatchObject({ status: "pending_deploy" });
    const { body } = await server.call("/v1/models?status=pending_deploy");
    expect((body as { data: { id: string }[] }).data.map(({ id }) => id)).toContain("Qwen/Qwen3-14B");
    expect(hub.requests).toEqual([]);
  });

  test("users who requested a model get one mail when it runs here and is not switched off, and can request it again", async () => {
    const id = "Qwen/Qwen3-14B";
    const owner = await server.signUp();
    const mails = () =>
      server.db
        .selectFrom("outbox")
        .select(["kind", "subject", "body"])
        .where("recipient", "=", owner.email)
        .where("kind", "=", "model_available")
        .execute();
    expect((await request(id, owner)).status).toBe(202);
    await server.runJob("answer model requests");
    expect(await mails()).toEqual([]);

    await server.addUpstream({}, [id]);
    const setDisabledAt = (disabled_at: Date | null) =>
      server.db.updateTable("models").set({ disabled_at }).where("id", "=", id).execute();
    await setDisabledAt(new Date());
    await server.runJob("answer model requests");
    expect(await mails()).toEqual([]);
    await setDisabledAt(null);
    await server.runJob("answer model requests");
    await server.runJob("answer model requests");
    const [mail, ...others] = await mails();
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ subject: `${id} runs at Feather`, body: expect.stringContaining(`/models/${id}`) });
    const admin = await server.signInAdmin();
    const list = await server.call("/api/admin/model-requests", { token: admin.token });
    const openIds = (list.body as { items: { model_id: string }[] }).items.map(({ model_id }) => model_id);
    expect(openIds).not.toContain(id);

    await server.removeUpstreams();
    expect(await pending(id)).toMatchObject({ status: "not_deployed" });
    expect((await request(id, owner)).status).toBe(202);
    expect(await pending(id)).toMatchObject({ status: "pending_deploy" });
    await server.db.deleteFrom("model_requests").execute();
  });

  test("stores fifty concurrent requests for a model as one", async () => {
    const owner = await server.signUp();
    const answers = await Promise.all(Array.from({ length: 50 }, () => request("acme/other-8b", owner)));
    expect(answers.map(({ status }) => status)).toEqual(Array<number>(50).fill(202));
    const rows = await server.db
      .selectFrom("model_requests")
      .selectAll()
      .where("id_lower", "=", "acme/other-8b")
      .execute();
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ hub_token: null, organization_id: owner.organizationId });
  });

  test("a request for a gated model needs a token that can read it", async () => {
    expect(statusOf(await request("acme/secret", ada))).toBe("404 model_not_found");
    expect(statusOf(await request("acme/secret", ada, { access_token: "hf_bob" }))).toBe("404 model_not_found");
    expect(statusOf(await request("acme/secret", ada, { access_token: "hf_wrong" }))).toBe("403 hub.token_refused");
    expect(statusOf(await request("acme/secret", ada, { access_token: "hf_ada" }))).toBe("202");
    expect(statusOf(await request("acme/secret", await server.signUp()))).toBe("404 model_not_found");
  });

  test.each([
    ["which the hub lacks", "acme/nowhere", "404 model_not_found"],
    ["which cannot be served", "acme/adapter", "409 models.incompatible"],
    ["whose name is none", "acme/no..where", "404 model_not_found"],
  ])("rejects requesting a model %s", async (_what, id, expected) => {
    const answer = await request(id, ada);
    expect(["404 not_found", expected]).toContain(statusOf(answer));
  });

  test("rejects a request for a model that already runs", async () => {
    await server.addUpstream({}, ["feather/demo"]);
    expect(statusOf(await request("feather/demo", ada))).toBe("409 models.already_runs");
    await server.removeUpstreams();
  });

  test("requesting a model responds hub.unavailable while the hub is down", async () => {
    hub.state.failure = { status: 500 };
    expect(statusOf(await request("acme/asked-8b", ada))).toBe("503 hub.unavailable");
  });

  test("only members who manage models can request a model, and unknown fields are rejected", async () => {
    const body = {};
    expect((await server.call("/api/feather/models/Qwen/Qwen3-14B", { method: "POST", body })).status).toBe(401);
    const viewer = await server.signUp();
    await server.db.updateTable("memberships").set({ role: "viewer" }).where("user_id", "=", viewer.userId).execute();
    server.api.identity.invalidateApiKeys();
    expect(statusOf(await request("Qwen/Qwen3-14B", await again(viewer)))).toBe("403 organization_permission_denied");
    expect((await request("Qwen/Qwen3-14B", ada, { organization_id: "org_x" })).status).toBe(400);
    expect((await request("Qwen/Qwen3-14B", ada, { access_token: 5 })).status).toBe(400);
  });
});

describe("unlocking a gated model", () => {
  const call = async (by: Account) => {
    const body = { model: GATED, messages: [{ role: "user", content: "x" }], max_tokens: 5 };
    return (await server.call("/v1/chat/completions", { token: by.token, body })).status;
  };

  test("unlocks a gated model for one organization at once", async () => {
    const [one, two] = await Promise.all([open(), open()]);
    await server.addUpstream({}, [GATED], 1, { source: "engine" });
    expect([await call(one), await call(two)]).toEqual([403, 403]);
    const refused = await server.call("/v1/chat/completions", {
      token: one.token,
      body: { model: GATED, messages: [{ role: "user", content: "x" }] },
    });
    expect(refused.body).toMatchObject({
      error: {
        code: "model_gated_needs_oauth",
        type: "permission_error",
        details: { unlock_url: `/api/feather/models/${GATED}/unlock` },
      },
    });
    const answer = await unlock(GATED, one);
    expect([answer.status, answer.body]).toEqual([
      200,
      { model_id: GATED, method: "token", unlocked_at: clock.now().toISOString() },
    ]);
    expect([await call(one), await call(two)]).toEqual([200, 403]);
    expect((await get(GATED, "", one.token)).body).toMatchObject({ access: { unlocked: true, callable: true } });
    expect((await get(GATED, "", two.token)).body).toMatchObject({ access: { unlocked: false, reasons: ["gated"] } });
    await server.removeUpstreams();
    const row = await server.db.selectFrom("model_unlocks").selectAll().executeTakeFirstOrThrow();
    expect(row).toMatchObject({ hub_user: "ada", hub_token: null, unlocked_by: one.userId });
    const acts = await server.db
      .selectFrom("audit_log")
      .select("details")
      .where("action", "=", "models.unlock")
      .execute();
    expect(JSON.stringify(acts)).not.toContain("hf_ada");
  });

  test("a gated model on an operator's backend needs no unlock", async () => {
    const someone = await open();
    const shown = async () => (await get(GATED, "", someone.token)).body;
    const callable = async () => {
      const listed = await server.call(`/api/feather/models?callable=true&search=${GATED}`, { token: someone.token });
      return (listed.body as { items: { id: string }[] }).items.some(({ id }) => id === GATED);
    };
    expect(await shown()).toMatchObject({ access: { unlocked: false, callable: false } });
    await server.addUpstream({}, [GATED], 1, { source: "settings" });
    expect([await call(someone), await callable()]).toEqual([200, true]);
    expect(await shown()).toMatchObject({ is_gated: true, access: { unlocked: true, callable: true } });
    await server.removeUpstreams();
    await server.addUpstream({}, [GATED], 1, { source: "engine" });
    expect([await call(someone), await callable()]).toEqual([403, false]);
    await server.removeUpstreams();
  });

  test("repeating an unlock returns the first one without a request to the hub", async () => {
    const owner = await server.signUp();
    const first = (await unlock(GATED, owner)).body;
    clock.at += 60_000;
    hub.requests.length = 0;
    expect((await unlock(GATED, owner, { access_token: "hf_bob" })).body).toEqual(first);
    expect(hub.requests).toEqual([]);
  });

  test("stores fifty concurrent unlocks of a model as one", async () => {
    const owner = await server.signUp();
    const answers = await Promise.all(Array.from({ length: 50 }, () => unlock(GATED, owner)));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(200);
    const acts = await server.db
      .selectFrom("audit_log")
      .select("id")
      .where("action", "=", "models.unlock")
      .where("organization_id", "=", owner.organizationId)
      .execute();
    expect(acts).toHaveLength(1);
  });

  test.each([
    ["a token that may not read it", { access_token: "hf_bob" }, "403 hub.gated"],
    ["a token that the hub does not know", { access_token: "hf_wrong" }, "403 hub.token_refused"],
    ["something that is no token", { access_token: "secret" }, "403 hub.token_refused"],
    ["a token with a line break", { access_token: "hf_x\r\nx-evil: 1" }, "403 hub.token_refused"],
    ["no token", {}, "400 invalid_request"],
    ["an empty token", { access_token: "" }, "400 invalid_request"],
    ["a token that is too long", { access_token: `hf_${"x".repeat(500)}` }, "400 invalid_request"],
    ["an unknown field", { access_token: "hf_ada", organization_id: "org_x" }, "400 invalid_request"],
  ])("rejects unlocking a gated model with %s", async (_what, body, expected) => {
    const owner = await server.signUp();
    expect(statusOf(await unlock(GATED, owner, body))).toBe(expected);
    expect((await get(GATED, "", owner.token)).body).toMatchObject({ access: { unlocked: false } });
  });

  test("rejects unlocking a model without a gate and an unknown one", async () => {
    expect(statusOf(await unlock("feather/demo", ada))).toBe("400 models.not_gated");
    expect(statusOf(await unlock("nobody/nothing", ada))).toBe("404 model_not_found");
    expect((await server.call(`/api/feather/models/${GATED}/unlock`, { method: "POST", body: {} })).status).toBe(401);
  });

  test("an admin can waive the token for their own organization", async () => {
    const admin = await server.signInAdmin();
    expect((await unlock(GATED, admin, {})).body).toMatchObject({ method: "waived" });
    expect((await get(GATED, "", ada.token)).body).toMatchObject({ access: { unlocked: false } });
  });

  test("unlocking a model responds hub.unavailable while the hub is down", async () => {
    hub.state.failure = { status: 503 };
    expect(statusOf(await unlock(GATED, await server.signUp()))).toBe("503 hub.unavailable");
    hub.state.failure = { status: 200, body: "[]" };
    expect(statusOf(await unlock(GATED, await server.signUp()))).toBe("502 hub.invalid_response");
  });

  test("stores the token of an unlocked model encrypted if the operator enables it", async () => {
    const keeping = await createTestServer({ env: { FEATHER_HUB_URL: hub.baseUrl, FEATHER_HUB_TOKENS: "keep" } });
    const { token } = await keeping.signUp();
    const body = { access_token: "hf_ada" };
    const answer = await keeping.call(`/api/feather/models/${GATED}/unlock`, { method: "POST", token, body });
    expect(answer.status).toBe(200);
    const { hub_token } = await keeping.db.selectFrom("model_unlocks").select("hub_token").executeTakeFirstOrThrow();
    expect(hub_token).not.toBeNull();
    expect(hub_token?.toString("latin1")).not.toContain("hf_ada");
    await keeping.close();
  });
});

describe("favourites", () => {
  const save = (id: string, by: Account, method = "PUT") =>
    server.call(`/api/feather/models/${id}/favorite`, { method, token: by.token });
  const saved = async ({ token }: Account) =>
    ((await server.call("/api/feather/favorites", { token })).body as { items: { id: string }[] }).items.map(
      ({ id }) => id,
    );
  const count = async () => ((await get("Qwen/Qwen3-8B")).body as { favorites: number }).favorites;

  test("saves a model as a favorite once, lists the newest first, and removes it", async () => {
    const owner = await server.signUp();
    for (const id of ["Qwen/Qwen3-8B", "feather/demo", "qwen/QWEN3-8b"]) {
      clock.at += 1_000;
      expect((await save(id, owner)).status).toBe(204);
    }
    expect(await saved(owner)).toEqual(["feather/demo", "Qwen/Qwen3-8B"]);
    expect(await count()).toBe(1);
    expect((await get("Qwen/Qwen3-8B", "", owner.token)).body).toMatchObject({ is_favorite: true, favorites: 1 });
    expect((await get("Qwen/Qwen3-8B", "", ada.token)).body).toMatchObject({ is_favorite: false, favorites: 1 });
    for (let times = 0; times < 2; times++) expect((await save("Qwen/Qwen3-8B", owner, "DELETE")).status).toBe(204);
    expect(await saved(owner)).toEqual(["feather/demo"]);
    expect(await count()).toBe(0);
    expect(await saved(ada)).toEqual([]);
  });

  test("counts concurrent favorites of fifty users, and those of one user once", async () => {
    const users = await Promise.all(Array.from({ length: 50 }, () => server.signUp()));
    await Promise.all(users.map((user) => save("Qwen/Qwen3-8B", user)));
    expect(await count()).toBe(50);
    await Promise.all(Array.from({ length: 50 }, () => save("Qwen/Qwen3-8B", ada)));
    expect(await count()).toBe(51);
    await Promise.all(Array.from({ length: 50 }, () => save("Qwen/Qwen3-8B", ada, "DELETE")));
    expect(await count()).toBe(50);
    expect((await server.call("/api/feather/models?sort=-favorites&perPage=1")).body).toMatchObject({
      items: [{ id: "Qwen/Qwen3-8B", favorites: 50 }],
    });
    await server.db
      .deleteFrom("users")
      .where(
        "id",
        "in",
        users.map(({ userId }) => userId),
      )
      .execute();
    expect(await count()).toBe(0);
  });

  test("rejects favorites of unknown models and without authentication", async () => {
    for (const method of ["PUT", "DELETE"]) {
      expect(statusOf(await save("nobody/nothing", ada, method))).toBe("404 model_not_found");
      expect((await server.call("/api/feather/models/Qwen/Qwen3-8B/favorite", { method })).status).toBe(401);
    }
    expect((await server.call("/api/feather/favorites")).status).toBe(401);
  });
});

/** Returns a user on a plan that allows every model. */
const open = () => server.signUpOnPlan({});
async function again({ email, ...account }: Account): Promise<Account> {
  const { headers } = await server.call("/api/auth/login", { body: { email, password: "feathers-are-light" } });
  return { ...account, email, token: headers.get("x-session-token") ?? "" };
}

function detailsOf(body: unknown): unknown {
  return (JSON.parse((body as { data: string }).data) as { details?: unknown }).details;
}
