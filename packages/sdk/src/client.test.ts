import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { formatChunks } from "@feather/testing/chat-events";
import { type HttpServer, sendJson, startHttpServer } from "@feather/testing/http-server";
import { afterEach, expect, expectTypeOf, test } from "vitest";
import { createFeather, type Feather } from "./client.ts";
import {
  AbortedError,
  ApiError,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  CredentialError,
  isNotFound,
  isRateLimited,
  StreamTruncatedError,
  TimeoutError,
} from "./errors.ts";
import { OPERATIONS } from "./generated/operations.ts";
import type { RequestOptions } from "./request-options.ts";

let server: HttpServer | undefined;
afterEach(() => server?.close());

async function serve(...answer: Parameters<typeof startHttpServer>) {
  server = await startHttpServer(...answer);
  return { server, feather: createFeather({ baseUrl: server.url, apiKey: "rc_secret", maxRetries: 0 }) };
}

const envelope = (code: string, details?: object) => ({
  statusCode: 0,
  statusMessage: "",
  message: "What happened.",
  data: JSON.stringify({ code, message: "What happened.", details }),
});
const ask = { model: "m/n", messages: [{ role: "user" as const, content: "Hi" }] };

test("every operation of the contract is a method", () => {
  const feather = createFeather({ baseUrl: "http://x" }) as unknown;
  for (const id of Object.keys(OPERATIONS)) {
    const method = id.split(".").reduce<unknown>((node, name) => (node as Record<string, unknown>)[name], feather);
    expect(typeof method, id).toBe("function");
  }
});

test("sends path, query, body and key", async () => {
  const { server: testServer, feather } = await serve((_, response) => sendJson(response, 200, {}));
  await feather.models.get("Qwen/Qwen3-32B", { scrape: 1 });
  await feather.apiKeys.update("key_1", { name: "laptop" });
  expect(testServer.requests.map(({ method, url, body }) => [method, url, body])).toEqual([
    ["GET", "/api/feather/models/Qwen%2FQwen3-32B?scrape=1", ""],
    ["PUT", "/api/api-keys/key_1", '{"name":"laptop"}'],
  ]);
  expect(testServer.requests[0]?.headers.authorization).toBe("Bearer rc_secret");
});

test("revives fields named _at and _date, in value and type; null stays null", async () => {
  const { feather } = await serve((_, response) =>
    sendJson(response, 200, { created_at: "2026-11-01T09:30:00Z", expires_at: null, name: "2026-11-01T09:30:00Z" }),
  );
  const key = await feather.apiKeys.get("key_1");
  expect(key.created_at).toEqual(new Date("2026-11-01T09:30:00Z"));
  expect(key.expires_at).toBeNull();
  expect(key.name).toBe("2026-11-01T09:30:00Z");
  expectTypeOf(key.created_at).toEqualTypeOf<Date>();
  expectTypeOf(key.expires_at).toEqualTypeOf<Date | null>();
});

