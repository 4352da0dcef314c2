import { sendJson } from "@feather/testing/http-server";
import { expect, test, vi } from "vitest";
import type { Feather } from "../client.ts";
import { AbortedError, TimeoutError } from "../errors.ts";
import { startTestClient } from "../testing/client.ts";

const CSV = "model,request_count\r\nfeather/demo,3\r\n";

test("a response in CSV is returned as text", async () => {
  using server = await startTestClient(
    (_, response) => void response.writeHead(200, { "content-type": "text/csv; charset=utf-8" }).end(CSV),
  );
  expect(await server.feather.admin.usage({ start: 0, end: 1, format: "csv" })).toBe(CSV);
});

test("a file is returned byte for byte", async () => {
  const bytes = Buffer.from([0, 255, 254, 10]);
  using server = await startTestClient(
    (_, response) => void response.writeHead(200, { "content-type": "application/octet-stream" }).end(bytes),
  );
  const file = await server.feather.deployments.files.get("dep_1", "v1", "model.gguf");
  expect(Buffer.from(await file.arrayBuffer())).toEqual(bytes);
});

test("the sound of a text is returned byte for byte, with its content type", async () => {
  const bytes = Buffer.from([0, 255, 254, 10]);
  using server = await startTestClient(
    (_, response) => void response.writeHead(200, { "content-type": "audio/mpeg" }).end(bytes),
  );
  const sound = await server.feather.audio.speech.create({ model: "a/b", input: "Hello" });
  expect([sound.type, Buffer.from(await sound.arrayBuffer())]).toEqual(["audio/mpeg", bytes]);
});

test("a PDF is returned byte for byte, with its content type", async () => {
  const bytes = Buffer.from([37, 80, 68, 70, 255]);
  using server = await startTestClient(
    (_, response) => void response.writeHead(200, { "content-type": "application/pdf" }).end(bytes),
  );
  const pdf = await server.feather.invoices.pdf("inv_1");
  expect([pdf.type, Buffer.from(await pdf.arrayBuffer())]).toEqual(["application/pdf", bytes]);
});

test("a file is sent in a form with its name, lists with [] and objects as JSON, and again after a failure", async () => {
  const forms: [string, FormDataEntryValue][][] = [];
  using server = await startTestClient(async (request, response, nth) => {
    const { "content-type": type = "" } = request.headers;
    forms.push([...(await new Response(request.body, { headers: { "content-type": type } }).formData())]);
    sendJson(response, nth === 1 ? 503 : 200, { text: "Hello" }, { "retry-after-ms": "1" });
  });
  const file = new File(["ID3"], "meeting.mp3", { type: "audio/mpeg" });
  const fields = { model: "a/b", temperature: 0.5, provider: { only: ["server"] } };
  const body = { file, ...fields, timestamp_granularities: ["word" as const] };
  const answer = await server.feather.audio.transcriptions.create(body, { maxRetries: 1 });
  expect(answer).toEqual({ text: "Hello" });
  const sent = [
    ["file", expect.objectContaining({ name: "meeting.mp3", type: "audio/mpeg", size: 3 })],
    ["model", "a/b"],
    ["temperature", "0.5"],
    ["provider", '{"only":["server"]}'],
    ["timestamp_granularities[]", "word"],
  ];
  expect(forms).toEqual([sent, sent]);
});

test("a text in place of JSON is returned as text", async () => {
  using server = await startTestClient(
    (_, response) => void response.writeHead(200, { "content-type": "text/plain; charset=utf-8" }).end("WEBVTT"),
  );
  const file = new File(["ID3"], "a.mp3");
  expect(await server.feather.audio.transcriptions.create({ file, model: "a/b", response_format: "vtt" })).toBe(
    "WEBVTT",
  );
});

test("HTML is returned as text by calls that return it, and throws elsewhere", async () => {
  const page = "<!doctype html><title>Invoice</title>";
  using server = await startTestClient(
    (_, response) => void response.writeHead(200, { "content-type": "text/html" }).end(page),
  );
  expect(await server.feather.invoices.page("inv_1")).toBe(page);
  await expect(server.feather.models.stats()).rejects.toThrow(/web page \(status 200\).*Check the base URL/);
});

test.each(["null", "{", "seven"])("a success with the body %s throws an API error", async (body) => {
  using server = await startTestClient(
    (_, response) => void response.writeHead(200, { "content-type": "application/json" }).end(body),
  );
  await expect(server.feather.models.stats()).rejects.toMatchObject({ name: "ApiError", status: 200 });
});

test("an empty response resolves to undefined", async () => {
  using server = await startTestClient((_, response) => void response.writeHead(204).end());
  expect(await server.feather.apiKeys.delete("key_1")).toBeUndefined();
});

test.each([
  ["responses about models", "/v1/models", new Date("2026-11-19T14:01:02Z")],
  ["responses of models", "/v1/responses", "2026-11-19T14:01:02Z"],
])("revives only our own dates in %s", async (_, path, expected) => {
  using server = await startTestClient((_request, response) =>
    sendJson(response, 200, { checked_at: "2026-11-19T14:01:02Z" }),
  );
  const { feather } = server;
  const answer: unknown =
    path === "/v1/models"
      ? await feather.v1.models.list()
      : await feather.responses.create({ model: "m/n", input: "Hi" });
  expect(answer).toEqual({ checked_at: expected });
});

