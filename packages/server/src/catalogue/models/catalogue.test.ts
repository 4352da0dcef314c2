import { createTestClock } from "@feather/testing/clock";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { privateModelKey } from "../../platform/core/models/model-keys.ts";
import { type Account, createTestServer, type TestServer } from "../../testing/server.ts";

type Item = {
  downloads: number | null;
  likes: number | null;
  id: string;
  owned_by: string;
  name: string;
  family: string | null;
  license: string | null;
  tags: string[];
  parameter_size: number | null;
  context_length: number | null;
  released_date: string | null;
  avg_rating: number | null;
  total_reviews: number;
};
type Facets = Record<string, { value: string; label: string; count: number }[]>;
type List = {
  items: Item[];
  pagination: { current_page: number; per_page: number; total_items: number; total_pages: number };
  facets?: Facets;
};

const clock = createTestClock("2026-11-01T12:00:00Z");
let server: TestServer;
let total = 0;

beforeAll(async () => {
  server = await createTestServer({ clock });
  total = (await list("perPage=1")).pagination.total_items;
});
afterAll(() => server.close());

async function list(query: string, token?: string): Promise<List> {
  const answer = await server.call(`/api/feather/models?${query}`, { token });
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body as List;
}
const idsOf = async (query: string) => (await list(query)).items.map(({ id }) => id);
const dataOf = (body: unknown) => JSON.parse((body as { data: string }).data) as { code: string; message: string };