test.each([
  [401, AuthenticationError],
  [409, ConflictError],
] as const)("status %i throws an error of its own class, with code and request id", async (status, Class) => {
  const { feather } = await serve((_, response) =>
    sendJson(response, status, envelope("some.code", { fields: [{ field: "name", message: "No." }] })),
  );
  const error = await feather.apiKeys.create({ name: "x" }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(Class);
  expect(error).toMatchObject({
    status,
    code: "some.code",
    message: "What happened.",
    requestId: "req_1",
    fields: [{ field: "name", message: "No." }],
  });
});

test("an error has the headers of its response", async () => {
  const { feather } = await serve((_, response) => sendJson(response, 404, envelope("x"), { "x-trace": "7" }));
  const error = await feather.models.stats().catch((reason: unknown) => reason);
  expect((error as ApiError).headers.get("x-trace")).toBe("7");
});

test("parses errors of /v1", async () => {
  const { feather } = await serve((_, response) =>
    sendJson(response, 404, {
      error: { message: "No model.", type: "x", param: "model", code: "model_not_found", request_id: "r" },
    }),
  );
  const error = await feather.chat.completions.create(ask).catch((reason: unknown) => reason);
  expect(isNotFound(error)).toBe(true);
  expect(error).toMatchObject({ code: "model_not_found", param: "model" });
});

test("errors of OAuth calls have the error code of RFC 6749", async () => {
  const body = { error: "slow_down", error_description: "Ask every 10 seconds." };
  const { feather } = await serve((_, response) => sendJson(response, 400, body));
  await expect(feather.oauth.token({ grant_type: "x" })).rejects.toMatchObject({
    status: 400,
    code: "slow_down",
    message: "Ask every 10 seconds.",
  });
});

test("form bodies omit undefined fields", async () => {
  const { server: testServer, feather } = await serve((_, response) => sendJson(response, 200, {}));
  const { scope } = {} as { scope?: string };
  await feather.oauth.device({ client_id: "app x", scope } as { client_id: string });
  expect(testServer.requests[0]).toMatchObject({ body: "client_id=app+x" });
});

test("a token function is called before each request, also for raw paths", async () => {
  const { server: testServer } = await serve((_, response) => sendJson(response, 200, { model_count: 1 }));
  let turn = 0;
  const feather = createFeather({ baseUrl: testServer.url, token: async () => `oat_${++turn}`, maxRetries: 0 });
  await feather.models.stats();
  await feather.GET("/feather/stats");
  expect(testServer.requests.map(({ headers }) => headers.authorization)).toEqual(["Bearer oat_1", "Bearer oat_2"]);
  const gone = createFeather({ baseUrl: testServer.url, token: () => Promise.reject(new RangeError("signed out")) });
  await expect(gone.models.stats()).rejects.toThrow(RangeError);
  expect(testServer.requests).toHaveLength(2);
});

test("HTML instead of JSON throws an error that says so", async () => {
  const { feather } = await serve(
    (_, response) => void response.writeHead(502, { "content-type": "text/html" }).end("<html>nginx</html>"),
  );
  await expect(feather.models.stats()).rejects.toThrow(/web page.*Check the base URL/);
});

test("retries transient failures after Retry-After", async () => {
  const { server: testServer } = await serve((_, response, nth) =>
    nth < 3
      ? sendJson(response, 503, envelope("unavailable"), { "retry-after-ms": "1" })
      : sendJson(response, 200, { model_count: 1 }),
  );
  const feather = createFeather({ baseUrl: testServer.url, maxRetries: 2 });
  expect((await feather.models.stats()).model_count).toBe(1);
  expect(testServer.requests).toHaveLength(3);
});

test.each([
  ["a response with x-should-retry: false", 429, { "x-should-retry": "false" }],
  ["a wait of more than a minute", 429, { "retry-after": "61" }],
  ["an invalid request", 400, {}],
])("%s is not retried", async (_, status, headers) => {
  const { server: testServer } = await serve((_request, response) =>
    sendJson(response, status, envelope("x"), headers),
  );
  const error = await createFeather({ baseUrl: testServer.url, maxRetries: 3 })
    .models.stats()
    .then(undefined, (reason: unknown) => reason);
  expect(error).toBeInstanceOf(ApiError);
  expect(isRateLimited(error)).toBe(status === 429);
  expect(testServer.requests).toHaveLength(1);
});

test("maxRetryAfter limits the wait for a server", async () => {
  const { server: testServer } = await serve((_request, response) =>
    sendJson(response, 503, envelope("x"), { "retry-after-ms": "50" }),
  );
  const error = await createFeather({ baseUrl: testServer.url, maxRetryAfter: 49 })
    .models.stats()
    .then(undefined, (reason: unknown) => reason);
  expect(error).toMatchObject({ status: 503, retryAfterMs: 50 });
  expect(testServer.requests).toHaveLength(1);
});

test("all attempts of a failed write carry one idempotency key, and calls of models and sign-ins carry none", async () => {
  const { server: testServer } = await serve((_, response) =>
    sendJson(response, 500, envelope("x"), { "retry-after-ms": "1" }),
  );
  const feather = createFeather({ baseUrl: testServer.url, maxRetries: 2 });
  await feather.apiKeys.create({ name: "x" }).catch(() => {});
  await feather.chat.completions.create(ask).catch(() => {});
  await feather.auth.login({ email: "a@example.com", password: "x" }).catch(() => {});
  const keys = testServer.requests.map(({ headers }) => headers["idempotency-key"]);
  expect(keys).toEqual([keys[0], keys[0], keys[0], undefined, undefined, undefined, undefined]);
  expect(keys[0]).toMatch(/^[\w-]{36}$/);
});

type Outcome = number | "reset" | "silence";

/** Makes a call to a server that fails in the same way each time, and returns how often it was sent. */
async function countAttempts(outcome: Outcome, call: (feather: Feather) => PromiseLike<unknown>): Promise<number> {
  const { server: testServer } = await serve((_, response) => {
    if (outcome === "reset") response.destroy();
    else if (outcome !== "silence") sendJson(response, outcome, envelope("x"), { "retry-after-ms": "1" });
  });
  // Counted here: a busy machine may reach the time limit before the server has got the call.
  let sent = 0;
  const countingFetch: typeof fetch = (...call) => {
    sent += 1;
    return fetch(...call);
  };
  const timeout = outcome === "silence" ? 50 : undefined;
  const feather = createFeather({ baseUrl: testServer.url, maxRetries: 2, timeout, fetch: countingFetch });
  await expect(Promise.resolve(call(feather))).rejects.toThrow();
  expect(testServer.requests.every(({ headers }) => headers["idempotency-key"] === undefined)).toBe(true);
  testServer.close();
  return sent;
}

test.each<[string, (feather: Feather) => PromiseLike<unknown>]>([
  ["a chat completion", (feather) => feather.chat.completions.create(ask, { idempotencyKey: "mine" })],
  ["a stream", (feather) => feather.chat.completions.create({ ...ask, stream: true })],
  ["an embedding", (feather) => feather.embeddings.create({ model: "m/n", input: "a" })],
  ["a chat completion of a deployment", (feather) => feather.deployments.chat.completions.create("dep_1", ask)],
])("%s is asked for again after a failure before its first byte", async (_, call) => {
  for (const outcome of [500, 502, 503, 504] as const) expect(await countAttempts(outcome, call)).toBe(3);
});

test("a call of a model is repeated after a connection that broke before its answer", async () => {
  expect(await countAttempts("reset", (feather) => feather.chat.completions.create(ask))).toBe(3);
});

test("a call of a model by its path is repeated too", async () => {
  const call = async (feather: Feather) => {
    const { error } = await feather.POST("/v1/chat/completions", { body: ask });
    throw error;
  };
  expect(await countAttempts(502, call)).toBe(3);
});

test.each<[string, Outcome]>([
  ["refused the request", 400],
  ["had a conflict", 409],
  ["took longer than the time limit, and may still be at work", "silence"],
])("a call of a model that %s is not repeated", async (_, outcome) => {
  expect(await countAttempts(outcome, (feather) => feather.chat.completions.create(ask))).toBe(1);
});

test("an answer of a model that breaks off is not asked for again", async () => {
  let sent = 0;
  const body = () =>
    new ReadableStream<Uint8Array>({
      start: (queue) => queue.enqueue(new TextEncoder().encode('{"half":')),
      pull: (queue) => queue.error(new TypeError("terminated")),
    });
  const feather = createFeather({
    baseUrl: "http://x",
    apiKey: null,
    maxRetries: 2,
    fetch: async () => {
      sent += 1;
      return new Response(body(), { headers: { "content-type": "application/json" } });
    },
  });
  await expect(feather.chat.completions.create(ask)).rejects.toThrow(ConnectionError);
  expect(sent).toBe(1);
});

test("a call of a model that x-should-retry forbids to repeat is sent once", async () => {
  const { server: testServer } = await serve((_, response) =>
    sendJson(response, 502, envelope("x"), { "x-should-retry": "false" }),
  );
  const feather = createFeather({ baseUrl: testServer.url, maxRetries: 2 });
  await expect(feather.chat.completions.create(ask)).rejects.toThrow();
  expect(testServer.requests).toHaveLength(1);
});

test.each<[string, Pick<RequestOptions, "timeout" | "streamIdleTimeout">]>([
  ["timeout", { timeout: -1 }],
  ["streamIdleTimeout", { streamIdleTimeout: -1 }],
])("a negative %s throws before anything is sent", async (_, limits) => {
  const { server: testServer, feather } = await serve((_request, response) => sendJson(response, 200, {}));
  await expect(feather.models.stats(limits)).rejects.toThrow(TypeError);
  await expect(createFeather({ baseUrl: testServer.url, ...limits }).models.stats()).rejects.toThrow("below 0");
  expect(testServer.requests).toHaveLength(0);
});

test("a base URL with /v1/ in its path does not decide about retries", async () => {
  const { server: testServer } = await serve((_, response) =>
    sendJson(response, 500, envelope("x"), { "retry-after-ms": "1" }),
  );
  const feather = createFeather({ baseUrl: `${testServer.url}/v1/feather`, maxRetries: 2 });
  await feather.auth.login({ email: "a@example.com", password: "x" }).catch(() => {});
  await feather.apiKeys.create({ name: "x" }).catch(() => {});
  expect(testServer.requests.map(({ url }) => url)).toEqual([
    "/v1/feather/api/auth/login",
    ...Array.from({ length: 3 }, () => "/v1/feather/api/api-keys"),
  ]);
});

test.each(["", ".", "..", undefined as never, null as never])(
  "the path parameter %j throws before anything is sent",
  async (id) => {
    const { server: testServer, feather } = await serve((_, response) => sendJson(response, 200, {}));
    await expect(feather.apiKeys.delete(id)).rejects.toThrow(`The path parameter id cannot be ${JSON.stringify(id)}.`);
    await expect(feather.GET("/api-keys/{id}", { params: { path: { id } } })).rejects.toThrow(TypeError);
    expect(testServer.requests).toHaveLength(0);
  },
);

test("a key that a header cannot hold throws and sends nothing", async () => {
  const { server: testServer } = await serve((_, response) => sendJson(response, 200, {}));
  const feather = createFeather({ baseUrl: testServer.url, apiKey: "rc_abcd…" });
  await expect(feather.models.stats()).rejects.toThrow(CredentialError);
  expect(testServer.requests).toHaveLength(0);
});

test("the server is told which SDK calls, unless the program names itself", async () => {
  const { server: testServer } = await serve((_, response) => sendJson(response, 200, {}));
  await createFeather({ baseUrl: testServer.url }).models.stats();
  await createFeather({ baseUrl: testServer.url, headers: { "user-agent": "roost/2" } }).models.stats();
  expect(testServer.requests.map(({ headers }) => headers["user-agent"])).toEqual([
    expect.stringMatching(/^feather-sdk\/\d+\.\d+\.\d+/),
    "roost/2",
  ]);
});

test.each([Number.POSITIVE_INFINITY, 2 ** 31])("a time limit of %d ms is none", async (timeout) => {
  const { feather } = await serve((_, response) => sendJson(response, 200, { model_count: 1 }));
  expect((await feather.models.stats({ timeout })).model_count).toBe(1);
});

test("a call is sent at once, without being awaited", async () => {
  const { server: testServer, feather } = await serve((_, response) => void response.writeHead(204).end());
  const call = feather.apiKeys.delete("key_1");
  await expect.poll(() => testServer.requests.length).toBe(1);
  await call;
  expect(testServer.requests).toHaveLength(1);
});

test("a form is sent encoded, and keeps its body in a redirect", async () => {
  const { server: testServer } = await serve((request, response) =>
    request.url.endsWith("/elsewhere")
      ? sendJson(response, 200, {})
      : void response.writeHead(307, { location: "/elsewhere" }).end(),
  );
  await createFeather({ baseUrl: testServer.url }).oauth.revoke({ client_id: "app_1", token: "a b" });
  expect(testServer.requests.map(({ body, headers }) => [body, headers["content-type"]])).toEqual(
    Array.from({ length: 2 }, () => ["client_id=app_1&token=a+b", "application/x-www-form-urlencoded"]),
  );
});

test("fetchOptions reach every fetch", async () => {
  const received: unknown[] = [];
  const feather = createFeather({
    baseUrl: "http://x",
    apiKey: null,
    fetchOptions: { keepalive: true },
    fetch: async (_, init) => {
      received.push(init);
      return Response.json({});
    },
  });
  await feather.models.stats();
  expect(received).toEqual([{ keepalive: true, signal: expect.any(AbortSignal) }]);
});

test("a timeout, a refused connection and an abort throw different errors", async () => {
  const { server: testServer, feather } = await serve(() => {});
  await expect(feather.models.stats({ timeout: 20 })).rejects.toThrow(TimeoutError);
  const abort = new AbortController();
  setTimeout(() => abort.abort(), 20);
  await expect(feather.models.stats({ signal: abort.signal })).rejects.toThrow(AbortedError);
  const raw = new AbortController();
  setTimeout(() => raw.abort(), 20);
  await expect(feather.GET("/feather/stats", { signal: raw.signal })).rejects.toThrow(AbortedError);
  testServer.close();
  await expect(createFeather({ baseUrl: "http://127.0.0.1:1", maxRetries: 0 }).models.stats()).rejects.toThrow(
    ConnectionError,
  );
});

test("a time limit survives garbage collection", async () => {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  const { feather } = await serve(() => {});
  const answer = expect(feather.models.stats({ timeout: 200 })).rejects.toThrow(TimeoutError);
  for (const pause of [50, 50]) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    collect();
  }
  await answer;
});

