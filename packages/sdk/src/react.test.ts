import { sendJson } from "@feather/testing/http-server";
import { QueryClient } from "@tanstack/react-query";
import { expect, expectTypeOf, test } from "vitest";
import { createQueries } from "./react.ts";
import { startTestClient } from "./testing/client.ts";
import type { Result } from "./types.ts";

const client = () => new QueryClient({ defaultOptions: { queries: { retry: false } } });

test("keys consist of the call's name and its inputs, with the resource as prefix", async () => {
  using server = await startTestClient((_, response) => sendJson(response, 200, {}));
  const queries = createQueries(server.feather);
  expect(queries.apiKeys.key()).toEqual(["apiKeys"]);
  expect(queries.apiKeys.list.key()).toEqual(["apiKeys", "list"]);
  expect(queries.usage.activity.key()).toEqual(["usage", "activity"]);
  expect(queries.apiKeys.list.queryOptions().queryKey).toEqual(["apiKeys", "list"]);
  expect(queries.models.get.queryOptions("a/b", { scrape: 1 }).queryKey).toEqual([
    "models",
    "get",
    "a/b",
    { scrape: 1 },
  ]);
});

test("a query calls its method with inputs in order and the signal", async () => {
  using server = await startTestClient((request, response) => {
    if (request.url.endsWith("/slow")) return;
    sendJson(response, 200, { created_at: "2026-11-01T09:30:00Z" });
  });
  const queries = createQueries(server.feather);
  const cache = client();
  const key = await cache.fetchQuery(queries.apiKeys.get.queryOptions("key_1"));
  expectTypeOf(key).toEqualTypeOf<Result<"apiKeys.get">>();
  expect(key.created_at).toBeInstanceOf(Date);
  await cache.fetchQuery(queries.apiKeys.list.queryOptions({ perPage: 5 }));
  await cache.fetchQuery(queries.apiKeys.list.queryOptions());
  expect(server.requests.map(({ url }) => url)).toEqual([
    "/api/api-keys/key_1",
    "/api/api-keys?perPage=5",
    "/api/api-keys",
  ]);
  const slow = queries.apiKeys.get.queryOptions("slow");
  const waiting = cache.fetchQuery(slow).catch(() => {});
  await expect.poll(() => server.requests.length).toBe(4);
  await cache.cancelQueries({ queryKey: slow.queryKey });
  await waiting;
  await expect.poll(() => server.aborted).toBe(1);
});

test("infinite queries read page after page to the last", async () => {
  using server = await startTestClient((request, response) => {
    const page = Number(new URL(request.url, "http://x").searchParams.get("page"));
    sendJson(response, 200, {
      items: [page],
      pagination: { current_page: page, per_page: 1, total_items: 2, total_pages: 2 },
    });
  });
  const options = createQueries(server.feather).models.list.infiniteQueryOptions({ search: "coder" });
  expect(options.queryKey).toEqual(["models", "list", { search: "coder" }, "pages"]);
  const { pages, pageParams } = await client().fetchInfiniteQuery({ ...options, pages: 5 });
  expect(pageParams).toEqual([1, 2]);
  expectTypeOf(pages).toEqualTypeOf<Result<"models.list">[]>();
  expect(server.requests.map(({ url }) => url)).toEqual([
    "/api/feather/models?search=coder&page=1",
    "/api/feather/models?search=coder&page=2",
  ]);
});

test("a mutation takes the input of its call, or an array of several", async () => {
  using server = await startTestClient((_, response) => sendJson(response, 200, {}));
  const queries = createQueries(server.feather);
  const create = queries.apiKeys.create.mutationOptions();
  expect(create.mutationKey).toEqual(["apiKeys", "create"]);
  await create.mutationFn({ name: "laptop" });
  await queries.apiKeys.update.mutationOptions().mutationFn(["key_1", { name: "desk" }]);
  await queries.apiKeys.delete.mutationOptions().mutationFn("key_1");
  await queries.auth.logout.mutationOptions().mutationFn();
  expect(server.requests.map(({ method, url, body }) => `${method} ${url} ${body}`.trim())).toEqual([
    'POST /api/api-keys {"name":"laptop"}',
    'PUT /api/api-keys/key_1 {"name":"desk"}',
    "DELETE /api/api-keys/key_1",
    "POST /api/auth/logout",
  ]);
});

test("an empty response becomes null, because the cache does not accept undefined", async () => {
  using server = await startTestClient((_, response) => void response.writeHead(204).end());
  expect(await client().fetchQuery(createQueries(server.feather).models.stats.queryOptions())).toBeNull();
});