describe("filters", () => {
  test("every listed model matches the filter", async () => {
    for (const { family } of (await list("family=qwen&perPage=100")).items) expect(family).toBe("qwen");
    for (const { owned_by } of (await list("owner=mistralai,zai-org&perPage=100")).items)
      expect(["mistralai", "zai-org"]).toContain(owned_by);
    for (const { license } of (await list("license=apache-2.0&perPage=100")).items) expect(license).toBe("apache-2.0");
    for (const { parameter_size } of (await list("min_params=4&max_params=15&perPage=100")).items) {
      expect(parameter_size).toBeGreaterThanOrEqual(4e9);
      expect(parameter_size).toBeLessThanOrEqual(15e9);
    }
    for (const { context_length } of (await list("min_context=100000&perPage=100")).items)
      expect(context_length).toBeGreaterThanOrEqual(100_000);
  });

  test("a least context length selects all models with it, their own or that of their class", async () => {
    const pages = await Promise.all(
      Array.from({ length: Math.ceil(total / 100) }, (_, index) => list(`perPage=100&page=${index + 1}`)),
    );
    const isLong = ({ context_length }: Item) => context_length !== null && context_length >= 100_000;
    const long = pages.flatMap(({ items }) => items).filter(isLong);
    expect(long.length).toBeGreaterThan(50);
    expect((await list("min_context=100000&perPage=1")).pagination.total_items).toBe(long.length);
  });

  test("filters models by the caller's favorites, with pages and other filters", async () => {
    const { token } = await server.signUp();
    const ids = ["feather/demo", "Qwen/Qwen3-8B", "Qwen/Qwen3-32B"];
    for (const id of ids) await server.call(`/api/feather/models/${id}/favorite`, { method: "PUT", token });
    const { items, pagination } = await list("saved=true&perPage=2&page=2&sort=name&facets=1", token);
    expect([items.map(({ id }) => id), pagination.total_items]).toEqual([["Qwen/Qwen3-8B"], 3]);
    expect((await list("saved=true&family=qwen", token)).pagination.total_items).toBe(2);
    expect((await list("saved=false", token)).pagination.total_items).toBe(total - 3);
    expect((await list("saved=true", (await server.signUp()).token)).items).toEqual([]);
  });

  test.each([
    ["size=4-15", "min_params=4.000000001&max_params=15"],
    ["size=-4,100-", "max_params=4", "min_params=100.000000001"],
    ["modality=image", "tags=vision"],
    ["capability=tool_use", "tags=tool-use"],
    ["capability=reasoning", "tags=reasoning"],
    ["family=qwen,llama", "family=qwen", "family=llama"],
    ["owner=QWEN", "owner=Qwen"],
    ["availability=offline,warm,cold,loading", ""],
    ["gated=true", "gated=true&gated=true"],
  ])("the filter %s equals %s", async (one, ...others) => {
    let sum = 0;
    for (const other of others) sum += (await list(other.split("&gated")[0] ?? "")).pagination.total_items;
    expect((await list(one)).pagination.total_items).toBe(sum);
    expect(sum).toBeGreaterThan(0);
  });

  test("a boolean filter and its opposite cover all models", async () => {
    const count = async (query: string) => (await list(query)).pagination.total_items;
    expect((await count("gated=true")) + (await count("gated=false"))).toBe(total);
    await server.addUpstream({}, ["feather/demo"]);
    const { token } = await server.signUp();
    const callable = async (yes: boolean) => (await list(`callable=${yes}`, token)).pagination.total_items;
    expect((await callable(true)) + (await callable(false))).toBe(total);
    await server.removeUpstreams();
  });

  test("filters that depend on the caller reject anonymous requests for models", async () => {
    for (const query of ["callable=true", "callable=false", "saved=true", "saved=false"])
      expect((await server.call(`/api/feather/models?${query}`)).status).toBe(401);
    const answer = await server.call("/v1/models?available_on_current_plan=true");
    expect([answer.status, answer.body]).toEqual([401, { error: expect.objectContaining({ code: "unauthorized" }) }]);
  });

  test("filters of the catalogue combine", async () => {
    const one = await list("family=qwen");
    const both = await list("family=qwen&max_params=4");
    expect(both.pagination.total_items).toBeGreaterThan(0);
    expect(both.pagination.total_items).toBeLessThan(one.pagination.total_items);
  });

  test("filters models by availability", async () => {
    await server.addUpstream({}, ["feather/demo"]);
    expect(await idsOf("availability=warm")).toEqual(["feather/demo"]);
    expect((await list("availability=offline")).pagination.total_items).toBe(total - 1);
    await server.removeUpstreams();
    expect(await idsOf("availability=warm")).toEqual([]);
  });

  test("filters models by what the caller's plan can call", async () => {
    await server.addUpstream({}, ["feather/demo", "Qwen/Qwen3-32B"]);
    const { token } = await server.signUp();
    expect((await list("callable=true", token)).items.map(({ id }) => id)).toEqual(["feather/demo"]);
    await server.removeUpstreams();
  });

  test.each([
    "min_params=lots",
    "min_params=-1",
    "sort=password_hash",
    "gated=maybe",
    "availability=hot",
    "availability=warm,hot",
    "modality=smell",
    "capability=flying",
    "size=5-6",
    "page=0",
    "page=1.5",
    "perPage=0",
    "perPage=100000",
    "facets=2",
  ])("the list of models rejects %s", async (query) => {
    expect((await server.call(`/api/feather/models?${query}`)).status).toBe(400);
  });

  test.each([
    "min_params=1e300",
    "max_params=1e300",
    "min_context=1e15",
    "page=999999999",
    "released=2026-02-31",
    "released=yesterday",
    "search=%25%25%25&sort=name",
  ])("the list of models accepts %s without a server error", async (query) => {
    expect((await server.call(`/api/feather/models?${query}`)).status).toBeLessThan(500);
  });
});

describe("facets", () => {
  test("a facet's count equals the result of its filter", async () => {
    const { facets } = await list("facets=1&family=qwen");
    expect(Object.keys(facets ?? {}).sort()).toEqual([
      "availability",
      "capability",
      "family",
      "hosted",
      "language",
      "license",
      "modality",
      "owner",
      "size",
      "tags",
    ]);
    for (const { value, count } of facets?.family?.slice(0, 5) ?? [])
      expect([value, (await list(`family=${value}`)).pagination.total_items]).toEqual([value, count]);
    for (const name of [
      "license",
      "tags",
      "size",
      "availability",
      "hosted",
      "modality",
      "capability",
      "language",
      "owner",
    ])
      for (const { value, count } of facets?.[name]?.slice(0, 6) ?? [])
        expect([
          name,
          value,
          (await list(`family=qwen&${name}=${encodeURIComponent(value)}`)).pagination.total_items,
        ]).toEqual([name, value, count]);
  });

  test("counts of the size facet add up to all models with a known size", async () => {
    const { facets } = await list("facets=1");
    const sizes = (facets?.size ?? []).reduce((sum, { count }) => sum + count, 0);
    const { count } = await server.db
      .selectFrom("models")
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .where("parameter_size", "is not", null)
      .executeTakeFirstOrThrow();
    expect(sizes).toBe(count);
    expect((facets?.availability ?? []).reduce((sum, facet) => sum + facet.count, 0)).toBe(total);
  });

  test("facets of the list of models are omitted unless requested", async () => {
    expect(await list("")).not.toHaveProperty("facets");
  });
});

