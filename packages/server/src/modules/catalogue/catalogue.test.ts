import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Account, createTestServer, type TestServer } from "../../testing/server.ts";

type Item = {
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

const clock = { at: Date.parse("2026-11-01T12:00:00Z"), now: () => new Date(clock.at) };
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
const dataOf = (body: unknown) => JSON.parse((body as { data: string }).data) as { code: string };

describe("searching", () => {
  it.each([
    ["an id, in any letter case", "QWEN/qwen3-32b", "Qwen/Qwen3-32B"],
    ["a name", "qwen3-32b", "Qwen/Qwen3-32B"],
    ["a name with a typo", "mistrall-small-24b-instruct-2501", "mistralai/Mistral-Small-24B-Instruct-2501"],
  ])("finds %s first", async (_what, search, expected) => {
    expect((await idsOf(`search=${encodeURIComponent(search)}`))[0]).toBe(expected);
  });

  it("finds an owner's models", async () => {
    const ids = await idsOf("search=mistralai&perPage=100");
    expect(ids.length).toBeGreaterThan(5);
    expect(ids).toContain("mistralai/Mixtral-8x7B-Instruct-v0.1");
  });

  it("takes every word, in any order", async () => {
    const ids = await idsOf("search=instruct%20coder%20qwen&perPage=10");
    expect(ids.length).toBeGreaterThan(0);
    expect(ids[0]).toMatch(/qwen/i);
    expect(ids[0]).toMatch(/coder/i);
  });

  it("finds nothing for words that occur nowhere", async () => {
    expect(await list("search=zzzzqqqqxxxx")).toMatchObject({
      items: [],
      pagination: { total_items: 0, total_pages: 0 },
    });
  });

  it.each(["%25", "_", "%5C", "'%20OR%201=1--", "%3Cscript%3E", "%F0%9F%AA%B6", "a".repeat(150)])(
    "takes %s for what it is",
    async (search) => {
      const { pagination } = await list(`search=${search}`);
      expect(pagination.total_items).toBeLessThan(total);
    },
  );

  it("refuses NUL", async () => {
    expect((await server.call("/api/feather/models?search=a%00b")).status).toBe(400);
  });
});

describe("filters", () => {
  it("hold for every model found", async () => {
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

  it("narrow each other down", async () => {
    const one = await list("family=qwen");
    const both = await list("family=qwen&max_params=4");
    expect(both.pagination.total_items).toBeGreaterThan(0);
    expect(both.pagination.total_items).toBeLessThan(one.pagination.total_items);
  });

  it("tell models that answer now from those that do not", async () => {
    await server.addUpstream({}, ["feather/demo"]);
    expect(await idsOf("availability=warm")).toEqual(["feather/demo"]);
    expect((await list("availability=offline")).pagination.total_items).toBe(total - 1);
    await server.removeUpstreams();
    expect(await idsOf("availability=warm")).toEqual([]);
  });

  it("tell what the caller's plan can call", async () => {
    await server.addUpstream({}, ["feather/demo", "Qwen/Qwen3-32B"]);
    const { token } = await server.signUp();
    expect((await list("callable=true", token)).items.map(({ id }) => id)).toEqual(["feather/demo"]);
    await server.removeUpstreams();
  });

  it.each([
    "min_params=lots",
    "min_params=-1",
    "sort=password_hash",
    "gated=maybe",
    "availability=hot",
    "page=0",
    "page=1.5",
    "perPage=0",
    "perPage=100000",
    "facets=2",
  ])("refuse %s", async (query) => {
    expect((await server.call(`/api/feather/models?${query}`)).status).toBe(400);
  });

  it.each([
    "min_params=1e300",
    "max_params=1e300",
    "min_context=1e15",
    "page=999999999",
    "released=2026-02-31",
    "released=yesterday",
    "search=%25%25%25&sort=name",
  ])("take %s without a fault of the server", async (query) => {
    expect((await server.call(`/api/feather/models?${query}`)).status).toBeLessThan(500);
  });
});

describe("facets", () => {
  it("count exactly what their filter finds", async () => {
    const { facets } = await list("facets=1&family=qwen");
    expect(Object.keys(facets ?? {}).sort()).toEqual(["availability", "family", "license", "size", "tags"]);
    for (const { value, count } of facets?.family?.slice(0, 5) ?? [])
      expect([value, (await list(`family=${value}`)).pagination.total_items]).toEqual([value, count]);
    for (const { value, count } of facets?.license ?? [])
      expect([value, (await list(`family=qwen&license=${value}`)).pagination.total_items]).toEqual([value, count]);
    for (const { value, count } of facets?.tags?.slice(0, 5) ?? [])
      expect([value, (await list(`family=qwen&tags=${value}`)).pagination.total_items]).toEqual([value, count]);
  });

  it("add up to all models whose size is known", async () => {
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

  it("are left out unless asked for", async () => {
    expect(await list("")).not.toHaveProperty("facets");
  });
});

describe("sorting and pages", () => {
  it("sorts by size both ways", async () => {
    const up = (await list("sort=parameter_size&perPage=100")).items.flatMap(
      ({ parameter_size }) => parameter_size ?? [],
    );
    expect(up).toEqual([...up].sort((a, b) => a - b));
    const down = (await list("sort=-parameter_size&perPage=100")).items.flatMap(
      ({ parameter_size }) => parameter_size ?? [],
    );
    expect(down).toEqual([...down].sort((a, b) => b - a));
  });

  it("sorts by date, the newest first", async () => {
    const dates = (await list("sort=-released_date&perPage=100")).items.map(({ released_date }) => released_date ?? "");
    expect(dates).toEqual([...dates].sort().reverse());
  });

  it.each(["", "sort=name", "sort=-trending_rank", "sort=-downloads", "sort=-avg_rating"])(
    "shows every model once over all pages (%s)",
    async (query) => {
      const ids: string[] = [];
      const pages = Math.ceil(total / 100);
      for (let page = 1; page <= pages; page++) ids.push(...(await idsOf(`${query}&perPage=100&page=${page}`)));
      expect(ids).toHaveLength(total);
      expect(new Set(ids).size).toBe(total);
      expect((await list(`${query}&perPage=100&page=${pages + 1}`)).items).toEqual([]);
    },
  );

  it("tells where in the list a page is", async () => {
    expect((await list("perPage=10&page=3")).pagination).toEqual({
      current_page: 3,
      per_page: 10,
      total_items: total,
      total_pages: Math.ceil(total / 10),
    });
  });
});

describe("a model", () => {
  it.each([
    "/api/feather/models/Qwen/Qwen3-32B",
    "/api/feather/models/Qwen%2FQwen3-32B",
    "/api/feather/models/qwen/QWEN3-32b",
  ])("is found at %s", async (path) => {
    expect((await server.call(path)).body).toMatchObject({ id: "Qwen/Qwen3-32B", concurrency_cost: 4 });
  });

  it("that does not exist is a 404 in the envelope of its path", async () => {
    const site = await server.call("/api/feather/models/nobody/nothing");
    expect([site.status, dataOf(site.body).code]).toEqual([404, "model_not_found"]);
    const openai = await server.call("/v1/models/nobody/nothing");
    expect([openai.status, openai.body]).toEqual([
      404,
      { error: expect.objectContaining({ code: "model_not_found" }) },
    ]);
  });

  it("of another organization is not there", async () => {
    const [one, other] = await Promise.all([server.signUp(), server.signUp()]);
    const { model_class_id } = await server.db
      .selectFrom("models")
      .select("model_class_id")
      .where("id", "=", "Qwen/Qwen3-32B")
      .executeTakeFirstOrThrow();
    const row = {
      id: "one/secret",
      id_lower: "one/secret",
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
    await server.db.deleteFrom("models").where("id", "=", "one/secret").execute();
  });
});

describe("overviews", () => {
  it("count every model in one family at most", async () => {
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

  it("list releases, the newest first, with their models", async () => {
    const { items } = (await server.call("/api/feather/releases?perPage=100")).body as {
      items: { date: string; model_count: number; models: string[] }[];
    };
    const dates = items.map(({ date }) => date);
    expect(dates).toEqual([...new Set(dates)].sort().reverse());
    for (const { models, model_count } of items) expect(models).toHaveLength(model_count);
    const [newest] = items;
    expect((await idsOf(`released=${newest?.date}&perPage=100`)).sort()).toEqual([...(newest?.models ?? [])].sort());
  });

  it("give figures that fit the lists", async () => {
    expect((await server.call("/api/feather/stats")).body).toMatchObject({
      model_count: total,
      warm_count: 0,
      requests_24h: 0,
      tokens_24h: 0,
    });
  });
});

describe("reviews", () => {
  const path = "/api/feather/models/Qwen/Qwen3-4B/reviews";
  const write = (by: Account, rating: number, more: object = {}) =>
    server.call(path, { token: by.token, body: { rating, review: "It does what it says.", ...more } });
  const read = async (token?: string) =>
    (await server.call(path, { token })).body as {
      items: { id: string; mine: boolean; rating: number; verified_caller: boolean }[];
      summary: { avg: number | null; count: number; histogram: number[] };
    };

  it("are written once by each user, and changed after that; the summary follows", async () => {
    const [ada, bob] = await Promise.all([server.signUp(), server.signUp()]);
    expect((await write(ada, 5)).status).toBe(201);
    expect((await write(bob, 2)).status).toBe(201);
    expect((await write(bob, 4)).status).toBe(200); // at the same moment of the clock
    clock.at += 1_000;
    const changed = await write(bob, 3);
    expect([changed.status, changed.body]).toEqual([200, expect.objectContaining({ rating: 3, mine: true })]);
    const { items, summary } = await read(ada.token);
    expect(summary).toMatchObject({ avg: 4, count: 2, histogram: [0, 0, 1, 0, 1] });
    expect(items.filter(({ mine }) => mine).map(({ rating }) => rating)).toEqual([5]);
    expect((await read()).items.map(({ mine }) => mine)).toEqual([false, false]);
    expect((await server.call("/api/feather/models/Qwen/Qwen3-4B")).body).toMatchObject({
      avg_rating: 4,
      total_reviews: 2,
    });

    const mine = items.find((item) => item.mine)?.id ?? "";
    const stolen = await server.call(`${path}/${mine}`, { method: "DELETE", token: bob.token });
    const missing = await server.call(`${path}/rev_missing`, { method: "DELETE", token: bob.token });
    expect([stolen.status, stolen.text]).toEqual([404, missing.text]);
    expect(
      (await server.call(`/api/feather/models/Qwen/Qwen3-8B/reviews/${mine}`, { method: "DELETE", token: ada.token }))
        .status,
    ).toBe(404);
    expect((await server.call(`${path}/${mine}`, { method: "DELETE", token: ada.token })).status).toBe(204);
    expect((await read()).summary).toMatchObject({ avg: 3, count: 1 });
  });

  it("stay one, when a user sends the same ten times at once", async () => {
    const eve = await server.signUp();
    const before = (await read()).summary.count;
    const answers = await Promise.all(Array.from({ length: 10 }, () => write(eve, 1)));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(9).fill(200), 201]);
    expect((await read()).summary.count).toBe(before + 1);
  });

  it.each([
    ["no stars", { rating: 0 }],
    ["six stars", { rating: 6 }],
    ["half a star", { rating: 2.5 }],
    ["no words", { rating: 3, review: "" }],
    ["another model's name", { rating: 3, modelId: "Qwen/Qwen3-8B" }],
    ["NUL", { rating: 3, review: "It does\0 what it says." }],
  ])("with %s are refused", async (_what, body) => {
    const { token } = await server.signUp();
    expect((await server.call(path, { token, body: { review: "It does what it says.", ...body } })).status).toBe(400);
  });

  it("are not written by visitors", async () => {
    expect((await server.call(path, { body: { rating: 5, review: "It does what it says." } })).status).toBe(401);
  });
});
