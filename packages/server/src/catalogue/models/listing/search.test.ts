import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { privateModelKey } from "../../../platform/core/models/model-keys.ts";
import { createTestServer, type TestServer } from "../../../testing/server.ts";
import { similarityOfId } from "./search.ts";

type List = {
  items: { id: string; tags: string[]; family: string; parameter_size: number | null }[];
  pagination: { total_items: number };
};

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server.close());

async function search(text: string, more = ""): Promise<List> {
  const answer = await server.call(`/api/feather/models?perPage=100&search=${encodeURIComponent(text)}${more}`);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body as List;
}
const idsOf = async (text: string, more = "") => (await search(text, more)).items.map(({ id }) => id);

describe("the first model found", () => {
  test.each([
    ["an id", "Qwen/Qwen3-32B", "Qwen/Qwen3-32B"],
    ["an id in another case", "qwen/QWEN3-32b", "Qwen/Qwen3-32B"],
    ["a name", "gpt-oss-20b", "openai/gpt-oss-20b"],
    ["a name in another case", "yi-34b-CHAT", "01-ai/Yi-34B-Chat"],
    ["a name that others begin with", "phi-4", "microsoft/phi-4"],
    ["a name that is a part of others", "Llama-3.1-8B", "meta-llama/Llama-3.1-8B"],
    ["an id that is a part of others", "meta-llama/Meta-Llama-3-70B", "meta-llama/Meta-Llama-3-70B"],
    ["spaces around it", "  Qwen/Qwen3-32B  ", "Qwen/Qwen3-32B"],
    ["owner and name as words", "qwen qwen3-32b", "Qwen/Qwen3-32B"],
    ["owner and a word of the name", "openai safeguard", "openai/gpt-oss-safeguard-20b"],
    ["words in another order", "14b qwen distill r1", "deepseek-ai/DeepSeek-R1-Distill-Qwen-14B"],
    ["words with a size", "coder 32b", "Qwen/Qwen2.5-Coder-32B-Instruct"],
    ["a small size", "0.5b", "Qwen/Qwen2.5-0.5B-Instruct"],
    ["a size and what it sees", "vision 7b", "Qwen/Qwen2.5-VL-7B-Instruct"],
    ["a letter too many", "mistrall-small-24b-instruct-2501", "mistralai/Mistral-Small-24B-Instruct-2501"],
    ["a letter too few", "tinylama", "TinyLlama/TinyLlama-1.1B-Chat-v1.0"],
    ["a mistake in the owner", "qwne/Qwen3-32B", "Qwen/Qwen3-32B"],
    ["two mistakes in two words", "deepsek r1 distil qwen 14b", "deepseek-ai/DeepSeek-R1-Distill-Qwen-14B"],
  ])("ranks the intended model first for %s", async (_what, text, expected) => {
    expect((await idsOf(text))[0]).toBe(expected);
  });
});

describe("how similar an id is to a text", () => {
  test.each([
    "coder 32b",
    "qwen3-32b",
    "meta-llama/Llama-3.1",
    "tinyllama",
    "distill qwen",
    "yi 34b (chat)",
    "qwe",
    "qwen",
    "gpt",
    "-",
  ])("the similarity of an id to a text is what PostgreSQL says, for %s", async (text) => {
    const fromPostgres = sql<number>`word_similarity(${text.toLowerCase()}, models.id_lower)::float8`;
    const rows = await server.db
      .selectFrom("models")
      .select(["id", fromPostgres.as("fromPostgres"), similarityOfId(text.toLowerCase()).as("similarity")])
      .execute();
    expect(rows.length).toBeGreaterThan(400);
    // Rounds a similarity to the precision of the ranking.
    const round = (similarity: number) => Math.round(similarity * 10);
    expect(rows.filter(({ fromPostgres: other, similarity }) => round(other) !== round(similarity))).toEqual([]);
  });
});