describe("sorting and pages", () => {
  test("sorts models by size in both directions", async () => {
    const up = (await list("sort=parameter_size&perPage=100")).items.flatMap(
      ({ parameter_size }) => parameter_size ?? [],
    );
    expect(up).toEqual([...up].sort((a, b) => a - b));
    const down = (await list("sort=-parameter_size&perPage=100")).items.flatMap(
      ({ parameter_size }) => parameter_size ?? [],
    );
    expect(down).toEqual([...down].sort((a, b) => b - a));
  });

  test("sorts models by release date, the newest first", async () => {
    const dates = (await list("sort=-released_date&perPage=100")).items.map(({ released_date }) => released_date ?? "");
    expect(dates).toEqual([...dates].sort().reverse());
  });

  test.each(["downloads", "likes"] as const)(
    "returns null for unknown %s and sorts those models last",
    async (fact) => {
      const set = (id: string, count: number | null) =>
        server.db
          .updateTable("models")
          .set({ [fact]: count })
          .where("id", "=", id)
          .execute();
      await set("Qwen/Qwen3-8B", 0);
      await set("Qwen/Qwen3-32B", 1204);
      const sorted = (await list(`sort=-${fact}&perPage=100`)).items.map((item) => [item.id, item[fact]]);
      expect(sorted.slice(0, 2)).toEqual([
        ["Qwen/Qwen3-32B", 1204],
        ["Qwen/Qwen3-8B", 0],
      ]);
      expect(new Set(sorted.slice(2).map(([, count]) => count))).toEqual(new Set([null]));
      await set("Qwen/Qwen3-8B", null);
      await set("Qwen/Qwen3-32B", null);
    },
  );

  test.each(["", "sort=name", "sort=-trending_rank", "sort=-downloads", "sort=-avg_rating"])(
    "lists every model once over all pages (%s)",
    async (query) => {
      const ids: string[] = [];
      const pages = Math.ceil(total / 100);
      for (let page = 1; page <= pages; page++) ids.push(...(await idsOf(`${query}&perPage=100&page=${page}`)));
      expect(ids).toHaveLength(total);
      expect(new Set(ids).size).toBe(total);
      expect((await list(`${query}&perPage=100&page=${pages + 1}`)).items).toEqual([]);
    },
  );

  test("the list of models returns the position and total of a page", async () => {
    expect((await list("perPage=10&page=3")).pagination).toEqual({
      current_page: 3,
      per_page: 10,
      total_items: total,
      total_pages: Math.ceil(total / 10),
    });
  });
});

describe("a model", () => {
  test.each([
    "/api/feather/models/Qwen/Qwen3-32B",
    "/api/feather/models/Qwen%2FQwen3-32B",
    "/api/feather/models/qwen/QWEN3-32b",
  ])("returns a model at %s", async (path) => {
    expect((await server.call(path)).body).toMatchObject({ id: "Qwen/Qwen3-32B", concurrency_cost: 4 });
  });

  test("responds 404 for an unknown model in the error format of each API", async () => {
    const site = await server.call("/api/feather/models/nobody/nothing");
    expect([site.status, dataOf(site.body).code]).toEqual([404, "model_not_found"]);
    const openai = await server.call("/v1/models/nobody/nothing");
    expect([openai.status, openai.body]).toEqual([
      404,
      { error: expect.objectContaining({ code: "model_not_found" }) },
    ]);
    const wrong = dataOf((await server.call("/api/feather/models/Qwen/Qwen3-32C")).body);
    expect(wrong.message).toContain("Did you mean Qwen/Qwen3-32B");
  });

  test("returns a model only if it belongs to the requested class", async () => {
    const path = "/api/feather/models/Qwen/Qwen3-32B?model_class=";
    expect((await server.call(`${path}qwen3-32b`)).status).toBe(200);
    expect((await server.call(`${path}qwen3-8b`)).status).toBe(404);
  });

  test("hides private models of other organizations", async () => {
    const [one, other] = await Promise.all([server.signUp(), server.signUp()]);
    const { model_class_id } = await server.db
      .selectFrom("models")
      .select("model_class_id")
      .where("id", "=", "Qwen/Qwen3-32B")
      .executeTakeFirstOrThrow();
    const key = privateModelKey(one.organizationId, "one/secret");
    const row = {
      id: key,
      id_lower: key.toLowerCase(),
      owned_by: "one",
      name: "secret",
      model_class_id,
      description: "",
      source: "private",
      organization_id: one.organizationId,
    };
    await server.db.insertInto("models").values(row).execute();
    const statusOf = async (path: string, token?: string) => (await server.call(path, { token })).status;
    for (const path of ["/api/feather/models/one/secret", "/v1/models/one/secret"])
      expect([await statusOf(path, one.token), await statusOf(path, other.token), await statusOf(path)]).toEqual([
        200, 404, 404,
      ]);
    expect((await list("search=one/secret", other.token)).items.map(({ id }) => id)).not.toContain("one/secret");
    expect((await list("search=one/secret", one.token)).items.map(({ id }) => id)).toContain("one/secret");
    expect(
      (
        await server.call("/v1/chat/completions", {
          token: other.token,
          body: { model: "one/secret", messages: [{ role: "user", content: "x" }] },
        })
      ).status,
    ).toBe(404);
    expect((await server.call("/api/feather/models/one/secret/reviews", { token: other.token })).status).toBe(404);
    await server.db.deleteFrom("models").where("id", "=", key).execute();
  });
});

