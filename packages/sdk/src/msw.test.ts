import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, expect, expectTypeOf, test } from "vitest";
import { createFeather } from "./client.ts";
import { OPERATIONS } from "./generated/operations.ts";
import type { ApiKey } from "./generated/schemas.ts";
import { handlers, http, refuse, streamed } from "./msw.ts";
import { pathParametersOf } from "./operations.ts";

const server = setupServer(...handlers());
beforeAll(() => server.listen({ onUnhandledFrame: "error" }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const feather = createFeather({ baseUrl: "http://feather.test", apiKey: null, maxRetries: 0 });
const ask = { model: "m/n", messages: [{ role: "user" as const, content: "Hi" }] };

test("every operation responds with its own example", async () => {
  for (const [id, { path, input }] of Object.entries(OPERATIONS)) {
    const call = id.split(".").reduce<unknown>((node, name) => (node as Record<string, unknown>)[name], feather);
    const args = [...pathParametersOf(path).map(() => "x/y"), ...(input === undefined ? [] : [{}])];
    const { response } = await (call as (...args: unknown[]) => ReturnType<typeof feather.models.stats>)(
      ...args,
    ).withResponse();
    expect(response.headers.get("x-operation"), id).toBe(id);
  }
});

test("dates of an example are revived", async () => {
  const [key] = (await feather.apiKeys.list()).items;
  expect(key?.created_at).toBeInstanceOf(Date);
});

test("a call can respond with a value, a function, an error, or a Response", async () => {
  const [example] = (await feather.apiKeys.list()).items as [ApiKey];
  server.use(
    http.apiKeys.get(({ params }) => {
      expectTypeOf(params).toEqualTypeOf<{ id: string }>();
      return { ...example, id: params.id };
    }),
    http.apiKeys.create(refuse(409, "api_keys.limit_reached", "You have 100 keys already.", { limit: 100 })),
    http.models.get(() => refuse(404, "model_not_found", "There is no such model.")),
    http.embeddings.create(refuse(404, "model_not_found", "No model.")),
    http.chat.completions.create(streamed("Hel", "lo")),
    http.admin.usage("model,request_count\n" as never),
    http.apiKeys.delete(new Response(null, { status: 204 })),
  );
  expect(await feather.apiKeys.get("key_9")).toEqual({ ...example, id: "key_9" });
  await expect(feather.apiKeys.create({ name: "x" })).rejects.toMatchObject({
    code: "api_keys.limit_reached",
    details: { limit: 100 },
  });
  await expect(feather.models.get("a/b")).rejects.toMatchObject({ status: 404, code: "model_not_found" });
  await expect(feather.embeddings.create({ model: "m", input: "x" })).rejects.toMatchObject({
    code: "model_not_found",
  });
  expect(await (await feather.chat.completions.create({ ...ask, stream: true })).text()).toBe("Hello");
  expect(await feather.apiKeys.delete("key_9")).toBeUndefined();
});

test("a handler for one path leaves the others to the next handler", async () => {
  const example = await feather.models.get("x/y");
  server.use(http.models.get({ ...example, id: "a/b" }, { params: { id: "a/b" } }));
  expect((await feather.models.get("a/b")).id).toBe("a/b");
  expect((await feather.models.get("c/d")).id).toBe(example.id);
  // @ts-expect-error The path has no such parameter.
  http.models.get(example, { params: { name: "a/b" } });
});

test("an error can name the invalid field", async () => {
  server.use(
    http.apiKeys.create(refuse(400, "invalid_request", "name is too long.", {}, "name")),
    http.embeddings.create(refuse(400, "invalid_request", "input is empty.", {}, "input")),
  );
  await expect(feather.apiKeys.create({ name: "x" })).rejects.toMatchObject({ param: "name" });
  await expect(feather.embeddings.create({ model: "m", input: "x" })).rejects.toMatchObject({ param: "input" });
});

test("a chat completion is complete or streamed, as requested", async () => {
  const whole = await feather.chat.completions.create(ask);
  const stream = await feather.chat.completions.create({ ...ask, stream: true });
  expect(await stream.text()).toBe(whole.choices[0]?.message.content);
});

test("handlers with a base URL respond there only", async () => {
  const elsewhere = createFeather({ baseUrl: "http://other.test", apiKey: null, maxRetries: 0 });
  server.use(http.models.stats(refuse(503, "unavailable", "Closed."), { baseUrl: "http://other.test" }));
  await expect(elsewhere.models.stats()).rejects.toMatchObject({ status: 503 });
  expect(await feather.models.stats()).toHaveProperty("model_count");
});

test.each(["http://below.test/feather", "http://below.test/feather/api/", "http://below.test/feather/v1"])(
  "handlers take the base URL %s as the client does",
  async (baseUrl) => {
    server.use(http.models.stats(refuse(503, "unavailable", "Closed."), { baseUrl }));
    const below = createFeather({ baseUrl, apiKey: null, maxRetries: 0 });
    await expect(below.models.stats()).rejects.toMatchObject({ status: 503, message: "Closed." });
  },
);

test("a handler can fail first and succeed afterwards, and a client retries it", async () => {
  const example = await feather.models.stats();
  let turn = 0;
  server.use(
    http.models.stats(() => {
      turn += 1;
      return turn === 1 ? refuse(503, "unavailable", "Not yet.") : { ...example, model_count: 7 };
    }),
  );
  const patient = createFeather({ baseUrl: "http://feather.test", apiKey: null, fetch: noWait });
  expect((await patient.models.stats()).model_count).toBe(7);
  expect(turn).toBe(2);
});

/** Sends a request, and tells the client that it may repeat it at once. */
async function noWait(request: Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(request, init);
  const headers = new Headers(response.headers);
  headers.set("retry-after-ms", "0");
  return new Response(response.body, { status: response.status, headers });
}

test("dates of a mocked value can be given as Date and as text", async () => {
  const [example] = (await feather.apiKeys.list()).items as [ApiKey];
  const created_at = new Date("2026-11-29T03:00:00Z");
  server.use(
    http.apiKeys.get({ ...example, created_at }),
    http.apiKeys.update({ ...example, created_at: "2026-11-29T03:00:00Z" }),
  );
  expect((await feather.apiKeys.get("key_1")).created_at).toEqual(created_at);
  expect((await feather.apiKeys.update("key_1", { name: "x" })).created_at).toEqual(created_at);
});

test("a streamed answer of no texts is complete and empty", async () => {
  server.use(http.chat.completions.create(streamed()));
  const stream = await feather.chat.completions.create({ ...ask, stream: true });
  expect(await stream.text()).toBe("");
});
