import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestServer, type TestServer } from "../../testing/server.ts";

const VERDICTS = ["fits", "fits_quantized", "too_large", "unknown"];
type Fit = { verdict: string; file: string | null; memory_bytes: number | null; available_bytes: number };
type List = {
  items: {
    id: string;
    parameter_size: number | null;
    released_date: string | null;
    availability: { tier: string };
    fit?: Fit;
  }[];
  pagination: { total_items: number };
  facets?: Record<string, { value: string; count: number }[]>;
};

let server: TestServer;
let token = "";

beforeAll(async () => {
  server = await createTestServer({ env: { FEATHER_MODEL_MEMORY: "16000" } });
  token = (await server.signUp()).token;
  server.api.modelHost.host.register({
    id: "Qwen/Qwen3-32B",
    file: "/x",
    fileName: "Qwen3-32B-Q2_K.gguf",
    size: 12e9,
    contextLength: 8_192,
    bytesPerToken: 262_144,
  });
});
afterAll(() => server.close());

async function list(query: string, caller: string | null = token): Promise<List> {
  const { status, body, text } = await server.call(
    `/api/feather/models?${query}`,
    caller === null ? {} : { token: caller },
  );
  if (status !== 200) throw new Error(text);
  return body as List;
}

async function expectAgreement(): Promise<void> {
  const { facets, pagination } = await list("facets=1&perPage=1");
  const counts = new Map(facets?.fit?.map(({ value, count }) => [value, count]));
  expect([...counts.keys()]).toEqual(VERDICTS);
  expect([...counts.values()].reduce((sum, count) => sum + count, 0)).toBe(pagination.total_items);
  for (const verdict of VERDICTS) {
    const page = await list(`fit=${verdict}&perPage=100`);
    expect(page.pagination.total_items).toBe(counts.get(verdict));
    for (const { fit } of page.items) expect(fit?.verdict).toBe(verdict);
  }
  const both = await list("fit=fits,fits_quantized&perPage=1");
  expect(both.pagination.total_items).toBe((counts.get("fits") ?? 0) + (counts.get("fits_quantized") ?? 0));
}

test("the filter, the facet and the verdict of each model agree", expectAgreement);

test("a model is judged by its file where the file is here", async () => {
  const { items } = await list("search=Qwen/Qwen3-32B&fit=fits_quantized");
  expect(items.map(({ id, fit }) => [id, fit?.file])).toContainEqual(["Qwen/Qwen3-32B", "Qwen3-32B-Q2_K.gguf"]);
  const { body } = await server.call("/api/feather/models/Qwen/Qwen3-32B", { token });
  expect(body).toMatchObject({ fit: { verdict: "fits_quantized", available_bytes: 16_000 * 1024 * 1024 } });
});

test("a model is judged by its files on the hub where they are known", async () => {
  const [small] = (await list("fit=fits&perPage=1")).items;
  const [large] = (await list("fit=too_large&perPage=1")).items;
  const files = (bytes: number) => [{ path: "m-Q8_0.gguf", size: bytes, sha256: null }];
  const { sourcesRepository } = server.api.modelHost;
  const source = { repository: "a/b", revision: "x" };
  await sourcesRepository.save(small?.id ?? "", { ...source, files: files(900e9) }, new Date());
  await sourcesRepository.save(large?.id ?? "", { ...source, files: files(1e9) }, new Date());
  const verdictOf = async (id = "") =>
    ((await server.call(`/api/feather/models/${id}`, { token })).body as { fit: Fit }).fit.verdict;
  expect([await verdictOf(small?.id), await verdictOf(large?.id)]).toEqual(["too_large", "fits"]);
  for (const [id, verdict] of [
    [small?.id, "too_large"],
    [large?.id, "fits"],
  ]) {
    const { items } = await list(`fit=${verdict}&search=${encodeURIComponent(id ?? "")}&perPage=100`);
    expect(items.map((item) => item.id)).toContain(id);
  }
  await expectAgreement();
});

test("sorted by fit, each model comes once over all pages, by its verdict and then the newest first", async () => {
  const { pagination } = await list("perPage=1");
  const items: List["items"] = [];
  for (let page = 1; items.length < pagination.total_items; page++) {
    const { items: some } = await list(`sort=fit&perPage=37&page=${page}`);
    expect(some.length).toBeGreaterThan(0);
    items.push(...some);
  }
  const order = ["fits", "fits_quantized", "unknown", "too_large"];
  const places = items.map(({ fit }) => order.indexOf(fit?.verdict ?? ""));
  expect(places).toEqual([...places].sort((a, b) => a - b));
  expect(new Set(places).size).toBeGreaterThan(2);
  expect(new Set(items.map(({ id }) => id)).size).toBe(pagination.total_items);
  for (const verdict of order) {
    const dates = items.flatMap(({ fit, released_date }) => (fit?.verdict === verdict ? [released_date ?? ""] : []));
    expect(dates).toEqual([...dates].sort().reverse());
  }
  const far = await list(`sort=fit&perPage=10&page=${Math.ceil(pagination.total_items / 10) + 1}`);
  expect(far.items).toEqual([]);
});