test("a list resolves to its first page and iterates over all items", async () => {
  const { feather } = await serve((request, response) => {
    const page = Number(new URL(request.url, "http://x").searchParams.get("page") ?? 1);
    sendJson(response, 200, {
      items: [{ id: `key_${page}` }],
      pagination: { current_page: page, per_page: 1, total_items: 3, total_pages: 3 },
    });
  });
  expect((await feather.apiKeys.list()).items).toHaveLength(1);
  const ids: string[] = [];
  for await (const key of feather.apiKeys.list({ perPage: 1 })) ids.push(key.id);
  expect(ids).toEqual(["key_1", "key_2", "key_3"]);
  expect(await feather.apiKeys.list().toArray({ limit: 2 })).toHaveLength(2);
  expect(await feather.apiKeys.list().toArray()).toHaveLength(3);
});

test("iterating over a call that returns no pages throws an error that says so", async () => {
  const { feather } = await serve((_, response) => sendJson(response, 200, { items: [] }));
  const families: unknown = feather.models.families();
  await expect(async () => {
    for await (const _ of families as AsyncIterable<unknown>);
  }).rejects.toThrow(/is not async iterable/);
  await families;
});

test("a stream yields chunks, text and usage, however its bytes are split", async () => {
  const bytes = Buffer.from(`: keep-alive\n\n${formatChunks("Fé", "ther 🪶")}data: [DONE]\n\n`);
  const { feather } = await serve((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
    for (const byte of bytes) response.write(Buffer.of(byte));
    response.end();
  });
  const stream = await feather.chat.completions.create({ ...ask, stream: true });
  expect(await stream.text()).toBe("Féther 🪶");
});