describe("all models found", () => {
  test.each([
    ["a family", "qwen", /qwen/i, 60],
    ["a misspelt family", "qwne", /qwen/i, 60],
    ["another", "mistrl", /mistral|ministral|mixtral/i, 30],
    ["another", "deepsekk", /deepseek/i, 20],
    ["another", "lamma", /llama/i, 40],
    ["another", "gema 3", /gemma-3|gemma/i, 5],
    ["another", "falcn", /falcon/i, 5],
    ["another", "smollm", /smollm/i, 3],
    ["another", "zephr", /zephyr/i, 3],
    ["an owner", "NousResearch", /^NousResearch\//, 8],
    ["an owner with dashes", "meta-llama", /^meta-llama\//, 20],
    ["an owner as it is spoken", "z.ai", /^zai-org\//, 10],
    ["a name run together", "llama3.1", /llama-?3[._]?1/i, 10],
    ["another", "phi4", /phi-4/i, 4],
    ["another", "qwen2.5coder", /Qwen2\.5-Coder/, 4],
    ["another", "gptoss", /gpt-oss/, 3],
    ["a name parted", "llama-3_1", /llama-3[._]1/i, 10],
    ["experts and their size", "8x7b", /8x7b/i, 3],
    ["a family and a size", "llama 70b", /llama|l3/i, 10],
    ["the beginning of a word", "deepse", /deepseek/i, 20],
    ["the middle of a name", "maverick", /maverick/i, 1],
    ["a version", "kimi k2", /kimi-k2/i, 4],
  ])("finds the models of %s: %s", async (_what, text, form, atLeast) => {
    const { items } = await search(text);
    expect(items.length).toBeGreaterThanOrEqual(atLeast);
    // Descriptions and families match too; models with the text in their name come first.
    for (const { id } of items.slice(0, atLeast)) expect(id).toMatch(form);
  });

  test.each([
    ["7b", 6.6e9, 8.6e9],
    ["70B", 67e9, 73e9],
    ["1.5b", 1.4e9, 1.9e9],
    ["3b", 2.7e9, 4e9],
    ["12b", 11.6e9, 14e9],
  ])("finds models of the size %s", async (text, low, high) => {
    const { items } = await search(text);
    expect(items.length).toBeGreaterThan(3);
    for (const { id, parameter_size } of items) {
      if (parameter_size === null) continue;
      expect([id, parameter_size >= low && parameter_size <= high]).toEqual([id, true]);
    }
  });

  test("a search finds what has within 3 % of the parameters that are searched, whatever its name, and nothing beyond", async () => {
    const sizes = { "270m": 270e6, "1.5b": 1.5e9, "7b": 7e9, "32b": 32e9, "405b": 405e9, "1t": 1e12 };
    const shares = [0.96, 0.97, 0.98, 1, 1.02, 1.03, 1.04];
    const rows = Object.entries(sizes).flatMap(([size, parameters]) =>
      shares.map((share) => ({
        id: `zugauge/unnamed-${size.replace(".", "")}x-${share * 100}`,
        parameter_size: Math.round(parameters * share),
      })),
    );
    await server.db
      .insertInto("models")
      .values(
        rows.map(({ id, parameter_size }) => ({
          id,
          id_lower: id.toLowerCase(),
          owned_by: "zugauge",
          name: id.slice("zugauge/".length),
          model_class_id: "qwen3-8b",
          parameter_size,
          source: "hub",
        })),
      )
      .execute();
    for (const [size, parameters] of Object.entries(sizes)) {
      const found = await search(`zugauge ${size}`);
      const expected = shares.slice(1, -1).map((share) => Math.round(parameters * share));
      expect([size, found.items.map((item) => item.parameter_size).sort((a, b) => (a ?? 0) - (b ?? 0))]).toEqual([
        size,
        expected,
      ]);
    }
    await server.db.deleteFrom("models").where("owned_by", "=", "zugauge").execute();
  });

  test.each(["roleplay", "reasoning", "code", "vision", "moe", "tool-use", "math"])(
    "finds models by the tag %s",
    async (tag) => {
      const found = await search(tag);
      const tagged = await server.call(`/api/feather/models?perPage=1&tags=${tag}`);
      expect(found.pagination.total_items).toBeGreaterThanOrEqual((tagged.body as List).pagination.total_items);
    },
  );

  test("every word of a search must match, so more words find fewer models", async () => {
    const counts: number[] = [];
    for (const text of ["qwen", "qwen coder", "qwen coder 30b"])
      counts.push((await search(text)).pagination.total_items);
    expect(counts).toEqual([...counts].sort((a, b) => b - a));
    expect(new Set(counts).size).toBe(3);
    expect(counts.at(-1)).toBe(1);
  });

  test("combines a search with filters and a sort order", async () => {
    const all = await idsOf("qwen");
    const small = await search("qwen", "&max_params=4");
    expect(small.pagination.total_items).toBeGreaterThan(0);
    for (const { id } of small.items) expect(all).toContain(id);
    const names = (await idsOf("qwen", "&sort=name")).map((id) => id.split("/")[1]?.toLowerCase() ?? "");
    expect(names).toEqual([...names].sort((a, b) => (a < b ? -1 : 1)));
  });

  test("a search ranks warm models first among equal matches", async () => {
    await server.addUpstream({}, ["anthracite-org/magnum-v2-12b"]);
    expect((await idsOf("magnum"))[0]).toBe("anthracite-org/magnum-v2-12b");
    await server.removeUpstreams();
    expect((await idsOf("magnum"))[0]).not.toBe("anthracite-org/magnum-v2-12b");
  });
});

describe("searches without a result", () => {
  test.each([
    "zzzzqqqqxxxx",
    "qwen zzzzqqqqxxxx",
    "%",
    "%%%%",
    "_",
    "\\",
    "***",
    "' OR 1=1 --",
    "'; drop table models; --",
  ])("a search finds nothing for %s", async (text) =>
    expect(await search(text)).toMatchObject({ items: [], pagination: { total_items: 0 } }),
  );

  test("a search finds no private models of other organizations and does not correct to their words", async () => {
    const owner = await server.signUp();
    const key = privateModelKey(owner.organizationId, "acme/zirconium-9b");
    const row = {
      id: key,
      id_lower: key.toLowerCase(),
      owned_by: "acme",
      name: "zirconium-9b",
      model_class_id: "qwen3-8b",
      source: "private",
      is_private: true,
      organization_id: owner.organizationId,
    };
    await server.db.insertInto("models").values(row).execute();
    expect(await idsOf("zirconium")).toEqual([]);
    expect(await idsOf("zirconum")).toEqual([]);
    const own = await server.call("/api/feather/models?search=zirconium", { token: owner.token });
    expect((own.body as List).items.map(({ id }) => id)).toEqual(["acme/zirconium-9b"]);
    const byKey = await server.call("/api/feather/models?search=org", { token: owner.token });
    expect((byKey.body as List).items.map(({ id }) => id)).not.toContain("acme/zirconium-9b");
    const words = await server.db.selectFrom("catalogue_words").select("word").where("word", "like", "zirc%").execute();
    expect(words).toEqual([]);
  });

  test("a search finds a model by its words after it is added", async () => {
    expect(await idsOf("hafnium")).toEqual([]);
    const admin = await server.signInAdmin();
    const body = { id: "acme/Hafnium-Nano", model_class: "qwen3-8b" };
    expect((await server.call("/api/admin/models", { token: admin.token, body })).status).toBe(201);
    expect(await idsOf("hafnium")).toEqual(["acme/Hafnium-Nano"]);
    expect(await idsOf("hafnuim nano")).toEqual(["acme/Hafnium-Nano"]);
  });
});

describe("extreme searches", () => {
  const extremes = [
    ...["search=%25%25%25%25", `search=${"_".repeat(200)}`, `search=${"%25".repeat(200)}`, `search=${"a".repeat(200)}`],
    ...[`search=${"a%20".repeat(100)}`, `search=${"qw%20".repeat(60)}`, `search=${"%F0%9F%AA%B6".repeat(100)}`],
    ...["search=a", "search=%25a%25", `search=${"7b%20".repeat(60)}`, "search=%C3%9C", "search=%E4%B8%AD%E6%96%87"],
    ...[`search=${"xkcd%20".repeat(28)}`, `search=${"abcdefghij".repeat(20)}`, "search=%5C%5C%5C", "search=(((((((("],
    ...["search=%5B%5B%5B", "search=7b(", "search=.*.*.*.*", "search=1e9b", "search=99999999999999999999b"],
    ...["search=0b", "search=0.0000001b", "search=-7b", "search=7bb", "search=7b7b", "sort=-trending_rank&perPage=100"],
    ...["page=1000000&perPage=100", "page=1000000", "sort=name&page=999999", "perPage=100&facets=1&search=qwen"],
    ...[
      "facets=1&search=%25%25%25",
      `family=${"x,".repeat(249)}`,
      `tags=${"a,".repeat(99)}`,
      `owner=${"%25,".repeat(60)}`,
    ],
    ...[
      `license=${"'".repeat(200)}`,
      `language=${"%00".repeat(3)}`,
      "min_params=1e308&max_params=1e308",
      "min_context=9e15",
    ],
    ...["released=0001-01-01", "released=9999-12-31"],
  ];

  test.each(extremes)("a search answers without an error of the database: %s", async (query) => {
    const { status, text } = await server.call(`/api/feather/models?${query}`);
    expect([200, 400]).toContain(status);
    expect(text).not.toMatch(/syntax error|pg_|levenshtein|select /i);
  });

  test("rejects a search that is too long", async () => {
    expect((await server.call(`/api/feather/models?search=${"_".repeat(500)}`)).status).toBe(400);
    expect((await server.call(`/v1/models?q=${"_".repeat(500)}`)).status).toBe(400);
  });

  test("treats wildcards and SQL in a search as text", async () => {
    const texts = ["q%n", "q_en", "qw.n", "qwe(n", "[qwen]", "^qwen", "qwen$", "7.b", "7|8b", "{1,}"];
    for (const text of texts) {
      const { items } = await search(text);
      for (const { id } of items.slice(0, 5)) expect([text, id]).not.toEqual([text, "feather/demo"]);
    }
    expect((await search("q%n")).items.length).toBe((await search("q_n")).items.length);
  });
});
