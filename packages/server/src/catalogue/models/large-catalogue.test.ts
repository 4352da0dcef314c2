import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createTestServer, type TestServer } from "../../testing/server.ts";

type List = {
  items: { id: string; downloads: number; released_date: string }[];
  pagination: { total_items: number; total_pages: number };
  facets?: Record<string, { value: string; count: number }[]>;
};

const MANY = 12_000;

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer();
  await sql`
    insert into models (id, id_lower, owned_by, name, family_id, model_class_id, parameter_size, downloads, tags,
      released_date, source)
    select 'crowd' || n % 7 || '/Swarm-' || n, 'crowd' || n % 7 || '/swarm-' || n, 'crowd' || n % 7, 'Swarm-' || n,
      case when n % 3 = 0 then 'qwen' else 'llama' end, 'qwen3-8b', n::bigint * 1000000, n % 1000,
      case when n % 2 = 0 then array['chat'] else array['code'] end, date '2020-01-01' + n % 1000, 'hub'
    from generate_series(1, ${MANY}) as n`.execute(server.db);
  await sql`analyze models`.execute(server.db);
});
afterAll(() => server.close());

async function list(query: string): Promise<List> {
  const answer = await server.call(`/api/feather/models?${query}`);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body as List;
}
const near = (count: number, expected: number) => Math.abs(count - expected) / expected;