describe("a response with an ETag", () => {
  const read = (path: string, etag?: string, token?: string) =>
    server.call(path, { token, ...(etag !== undefined && { headers: { "if-none-match": etag } }) });
  const etagOf = (answer: { headers: Headers }) => answer.headers.get("etag") ?? "";

  test.each(["/api/feather/models?search=qwen&facets=1", "/v1/models", "/v1/models?per_page=10"])(
    "a response with an ETag responds 304 while nothing has changed: %s",
    async (path) => {
      const first = await read(path);
      const etag = etagOf(first);
      expect(etag).toMatch(/^W\/"[\w-]+"$/);
      clock.at += 5_000; // when availability was checked does not count
      for (const known of [etag, etag.slice(2), `"other", ${etag}`, "*"]) {
        const again = await read(path, known);
        expect([known, again.status, again.text, etagOf(again)]).toEqual([known, 304, "", etag]);
      }
      for (const other of ['"other"', "", "W/", etag.slice(0, -3)]) expect((await read(path, other)).status).toBe(200);
    },
  );

  test("the ETag of the catalogue follows the availability of models", async () => {
    const path = "/api/feather/models?search=demo";
    const etag = etagOf(await read(path));
    await server.addUpstream({}, ["feather/demo"]);
    const changed = await read(path, etag);
    expect([changed.status, etagOf(changed) === etag]).toEqual([200, false]);
    await server.removeUpstreams();
    expect((await read(path, etag)).status).toBe(304);
  });

  test("the ETag of the catalogue differs between callers who see different models", async () => {
    const { token } = await server.signUp();
    const path = "/api/feather/models?search=demo";
    const etag = etagOf(await read(path));
    const own = await read(path, etag, token);
    expect([own.status, etagOf(own) === etag]).toEqual([200, false]);
    expect(own.headers.get("vary")).toContain("authorization");
    expect(own.headers.get("cache-control")).toBe("private, no-cache");
  });
});

