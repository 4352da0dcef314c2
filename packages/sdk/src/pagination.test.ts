import { sendJson } from "@feather/testing/http-server";
import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { AbortedError, ServerError } from "./errors.ts";
import { createQueries } from "./react.ts";
import { startTestClient, type TestClient } from "./testing/client.ts";

type SentPage = { items: unknown[]; pagination?: { current_page?: number; total_pages?: number } };

const pageOf = (current_page: number, total_pages: number, items: unknown[] = [`item ${current_page}`]): SentPage => ({
  items,
  pagination: { current_page, total_pages },
});

/** Starts a server whose lists have the pages that a function returns for a page's number. */
const servePages = (toPage: (page: number) => SentPage): Promise<TestClient> =>
  startTestClient((request, response) =>
    sendJson(response, 200, toPage(Number(new URL(request.url, "http://x").searchParams.get("page") ?? 1))),
  );

test("an empty page in the middle does not end a list", async () => {
  using server = await servePages((page) => pageOf(page, 3, page === 2 ? [] : [page]));
  expect(await server.feather.apiKeys.list().toArray()).toEqual([1, 3]);
});

test.each([0, 1])("an empty list of %i pages is asked for once", async (total) => {
  using server = await servePages(() => pageOf(1, total, []));
  expect(await server.feather.apiKeys.list().toArray()).toEqual([]);
  expect(server.requests).toHaveLength(1);
});

test("a server that sends the first page again and again throws, and is not asked for ever", async () => {
  using server = await servePages(() => pageOf(1, 3));
  await expect(server.feather.apiKeys.list().toArray()).rejects.toThrow("sent page 1 of the list instead of page 2");
  expect(server.requests).toHaveLength(2);
});

test("a server that skips a page throws, so that no item is missing unnoticed", async () => {
  using server = await servePages((page) => pageOf(page === 2 ? 3 : page, 4));
  await expect(server.feather.apiKeys.list().toArray()).rejects.toThrow("sent page 3 of the list instead of page 2");
});

test.each<[string, SentPage]>([
  ["no numbers", { items: ["item 2"], pagination: {} }],
  ["no pagination", { items: ["item 2"] }],
])("a second page with %s throws", async (_, second) => {
  using server = await servePages((page) => (page === 1 ? pageOf(1, 3) : second));
  await expect(server.feather.apiKeys.list().toArray()).rejects.toThrow("instead of page 2");
});

test("a list whose pagination has no numbers is its first page", async () => {
  using server = await servePages(() => ({ items: [1], pagination: {} }));
  expect(await server.feather.apiKeys.list().toArray()).toEqual([1]);
  expect(server.requests).toHaveLength(1);
});

test("a list that has become shorter meanwhile ends without repeating its last page", async () => {
  using server = await servePages((page) => (page === 1 ? pageOf(1, 3) : pageOf(1, 1)));
  expect(await server.feather.apiKeys.list().toArray()).toEqual(["item 1"]);
  expect(server.requests).toHaveLength(2);
});

test("a list that grows meanwhile is read to its new end", async () => {
  using server = await servePages((page) => pageOf(page, page === 1 ? 2 : 3));
  expect(await server.feather.apiKeys.list().toArray()).toEqual(["item 1", "item 2", "item 3"]);
});

test("a list that is begun at a later page goes on from there, with the same filter", async () => {
  using server = await servePages((page) => pageOf(page, 4));
  expect(await server.feather.models.list({ page: 3, search: "a b" }).toArray()).toEqual(["item 3", "item 4"]);
  expect(server.requests.map(({ url }) => url)).toEqual([
    "/api/feather/models?page=3&search=a+b",
    "/api/feather/models?page=4&search=a+b",
  ]);
});

test.each([
  [0, 1],
  [-1, 1],
  [1, 1],
  [2, 1],
  [3, 2],
  [100, 2],
])("toArray with a limit of %i asks for %i pages of 2 items", async (limit, requestCount) => {
  using server = await servePages((page) => pageOf(page, 2, [page, page]));
  const items = await server.feather.apiKeys.list().toArray({ limit });
  expect(items).toHaveLength(Math.max(0, Math.min(limit, 4)));
  expect(server.requests).toHaveLength(requestCount);
});

test("leaving a loop over a list asks for no further page", async () => {
  using server = await servePages((page) => pageOf(page, 3));
  for await (const _ of server.feather.apiKeys.list()) break;
  expect(server.requests).toHaveLength(1);
});

test("an error of a later page is thrown after the items before it", async () => {
  using server = await startTestClient((_, response, nth) =>
    nth === 1 ? sendJson(response, 200, pageOf(1, 3)) : sendJson(response, 500, {}),
  );
  const seen: unknown[] = [];
  const reading = (async () => {
    for await (const key of server.feather.apiKeys.list()) seen.push(key);
  })();
  await expect(reading).rejects.toThrow(ServerError);
  expect(seen).toEqual(["item 1"]);
});

test("the signal of a list ends the request of a later page", async () => {
  const abort = new AbortController();
  using server = await startTestClient((_, response, nth) => {
    if (nth === 1) sendJson(response, 200, pageOf(1, 3));
    else abort.abort();
  });
  await expect(server.feather.apiKeys.list({}, { signal: abort.signal }).toArray()).rejects.toThrow(AbortedError);
  await expect.poll(() => server.aborted).toBe(1);
});

test("an infinite query has no next page when the server sends the first page again", async () => {
  using server = await servePages(() => pageOf(1, 3));
  const options = createQueries(server.feather).apiKeys.list.infiniteQueryOptions();
  const { pageParams } = await new QueryClient().fetchInfiniteQuery({ ...options, pages: 5 });
  expect(pageParams).toEqual([1, 2]);
});

test("toArray with a limit of 0 throws when the request failed, which was sent already", async () => {
  using server = await startTestClient((_, response) => sendJson(response, 500, {}));
  await expect(server.feather.apiKeys.list().toArray({ limit: 0 })).rejects.toThrow(ServerError);
});