describe("a catalogue of very many models", () => {
  test("a list of models counts exactly up to ten thousand models, of a search up to four thousand, and estimates beyond", async () => {
    expect((await list("search=swarm&owner=crowd3")).pagination.total_items).toBe(1_714);
    expect((await list("family=qwen&search=swarm")).pagination.total_items).toBe(4_000);
    for (const query of ["search=swarm", "", "owner=crowd0,crowd1,crowd2,crowd3,crowd4,crowd5,crowd6"]) {
      const { total_items } = (await list(query)).pagination;
      expect([query, total_items > 10_000]).toEqual([query, true]);
      expect(near(total_items, MANY)).toBeLessThan(0.5);
    }
    const { pagination, facets } = await list("search=swarm&tags=code&facets=1");
    expect(near(pagination.total_items, MANY / 2)).toBeLessThan(0.2);
    expect(near(facets?.tags?.find(({ value }) => value === "chat")?.count ?? 0, MANY / 2)).toBeLessThan(0.2);
  });

  test("the pages of a search hold each match once, also those that are too many to be ranked", async () => {
    const listIds = async (query: string) => (await list(query)).items.map(({ id }) => id);
    const pages = Array.from({ length: 41 }, (_, index) => `search=swarm&family=qwen&perPage=100&page=${index + 1}`);
    const ids = (await Promise.all(pages.map(listIds))).flat();
    expect([ids.length, new Set(ids).size]).toEqual([4_000, 4_000]);
    for (const query of ["search=swarm&tags=code", "search=swarm"]) {
      const far = (
        await Promise.all([1, 10, 11, 12, 50].map((page) => listIds(`${query}&perPage=100&page=${page}`)))
      ).flat();
      expect([query, far.length, new Set(far).size]).toEqual([query, 500, 500]);
    }
  });

  test("a search of a large catalogue ranks an exact id first however many others match", async () => {
    for (const id of ["crowd1/Swarm-1", "crowd1/Swarm-11999", "crowd0/Swarm-7777"]) {
      expect((await list(`search=${id}`)).items[0]?.id).toBe(id);
      expect((await list(`search=${id.split("/")[1]}`)).items[0]?.id).toBe(id);
    }
    expect((await list("search=swrm")).items[0]?.id).toMatch(/Swarm/);
  });

  test("an unpaged OpenAI list holds ten thousand models and links to the rest", async () => {
    type Models = { data: { id: string }[]; total_count: number; links: { next: string | null } };
    const first = await server.call("/api/v1/models");
    const { data, total_count, links } = first.body as Models;
    expect(data).toHaveLength(10_000);
    expect(total_count).toBeGreaterThan(10_000);
    expect(links.next).toBe("/api/v1/models?page=11&per_page=1000");
    const seen = new Set(data.map(({ id }) => id));
    for (let next = links.next; next !== null; ) {
      const page = (await server.call(next)).body as Models;
      expect(page.data.filter(({ id }) => seen.has(id))).toEqual([]);
      for (const { id } of page.data) seen.add(id);
      next = page.data.length === 0 ? null : page.links.next;
    }
    expect(seen.size).toBeGreaterThanOrEqual(MANY);
  });

  test("a large catalogue lists each model once over all pages in the requested order", async () => {
    for (const sort of ["-downloads", "-released_date", "name", "parameter_size"]) {
      const pages = await Promise.all(
        [1, 2, 3].map((page) => list(`search=swarm&sort=${sort}&perPage=100&page=${page}`)),
      );
      const ids = pages.flatMap(({ items }) => items.map(({ id }) => id));
      expect([sort, new Set(ids).size]).toEqual([sort, 300]);
    }
    const downloads = (await list("sort=-downloads&perPage=100")).items.map((item) => item.downloads);
    expect(downloads).toEqual([...downloads].sort((a, b) => b - a));
    expect(downloads[0]).toBe(999);
    const far = await list("owner=crowd1&sort=name&perPage=100&page=17");
    expect(far.items.length).toBe(100);
  });

  test("a large catalogue lists warm models on the first page only", async () => {
    await server.addUpstream({}, ["crowd5/Swarm-12", "crowd1/Swarm-8"]);
    const [first, second] = await Promise.all([list("owner=crowd1,crowd5"), list("owner=crowd1,crowd5&page=2")]);
    expect(
      first.items
        .slice(0, 2)
        .map(({ id }) => id)
        .sort(),
    ).toEqual(["crowd1/Swarm-8", "crowd5/Swarm-12"]);
    const ids = [...first.items, ...second.items].map(({ id }) => id);
    expect(new Set(ids).size).toBe(100);
    await server.removeUpstreams();
  });

  test("an unknown id is answered with the same name of another owner, and with similar ids of well-known models", async () => {
    const suggest = async (id: string) => {
      const answer = await server.call(`/api/feather/models/${encodeURIComponent(id)}`);
      expect(answer.status).toBe(404);
      const { data } = answer.body as { data: string };
      return (JSON.parse(data) as { details: { suggestions: string[] } }).details.suggestions;
    };
    expect((await suggest("nobody/Swarm-6001"))[0]).toBe("crowd2/Swarm-6001");
    expect((await suggest("crowd6/Swarm-99"))[0]).toMatch(/^crowd\d\/Swarm-\d*99/);
    expect(await suggest("xyzxyz/qqqq")).toEqual([]);
  });

  test("a large catalogue scales facets from a sample to all matches", async () => {
    const { facets } = await list("search=swarm&facets=1");
    const count = (name: string, value: string) => facets?.[name]?.find((facet) => facet.value === value)?.count ?? 0;
    expect(near(count("family", "llama") / count("family", "qwen"), 2)).toBeLessThan(0.2);
    expect(near(count("tags", "chat") / count("tags", "code"), 1)).toBeLessThan(0.2);
    const exact = (await list("search=swarm&owner=crowd3&facets=1")).facets;
    expect(exact?.owner?.find(({ value }) => value === "crowd2")?.count).toBeGreaterThan(1_000);
    expect((exact?.tags ?? []).reduce((sum, facet) => sum + facet.count, 0)).toBe(1_714);
  });
});

test("slow lists leave connections to the database for other requests", async () => {
  const small = await createTestServer({ maxConnections: 7 });
  const account = await small.signUp();
  const me = () => small.call("/api/auth/me", { token: account.token });
  const lists = await small.db.transaction().execute(async (trx) => {
    await sql`lock table models in access exclusive mode`.execute(trx); // no list ends before this transaction
    const started = Array.from({ length: 40 }, (_, index) => small.call(`/api/feather/models?page=${index + 1}`));
    const countWaiting = async () => {
      const { rows } = await sql<{ count: number }>`
        select count(*)::integer as count from pg_locks where not granted and relation = 'models'::regclass`.execute(
        trx,
      );
      return rows[0]?.count;
    };
    await vi.waitFor(async () => expect(await countWaiting()).toBe(5), { timeout: 10_000, interval: 20 });
    for (let index = 0; index < 10; index++) expect((await me()).status).toBe(200);
    expect(await countWaiting()).toBe(5);
    return started;
  });
  expect((await Promise.all(lists)).map(({ status }) => status)).toEqual(Array<number>(40).fill(200));
  await small.close();
});