test.each([
  ["that ends before finish_reason", "data: {}".slice(0, 0), false],
  ["without [DONE]", "", true],
])("a stream %s throws an error with the partial text", async (_, end, finished) => {
  const { feather } = await serve((_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const all = formatChunks("half");
    response.end((finished ? all : `${all.split("\n\n")[0]}\n\n`) + end);
  });
  const stream = await feather.chat.completions.create({ ...ask, stream: true });
  const error = await stream.text().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(StreamTruncatedError);
  expect(error).toMatchObject({ partial: "half" });
});

test("throws an error event of a stream", async () => {
  const { feather } = await serve((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(`data: ${JSON.stringify({ error: { message: "The backend failed.", code: "upstream_error" } })}\n\n`);
  });
  const stream = await feather.chat.completions.create({ ...ask, stream: true });
  await expect(stream.text()).rejects.toMatchObject({ code: "upstream_error" });
});

test("leaving the loop ends the request on the server", async () => {
  const { server: testServer, feather } = await serve((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(formatChunks("one"));
  });
  const stream = await feather.chat.completions.create({ ...ask, stream: true });
  for await (const _ of stream) break;
  await expect.poll(() => testServer.aborted).toBe(1);
});

test("withResponse returns status and headers, and the logger never receives the key", async () => {
  const lines: string[] = [];
  const { server: testServer } = await serve((_, response) => sendJson(response, 200, {}));
  const feather = createFeather({
    baseUrl: `${testServer.url}/api/`,
    apiKey: "rc_secret",
    logger: { debug: (...line) => lines.push(JSON.stringify(line)) },
  });
  const { response, requestId } = await feather.models.stats().withResponse();
  expect([response.status, requestId]).toEqual([200, "req_1"]);
  expect(lines.join()).toContain("/api/feather/stats");
  expect(lines.join()).not.toContain("rc_secret");
});