test("users see first what runs here, then what answers elsewhere, built-in models last, then what this machine can load", async () => {
  const backends = [
    ["a-server", "http://10.0.0.5/v1", "here", ["feather/demo", "Qwen/Qwen3-4B"]],
    ["a-provider", "https://openrouter.ai/api/v1", "elsewhere", ["google/gemma-4-12B-it"]],
  ] as const;
  for (const [name, baseUrl, hosted, ids] of backends) {
    const models = new Map(ids.map((id) => [id, id]));
    server.api.backends.registry.set({ name, source: "admin", baseUrl, weight: 1, hosted, models });
  }
  const { pagination } = await list("perPage=1");
  const items: List["items"] = [];
  for (let page = 1; page <= Math.ceil(pagination.total_items / 41); page++)
    items.push(...(await list(`perPage=41&page=${page}`)).items);
  expect(new Set(items.map(({ id }) => id)).size).toBe(pagination.total_items);
  const running = items.filter(({ availability }) => availability.tier !== "offline").map(({ id }) => id);
  // Qwen3-32B is on this machine, and not in memory.
  expect(running).toEqual(["Qwen/Qwen3-4B", "google/gemma-4-12B-it", "feather/demo", "Qwen/Qwen3-32B"]);
  expect(items.slice(0, running.length).map(({ id }) => id)).toEqual(running);
  const canBeLoaded = items
    .slice(running.length)
    .map(({ fit }) => ["fits", "fits_quantized"].includes(fit?.verdict ?? ""));
  const count = canBeLoaded.filter(Boolean).length;
  expect(canBeLoaded).toEqual([...canBeLoaded.keys()].map((place) => place < count));
  expect(count).toBeGreaterThan(0);
  for (const [name] of backends) server.api.backends.registry.remove(name);
});

test("visitors see the newest after what runs here", async () => {
  const { items } = await list("perPage=100", null);
  const offline = items.filter(({ availability }) => availability.tier === "offline");
  const dates = offline.map(({ released_date }) => released_date ?? "");
  expect(dates).toEqual([...dates].sort().reverse());
  expect(items.slice(items.length - offline.length)).toEqual(offline);
});

test("sorts models that a search finds by fit", async () => {
  const { items } = await list("sort=fit&search=qwen&perPage=100");
  const order = ["fits", "fits_quantized", "unknown", "too_large"];
  const places = items.map(({ fit }) => order.indexOf(fit?.verdict ?? ""));
  expect(places).toEqual([...places].sort((a, b) => a - b));
  expect(new Set(places).size).toBeGreaterThan(1);
});

test("a model in safetensors files is judged by the graphics card where vLLM is there, and by GGUF files where not", async () => {
  const gpu = { name: "A card", totalBytes: 80e9, freeBytes: 80e9 };
  const vllm = { state: "on" as const, command: "/nonexistent/vllm", gpu };
  const [large] = (await list("fit=too_large&perPage=1")).items;
  const id = large?.id ?? "";
  const safetensors = { size: 30e9, bytesPerToken: 200_000 };
  const source = { repository: null, revision: null, files: [], safetensors };
  const verdictsOf = async (on: TestServer) => {
    const { token: member } = await on.signUp();
    const read = async (path: string) => (await on.call(`/api/feather/models${path}`, { token: member })).body;
    const one = (await read(`/${id}`)) as { fit: Fit };
    const found = (await read(`?fit=fits&search=${encodeURIComponent(id)}&perPage=100`)) as List;
    const { facets, pagination } = (await read("?facets=1&perPage=1")) as List;
    const fitting = (await read("?fit=fits&perPage=1")) as List;
    const count = facets?.fit?.find(({ value }) => value === "fits")?.count;
    expect(pagination.total_items).toBeGreaterThan(0);
    expect(count).toBe(fitting.pagination.total_items);
    return [one.fit.verdict, found.items.some((item) => item.id === id)];
  };
  await server.api.modelHost.sourcesRepository.save(id, source, new Date());
  expect(await verdictsOf(server)).toEqual(["too_large", false]);
  const withCard = await createTestServer({ vllm, gpus: [gpu], env: { FEATHER_MODEL_MEMORY: "16000" } });
  await withCard.api.modelHost.sourcesRepository.save(id, source, new Date());
  expect(await verdictsOf(withCard)).toEqual(["fits", true]);
  await withCard.close();
});

test("visitors learn nothing about this machine", async () => {
  const { items, facets } = await list("facets=1", null);
  expect(facets).not.toHaveProperty("fit");
  for (const model of items) expect(model).not.toHaveProperty("fit");
  expect(await server.call("/api/feather/models?fit=fits")).toMatchObject({ status: 401 });
  expect(await server.call("/api/feather/models?sort=fit")).toMatchObject({ status: 401 });
});

test("an unknown verdict is refused", async () => {
  expect(await server.call("/api/feather/models?fit=maybe", { token })).toMatchObject({ status: 400 });
});