describe("whether a model can be called", () => {
  type Access = { callable: boolean; reasons: string[]; effective_context_length: number; unlocked: boolean };
  const GATED = "meta-llama/Llama-3.1-8B";
  const accessTo = async (id: string, { token }: Account) => {
    const { body } = await server.call(`/api/feather/models/${id}`, { token });
    return (body as { access: Access }).access;
  };
  const statusOfCall = async (id: string, { token }: Account) => {
    const body = { model: id, messages: [{ role: "user", content: "x" }], max_tokens: 5 };
    return (await server.call("/v1/chat/completions", { token, body })).status;
  };
  const change = (id: string, fields: object) =>
    server.db
      .updateTable("models")
      .set({ updated_at: clock.now(), ...fields })
      .where("id", "=", id)
      .execute()
      .then(server.api.catalogue.callableModels.invalidate);

  test("models say whether they can be called to signed-in callers only", async () => {
    const { body } = await server.call("/api/feather/models/feather/demo");
    for (const field of ["access", "available_on_current_plan", "is_favorite"]) expect(body).not.toHaveProperty(field);
  });

  test.each([
    ["nothing against it", "feather/demo", {}, {}, { callable: true, reasons: [] }, 200],
    [
      "a size above the plan's",
      "feather/demo",
      { parameter_size: 9e9 },
      { max_model_size: 8e9 },
      { reasons: ["plan_model_size"] },
      403,
    ],
    [
      "an unknown size",
      "feather/demo",
      { parameter_size: null },
      { max_model_size: 8e9 },
      { reasons: ["plan_model_size"] },
      403,
    ],
    ["a model switched off", "feather/demo", { disabled_at: new Date() }, {}, { reasons: ["disabled"] }, 403],
    ["another plan's model", "feather/demo", { plan_ids: ["feather_max"] }, {}, { reasons: ["not_on_plan"] }, 403],
    ["a gate", GATED, {}, {}, { reasons: ["gated"], unlocked: false }, 403],
    ["a gate and a size", GATED, {}, { max_model_size: 1 }, { reasons: ["gated", "plan_model_size"] }, 403],
    [
      "a shorter context",
      "feather/demo",
      {},
      { max_context_length: 100 },
      { callable: true, reasons: ["plan_context"], effective_context_length: 100 },
      200,
    ],
  ])(
    "the access of a model agrees with the result of a call: %s",
    async (_what, id, fields, plan, expected, status) => {
      const before = await server.db.selectFrom("models").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
      const { parameter_size, disabled_at, plan_ids } = before;
      await server.addUpstream({}, [id], 1, { source: "engine" });
      const owner = await server.signUpOnPlan(plan);
      await change(id, fields);
      expect(await accessTo(id, owner)).toMatchObject({ callable: false, ...expected });
      const callable = (await list("callable=true", owner.token)).items.map((item) => item.id);
      expect(callable.includes(id)).toBe((expected as { callable?: boolean }).callable ?? false);
      expect(await statusOfCall(id, owner)).toBe(status);
      await change(id, { parameter_size, disabled_at, plan_ids });
      await server.removeUpstreams();
    },
  );

  test("a model that nothing runs is not callable", async () => {
    expect(await accessTo("feather/demo", await server.signUp())).toMatchObject({ callable: false, reasons: ["cold"] });
  });

  test("lists of models return access for each model, also to OpenAI's clients", async () => {
    await server.addUpstream({}, ["feather/demo"]);
    const { token } = await server.signUp();
    const [item] = (await list("search=feather/demo", token)).items;
    expect(item).toMatchObject({ available_on_current_plan: true, is_favorite: false, access: { callable: true } });
    const shown = await server.call("/v1/models/feather/demo", { token });
    expect(shown.body).toMatchObject({ available_on_current_plan: true, access: { callable: true } });
    await server.removeUpstreams();
  });

  test("the access of models follows the state of the backends", async () => {
    const state = async () => {
      const { body } = await server.call("/api/feather/models/feather/demo");
      const { status, health, availability } = body as {
        status: string;
        health: string;
        availability: { tier: string };
      };
      return [status, health, availability.tier];
    };
    expect(await state()).toEqual(["not_deployed", "OFFLINE", "offline"]);
    await server.addUpstream({}, ["feather/demo"]);
    expect(await state()).toEqual(["active", "HEALTHY", "warm"]);
    const [backend] = server.api.backends.registry.candidates("feather/demo");
    for (let times = 0; times < 3 && backend; times++) server.api.backends.registry.recordFailure(backend, "gone");
    expect(await state()).toEqual(["not_deployed", "UNHEALTHY", "offline"]);
    await server.removeUpstreams();
  });
});

describe("prices", () => {
  test("models show the current prices of the price book", async () => {
    const admin = await server.signInAdmin();
    const price = async () => {
      const { body } = await server.call("/api/feather/models/Qwen/Qwen3-32B");
      return (body as { pricing: { prompt: string; input: number } | null }).pricing;
    };
    const before = await price();
    expect(before).not.toBeNull();
    const body = { prompt: "0.00000123", completion: "0.00000456" };
    const made = await server.call("/api/admin/base-models/Qwen%2FQwen3-32B/prices", { token: admin.token, body });
    expect(made.status).toBe(201);
    expect(await price()).toEqual({
      ...body,
      image: "0",
      audio_second: "0",
      character: "0",
      request: "0",
      input: 1.23,
      output: 4.56,
    });
    expect((await list("search=Qwen/Qwen3-32B")).items[0]).toMatchObject({ pricing: body });
    expect((await server.call("/v1/models/Qwen/Qwen3-32B")).body).toMatchObject({ pricing: body });
  });
});

