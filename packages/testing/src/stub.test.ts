import { createFeather } from "@feather/sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { errorCode, errorResponse } from "./errors.ts";
import { createStub } from "./stub.ts";
import { type StubServer, startStubServer } from "./stub-server.ts";

let server: StubServer;
beforeAll(async () => {
  server = await startStubServer({
    "GET /feather/stats": () => ({ body: { model_count: 7 } }),
    "GET /api-keys/key_0": () => errorResponse(404, "api_keys.not_found", "There is no such key."),
  });
});
afterAll(() => server.close());

const feather = () => createFeather({ baseUrl: server.baseUrl, apiKey: "rc_key" });

test("responds by the routes of the test, and records the requests", async () => {
  expect(await feather().models.stats()).toEqual({ model_count: 7 });
  expect(server.requests.at(-1)).toMatchObject({ path: "/feather/stats", authorization: "Bearer rc_key" });
});

test("responds to an operation without a route with the contract's example", async () => {
  expect((await feather().models.get("Qwen/Qwen3-32B")).name).toBe("Qwen3-32B");
});

test("responds to a path that is no operation with 404", async () => {
  expect((await fetch(`${server.baseUrl}/api/no/such`)).status).toBe(404);
});

test("an error response has the platform's envelope, and is not retried", async () => {
  const before = server.requests.length;
  const error = await feather()
    .apiKeys.get("key_0")
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ status: 404, code: "api_keys.not_found", message: "There is no such key." });
  expect(server.requests.length - before).toBe(1);
});

test("parses JSON and forms", async () => {
  const { requests, respond } = createStub({ "POST /x": () => ({}) });
  const url = "http://stub.test/api/x?page=2";
  await respond(new Request(url, { method: "POST", body: '{"a":1}', headers: { "content-type": "application/json" } }));
  await respond(new Request(url, { method: "POST", body: new URLSearchParams({ a: "1" }) }));
  expect(requests.map(({ body, url, query }) => [body, url, query.get("page")])).toEqual([
    [{ a: 1 }, "/x?page=2", "2"],
    [{ a: "1" }, "/x?page=2", "2"],
  ]);
});

test.each([
  ["the platform's", { data: JSON.stringify({ code: "not_found" }) }, "not_found"],
  ["OpenAI's", { error: { code: "model_not_found" } }, "model_not_found"],
  ["OAuth's", { error: "login_required" }, "unauthorized"],
  ["no", "<html>", undefined],
])("reads the code in %s envelope", (_name, body, code) => expect(errorCode(body)).toBe(code));