test("a call that fails after its result was read with withResponse() fails for every reader alike", async () => {
  const { server: testServer, feather } = await serve((_, response) => sendJson(response, 404, envelope("x")));
  const call = feather.models.get("a/b");
  const readers = [call.withResponse(), call.asResponse(), call.then(), call.map((model) => model.id).then()];
  const results = await Promise.allSettled(readers);
  expect(results.map(({ status }) => status)).toEqual(Array.from({ length: 4 }, () => "rejected"));
  expect(testServer.requests).toHaveLength(1);
});

test("finally() runs after a success and a failure, and passes both on", async () => {
  const { feather } = await serve((_, response, nth) => sendJson(response, nth === 1 ? 200 : 404, { nth }));
  const ends: string[] = [];
  await expect(feather.models.stats().finally(() => ends.push("first"))).resolves.toEqual({ nth: 1 });
  await expect(feather.models.stats().finally(() => ends.push("second"))).rejects.toThrow(ApiError);
  expect(ends).toEqual(["first", "second"]);
});

test("a given idempotency key is kept over all attempts, and replaces the one of the header", async () => {
  const { server: testServer } = await serve((_, response) =>
    sendJson(response, 503, envelope("x"), { "retry-after-ms": "1" }),
  );
  const feather = createFeather({ baseUrl: testServer.url, maxRetries: 1 });
  const options = { idempotencyKey: "mine", headers: { "Idempotency-Key": "other" } };
  await feather.apiKeys.create({ name: "x" }, options).catch(() => {});
  await feather.apiKeys.create({ name: "x" }, { headers: { "Idempotency-Key": "header" } }).catch(() => {});
  const keys = testServer.requests.map(({ headers }) => headers["idempotency-key"]);
  expect(keys).toEqual(["mine", "mine", "header", "header"]);
});