describe("OpenAI's list", () => {
  type V1 = { object: string; data: { id: string; [field: string]: unknown }[]; total?: number; pagination?: object };
  const v1 = async (query = "", token?: string) => (await server.call(`/v1/models${query}`, { token })).body as V1;

  test("OpenAI's list returns all models unless a page is requested", async () => {
    const { data, ...rest } = await v1();
    expect(data).toHaveLength(total);
    expect(rest).toEqual({ object: "list", total_count: total, links: { next: null } });
    for (const query of ["?page=2&per_page=7", "?page=2&perPage=7"]) {
      const page = await v1(query);
      expect([page.data.length, page.total]).toEqual([7, total]);
      expect(page.pagination).toMatchObject({ current_page: 2, per_page: 7, total_items: total });
    }
    expect((await v1("?page=1")).data).toHaveLength(100);
  });

  test("OpenAI's list has the same filters under its own names", async () => {
    const counts = async (...queries: string[]) =>
      Promise.all(queries.map(async (query) => (await v1(query)).data.length));
    const [byComma, repeated] = await counts("?family=qwen,llama", "?family=qwen&family=llama");
    expect(byComma).toBe((await list("family=qwen,llama")).pagination.total_items);
    expect(repeated).toBe(byComma);
    const [tags] = await counts("?tags=chat&tags=code");
    expect(tags).toBe((await list("tags=chat,code")).pagination.total_items);
    const [chat, other] = await counts("?conversational=true", "?conversational=0");
    expect((chat ?? 0) + (other ?? 0)).toBe(total);
    expect((await v1("?q=qwen3-32b")).data[0]?.id).toBe("Qwen/Qwen3-32B");
  });

  test("OpenAI's list filters by status", async () => {
    await server.addUpstream({}, ["feather/demo"]);
    const ids = async (status: string) => (await v1(`?status=${status}`)).data.map(({ id }) => id);
    expect(await ids("active")).toEqual(["feather/demo"]);
    expect(await ids("pending_deploy")).toEqual([]);
    expect(await ids("not_deployed")).toHaveLength(total - 1);
    await server.removeUpstreams();
  });

  test("OpenAI's list filters by what the caller can call", async () => {
    await server.addUpstream({}, ["feather/demo"]);
    const { token } = await server.signUp();
    for (const yes of ["true", "1"])
      expect((await v1(`?available_on_current_plan=${yes}`, token)).data.map(({ id }) => id)).toEqual(["feather/demo"]);
    for (const no of ["false", "0"])
      expect((await v1(`?available_on_current_plan=${no}`, token)).data).toHaveLength(total - 1);
    await server.removeUpstreams();
  });

  test("OpenAI's list describes a model with all its fields", async () => {
    await server.addUpstream({}, ["Qwen/Qwen3-32B"], 1, { program: "vllm" });
    const { body } = await server.call("/v1/models/Qwen/Qwen3-32B");
    expect(body).toMatchObject({
      object: "model",
      owned_by: "Qwen",
      created: Date.parse("2025-04-29") / 1000,
      is_moe: false,
      features: { tool_use: true },
      architecture: { modality: "text->text", tokenizer: "Qwen3" },
      tasks: expect.arrayContaining(["chat", "reasoning"]),
    });
    const { supported_parameters } = body as { supported_parameters: string[] };
    for (const field of ["temperature", "tools", "reasoning_effort", "response_format", "guided_json"])
      expect(supported_parameters).toContain(field);
    const base = (await server.call("/v1/models/meta-llama/Meta-Llama-3-70B")).body as {
      supported_parameters: string[];
    };
    for (const field of ["tools", "reasoning_effort", "response_format", "guided_json", "model", "messages"])
      expect(base.supported_parameters).not.toContain(field);
    await server.removeUpstreams();
  });

  test("models advertise what the local engine accepts, and more with a backend that accepts more", async () => {
    const parameters = async () =>
      ((await server.call("/v1/models/Qwen/Qwen3-32B")).body as { supported_parameters: string[] })
        .supported_parameters;
    await server.addUpstream({}, ["Qwen/Qwen3-32B"], 1, { program: "engine" });
    const ofEngine = ["chat_template_kwargs", "min_tokens", "reasoning_effort", "repeat_penalty", "stop_token_ids"];
    expect(await parameters()).toEqual(expect.arrayContaining(ofEngine));
    expect(await parameters()).not.toContain("guided_json");
    await server.addUpstream({}, ["Qwen/Qwen3-32B"], 1, { program: "vllm" });
    expect(await parameters()).toEqual(expect.arrayContaining([...ofEngine, "guided_json"]));
    await server.removeUpstreams();
  });
});

