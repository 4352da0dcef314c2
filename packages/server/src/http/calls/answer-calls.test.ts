import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createChatRequest, LARGE_MODEL, MODEL } from "../../testing/chat.ts";
import { type Account, type Answer, createTestServer, type TestServer } from "../../testing/server.ts";

/** Published by Fastify for each request that reaches one of its handlers. */
const HANDLED_BY_FASTIFY = "tracing:fastify.request.handler:start";

let server: TestServer;
let caller: Account;
let key: string;
let restrictedKey: string;
let handledByFastify = 0;
const count = () => (handledByFastify += 1);

beforeAll(async () => {
  server = await createTestServer();
  caller = await server.signUpOnPlan({ concurrency: 4 });
  key = (await server.createKey(caller)).secret;
  restrictedKey = (await server.createKey(caller, { allowed_models: [LARGE_MODEL] })).secret;
  subscribe(HANDLED_BY_FASTIFY, count);
});
beforeEach(() => {
  handledByFastify = 0;
});
afterEach(() => server.removeUpstreams());
afterAll(async () => {
  unsubscribe(HANDLED_BY_FASTIFY, count);
  await server.close();
});

const CHAT = "/v1/chat/completions";

/** Returns the parts of an answer that are the same for each credential. */
function describeAnswer({ status, headers, text }: Answer) {
  const id = headers.get("request-id") ?? "";
  return {
    status,
    cache: headers.get("cache-control"),
    type: headers.get("content-type"),
    policy: headers.get("content-security-policy"),
    text: text.replaceAll(id, "ID").replaceAll(/"created":\d+/g, '"created":0'),
  };
}