test("two writes have different idempotency keys", async () => {
  const { server: testServer, feather } = await serve((_, response) => sendJson(response, 200, {}));
  await Promise.all([feather.apiKeys.create({ name: "x" }), feather.apiKeys.create({ name: "x" })]);
  expect(new Set(testServer.requests.map(({ headers }) => headers["idempotency-key"])).size).toBe(2);
});

test("every attempt of a call sends the same token, and the next call asks for one again", async () => {
  const { server: testServer } = await serve((_, response, nth) =>
    sendJson(response, nth === 1 ? 503 : 200, {}, { "retry-after-ms": "1" }),
  );
  let turn = 0;
  const feather = createFeather({ baseUrl: testServer.url, token: () => `oat_${++turn}`, maxRetries: 1 });
  await feather.models.stats();
  await feather.models.stats();
  expect(testServer.requests.map(({ headers }) => headers.authorization)).toEqual([
    "Bearer oat_1",
    "Bearer oat_1",
    "Bearer oat_2",
  ]);
});

test("characters that paths and queries reserve arrive as they were given", async () => {
  const { server: testServer, feather } = await serve((_, response) => sendJson(response, 200, {}));
  const id = "a/b?c#d%2e&e=ü 🪶";
  await feather.models.get(id);
  await feather.models.list({ search: id });
  const [get, list] = testServer.requests.map(({ url }) => new URL(url, "http://x"));
  expect(decodeURIComponent(get?.pathname.split("/").at(-1) ?? "")).toBe(id);
  expect(list?.searchParams.get("search")).toBe(id);
});