describe("overviews", () => {
  test("families count every model at most once", async () => {
    const { items } = (await server.call("/api/feather/families")).body as {
      items: { id: string; model_count: number; sub_types: { id: string; model_count: number }[] }[];
    };
    expect(items.length).toBeGreaterThan(10);
    for (const { id, model_count } of items.slice(0, 5))
      expect([id, model_count]).toEqual([id, (await list(`family=${id}&perPage=1`)).pagination.total_items]);
    for (const family of items)
      expect(family.sub_types.reduce((sum, type) => sum + type.model_count, 0)).toBeLessThanOrEqual(family.model_count);
    expect(items.map(({ model_count }) => model_count)).toEqual(
      items.map(({ model_count }) => model_count).sort((a, b) => b - a),
    );
  });

  test("lists releases of models with their models, the newest first", async () => {
    const { items } = (await server.call("/api/feather/releases?perPage=100")).body as {
      items: { date: string; model_count: number; models: string[] }[];
    };
    const dates = items.map(({ date }) => date);
    expect(dates).toEqual([...new Set(dates)].sort().reverse());
    for (const { models, model_count } of items) expect(models).toHaveLength(model_count);
    const [newest] = items;
    expect((await idsOf(`released=${newest?.date}&perPage=100`)).sort()).toEqual([...(newest?.models ?? [])].sort());
  });

  test("lists every class of models with its number of models", async () => {
    const { items } = (await server.call("/api/feather/classes")).body as {
      items: { id: string; model_count: number; concurrency_cost: number }[];
    };
    expect(items.reduce((sum, { model_count }) => sum + model_count, 0)).toBe(total);
    expect(items.find(({ id }) => id === "qwen3-32b")).toMatchObject({ concurrency_cost: 4 });
    for (const { id, model_count } of items.filter((item) => item.model_count > 0).slice(0, 3))
      expect((await list(`model_class=${id}`)).pagination.total_items).toBe(model_count);
  });

  test("popular models follow the calls of the last week", async () => {
    const stats = async () => (await server.call("/api/feather/stats")).body;
    const popular = async () => (await server.call("/api/feather/popular")).body;
    for (const table of ["requests", "usage_hours"] as const) await server.db.deleteFrom(table).execute();
    const { token } = await server.signUp();
    await server.addUpstream({}, ["feather/demo", "Qwen/Qwen3-4B"]);
    const ask = (model: string) =>
      server.call("/v1/chat/completions", { token, body: { model, messages: [{ role: "user", content: "x" }] } });
    expect(await popular()).toEqual({ popular: [] });
    for (const model of ["feather/demo", "Qwen/Qwen3-4B", "feather/demo"]) expect((await ask(model)).status).toBe(200);
    await server.api.gateway.usageWriter.flush();
    expect(await stats()).toMatchObject({ requests_24h: 3, tokens_24h: 30, warm_count: 2 });
    expect(await popular()).toEqual({
      popular: [
        { id: "feather/demo", requests_7d: 2, score: 1 },
        { id: "Qwen/Qwen3-4B", requests_7d: 1, score: 0.5 },
      ],
    });
    expect((await idsOf("sort=-trending_rank")).slice(0, 2)).toEqual(["feather/demo", "Qwen/Qwen3-4B"]);
    clock.at += 2 * 86_400_000;
    expect(await stats()).toMatchObject({ requests_24h: 0, tokens_24h: 0 });
    expect(await popular()).toMatchObject({ popular: [{ requests_7d: 2 }, { requests_7d: 1 }] });
    clock.at += 6 * 86_400_000;
    expect(await popular()).toEqual({ popular: [] });
    await server.removeUpstreams();
  });

  test("the statistics agree with the lists", async () => {
    expect((await server.call("/api/feather/stats")).body).toMatchObject({
      model_count: total,
      warm_count: 0,
      requests_24h: 0,
      tokens_24h: 0,
      release_count: ((await server.call("/api/feather/releases?perPage=1")).body as List).pagination.total_items,
    });
  });
});