test("a list in a query becomes one parameter per value, and only undefined and null are omitted", async () => {
  using server = await startTestClient((_, response) => sendJson(response, 200, {}));
  await server.feather.v1.models.list(
    { tags: ["a b", "c"], q: undefined, page: 0 },
    { query: { status: "active", x: null } },
  );
  expect(server.requests[0]?.url).toBe("/api/v1/models?tags=a+b&tags=c&page=0&status=active");
});

test("asResponse returns the response unread, and sends the request once", async () => {
  using server = await startTestClient((_, response) => sendJson(response, 200, { model_count: 7 }));
  const answer = server.feather.models.stats();
  expect(await (await answer.asResponse()).text()).toBe('{"model_count":7}');
  expect(server.requests).toHaveLength(1);
  const again = server.feather.models.stats();
  await Promise.all([again, again.withResponse(), again.then()]);
  expect(server.requests).toHaveLength(2);
});

/** The two ways to read a raw body, for a server that sends half of a body and then nothing. */
type Limits = { signal?: AbortSignal; timeout?: number };
const RAW_WAYS: [string, (feather: Feather, options: Limits) => Promise<unknown>][] = [
  ["asResponse()", async (feather, options) => (await feather.models.stats(options).asResponse()).text()],
  ["a call by path", (feather, options) => feather.GET("/feather/stats", options)],
];

test.each(RAW_WAYS)("the caller's signal aborts the body of %s", async (_, read) => {
  const abort = new AbortController();
  using server = await startTestClient(
    (_request, response) => void response.writeHead(200, { "content-type": "application/json" }).write('{"half":'),
    {
      async fetch(request, init) {
        const response = await fetch(request, init);
        setImmediate(() => abort.abort()); // after the answer has begun
        return response;
      },
    },
  );
  await expect(read(server.feather, { signal: abort.signal })).rejects.toThrow(AbortedError);
  await expect.poll(() => server.aborted).toBe(1);
});

test.each(RAW_WAYS)("the time limit of the call aborts the body of %s", async (_, read) => {
  using server = await startTestClient((_request, response) => {
    response.writeHead(200, { "content-type": "application/json" }).write('{"half":');
  });
  await expect(read(server.feather, { timeout: 100 })).rejects.toThrow(TimeoutError);
});

test.each(RAW_WAYS)("the body of %s stops listening to the signal once it is read", async (_, read) => {
  const { signal } = new AbortController();
  const removed = vi.spyOn(signal, "removeEventListener");
  using server = await startTestClient((_request, response) => sendJson(response, 200, {}));
  await read(server.feather, { signal });
  expect(removed).toHaveBeenCalledOnce();
});

test("asResponse returns the same response twice, with its URL, status and headers", async () => {
  using server = await startTestClient((_, response) => sendJson(response, 200, {}));
  const answer = server.feather.models.stats();
  const [one, other] = await Promise.all([answer.asResponse(), answer.asResponse()]);
  expect(one).toBe(other);
  expect(one).toMatchObject({ url: `${server.url}/api/feather/stats`, status: 200, redirected: false });
  expect(one.headers.get("request-id")).toBe("req_1");
});

test("pages() yields page by page", async () => {
  using server = await startTestClient((request, response) => {
    const page = Number(new URL(request.url, "http://x").searchParams.get("page") ?? 1);
    sendJson(response, 200, {
      items: [page],
      pagination: { current_page: page, per_page: 1, total_items: 3, total_pages: 3 },
    });
  });
  const pages: number[] = [];
  for await (const { pagination } of server.feather.models.list({ perPage: 1 }).pages())
    pages.push(pagination.current_page);
  expect(pages).toEqual([1, 2, 3]);
  expect(server.requests.map(({ url }) => url)).toEqual([
    "/api/feather/models?perPage=1",
    "/api/feather/models?perPage=1&page=2",
    "/api/feather/models?perPage=1&page=3",
  ]);
});

test("calls by path return openapi-fetch's result, with the client's key, retries and limits", async () => {
  using server = await startTestClient((_, response, nth) =>
    nth === 1
      ? sendJson(response, 503, {}, { "retry-after-ms": "1" })
      : sendJson(response, nth === 2 ? 200 : 404, { nth }),
  );
  const { GET } = server.feather;
  const found = await GET("/feather/models/{id}", { params: { path: { id: "a/b" } }, maxRetries: 1 } as never);
  expect(found).toMatchObject({ data: { nth: 2 } });
  expect(await GET("/feather/stats")).toMatchObject({ error: { nth: 3 }, response: { status: 404 } });
  expect(server.requests.map(({ url }) => url)).toEqual([
    "/api/feather/models/a%2Fb",
    "/api/feather/models/a%2Fb",
    "/api/feather/stats",
  ]);
});