describe("a call to a model", () => {
  test.each<[string, () => { token?: string; headers?: Record<string, string>; path?: string }]>([
    ["a key in x-api-key", () => ({ headers: { "x-api-key": key } })],
    ["a session", () => ({ token: caller.token })],
    ["a session in a cookie", () => ({ headers: { cookie: `session=${caller.token}` } })],
    ["a key and a page of another site", () => ({ token: key, headers: { origin: "https://example.com" } })],
    ["a key and a time to wait for units", () => ({ token: key, headers: { "x-queue-timeout": "1" } })],
    ["a key and an unknown query parameter", () => ({ token: key, path: `${CHAT}?a=1` })],
    ["a key and a slash at the end of the path", () => ({ token: key, path: `${CHAT}/` })],
    ["a key and the path below /api", () => ({ token: key, path: `/api${CHAT}` })],
  ])("a call to a model with %s is answered like one with a key, without Fastify", async (_what, optionsOf) => {
    await server.addUpstream();
    const { path = CHAT, ...options } = optionsOf();
    const expected = describeAnswer(await server.call(CHAT, { token: key, body: createChatRequest() }));
    expect(expected.status).toBe(200);
    expect(describeAnswer(await server.call(path, { ...options, body: createChatRequest() }))).toEqual(expected);
    expect(handledByFastify).toBe(0);
  });

  test.each<[string, string, unknown, object, { token?: () => string; headers?: Record<string, string> }?]>([
    ["no credential", CHAT, createChatRequest(), { status: 401 }, { token: () => "" }],
    ["an unknown key", CHAT, createChatRequest(), { status: 401 }, { token: () => `rc_${"a".repeat(49)}` }],
    ["two credentials", CHAT, createChatRequest(), { status: 400 }, { headers: { "x-api-key": "rc_other" } }],
    ["a key in the query", `${CHAT}?key=rc_1`, createChatRequest(), { status: 400, param: "key" }],
    ["text as its type", CHAT, createChatRequest(), { status: 415 }, { headers: { "content-type": "text/plain" } }],
    ["a compressed body", CHAT, createChatRequest(), { status: 415 }, { headers: { "content-encoding": "gzip" } }],
    [
      "a time to wait that is no number",
      CHAT,
      createChatRequest(),
      { status: 400 },
      { headers: { "x-queue-timeout": "soon" } },
    ],
    ["text that is no JSON", CHAT, "{", { status: 400, code: "invalid_json" }],
    ["an empty body", CHAT, "", { status: 400, code: "invalid_json" }],
    ["null", CHAT, "null", { status: 400, code: "invalid_request" }],
    ["a list", CHAT, "[]", { status: 400, code: "invalid_request" }],
    [
      "a prototype",
      CHAT,
      `{"model":"${MODEL}","messages":[],"__proto__":{"a":1}}`,
      { status: 400, code: "invalid_json" },
    ],
    ["no messages", CHAT, { model: MODEL }, { status: 400, param: "messages" }],
    [
      "a field of the wrong type",
      CHAT,
      createChatRequest({ temperature: "hot" }),
      { status: 400, param: "temperature" },
    ],
    ["an unknown deployment", "/api/deployments/dep_1/v1/embeddings", { model: MODEL, input: "a" }, { status: 404 }],
    [
      "an id that is too long",
      `/api/deployments/${"d".repeat(65)}/v1/embeddings`,
      { model: MODEL, input: "a" },
      { status: 400 },
    ],
  ])("a call to a model with %s is refused without Fastify", async (_what, path, body, expected, options = {}) => {
    const { token = () => key, headers = {} } = options;
    const answer = await server.call(path, { token: token(), headers, body });
    const { error } = answer.body as { error: { code: string; param: string | null; request_id: string } };
    expect({ status: answer.status, code: error.code, param: error.param }).toMatchObject(expected);
    expect(answer.headers.get("request-id")).toBe(error.request_id);
    expect(handledByFastify).toBe(0);
  });

  test("a call to a model is open to pages of other sites, also when it is refused", async () => {
    const { headers } = await server.call(CHAT, { body: {}, headers: { origin: "https://example.com" } });
    expect(headers.get("access-control-allow-origin")).toBe("*");
  });

  test("a call to a model with a body of unknown size that is too large is refused while it is sent", async () => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const request = httpRequest(server.url + CHAT, { method: "POST", headers });
    const answered = once(request, "response") as Promise<[IncomingMessage]>;
    for (let sent = 0; sent < 20; sent++) request.write(Buffer.alloc(1024 * 1024, "a"));
    const [answer] = await answered;
    expect([answer.statusCode, answer.headers.connection]).toEqual([413, "close"]);
    request.on("error", () => {}).destroy();
  });

  test("a call to a model leaves a usage row with the id of the request", async () => {
    await server.addUpstream();
    const { headers } = await server.call(CHAT, { token: key, body: createChatRequest() });
    expect(await server.usageRow(headers.get("request-id"))).toMatchObject({ outcome: "completed", status: 200 });
  });

  test("a call to a model is written to the audit log when the key may not call the model", async () => {
    await server.call(CHAT, { token: restrictedKey, body: createChatRequest() });
    await server.api.audit.denialLog.settled();
    const rows = await server.db.selectFrom("audit_log").selectAll().where("action", "=", "access.denied").execute();
    expect(rows.map((row) => JSON.stringify(row)).filter((row) => row.includes("key_scope_denied"))).toHaveLength(1);
  });

  test("a call to a model is refused as soon as its key is switched off", async () => {
    const { id, secret } = await server.createKey(caller);
    await server.call(CHAT, { token: secret, body: {} });
    await server.call(`/api/api-keys/${id}`, { token: caller.token, method: "PUT", body: { disabled: true } });
    const answer = await server.call(CHAT, { token: secret, body: createChatRequest() });
    expect([answer.status, answer.text]).toEqual([401, expect.stringContaining("key_disabled")]);
  });
});

describe("a call to a model behind a trusted proxy", () => {
  let behindProxy: TestServer;
  beforeAll(async () => {
    behindProxy = await createTestServer({ env: { FEATHER_TRUSTED_PROXIES: "loopback" } });
  });
  afterAll(() => behindProxy.close());

  test.each([
    ["x-forwarded-for", "unknown"],
    ["x-forwarded-for", ", ,"],
    ["x-forwarded-for", "203.0.113.7:8080, [::1"],
    ["x-forwarded-proto", "gopher"],
    ["cookie", "%E0%A4%A; =; session=%"],
    ["x-api-key", " "],
    ["authorization", "Bearer"],
    ["content-length", "0"],
  ])("a call to a model with the header %s: %s is refused, and the server goes on", async (name, value) => {
    const headers = { "content-type": "application/json", [name]: value };
    const request = httpRequest(`${behindProxy.url}${CHAT}?%=%E0&a`, { method: "POST", headers });
    const answered = once(request, "response") as Promise<[IncomingMessage]>;
    request.end();
    const [answer] = await answered;
    expect([400, 401]).toContain(answer.statusCode);
    expect((await behindProxy.call("/api/health/live")).status).toBe(200);
  });
});
