import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createChatRequest, LARGE_MODEL, MODEL } from "../testing/chat.ts";
import { type Account, type Answer, createTestServer, type TestServer } from "../testing/server.ts";

/** Published by Fastify for each request that reaches one of its handlers. */
const HANDLED_BY_FASTIFY = "tracing:fastify.request.handler:start";
/** A header because of which a call is handled by Fastify, without any other effect. */
const FOR_FASTIFY = { cookie: "theme=dark" };

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
beforeEach(async () => {
  // The first call with a key reads it from the database, which only Fastify does.
  for (const token of [key, restrictedKey]) await server.call("/v1/chat/completions", { token, body: {} });
  handledByFastify = 0;
});
afterEach(() => server.removeUpstreams());
afterAll(async () => {
  unsubscribe(HANDLED_BY_FASTIFY, count);
  await server.close();
});

/** Returns the parts of a response that do not differ between two calls and do not concern the connection. */
function describeAnswer({ status, headers, text }: Answer) {
  const id = headers.get("request-id") ?? "";
  const others = [...headers].filter(
    ([name]) => !/^(date|request-id|x-request-id|content-length|connection|keep-alive)$/.test(name),
  );
  return {
    status,
    headers: Object.fromEntries(others.map(([name, value]) => [name, value.replaceAll(id, "ID")])),
    body: text.replaceAll(id, "ID").replaceAll(/"(created|created_at|completed_at)":\d+/g, '"created":0'),
  };
}

const CHAT = "/v1/chat/completions";
const MANY = { ...createChatRequest(), n: 128 };

describe("a call that needs no Fastify", () => {
  test.each<[string, string, unknown, { withRestrictedKey?: boolean }?]>([
    ["a chat", CHAT, createChatRequest({ temperature: 0.5 })],
    ["a chat below /api", `/api${CHAT}`, createChatRequest()],
    ["a chat with a field that backends do not know", CHAT, createChatRequest({ unknown_field: 1 })],
    ["a streamed chat", CHAT, createChatRequest({ stream: true, stream_options: { include_usage: true } })],
    ["a completion", "/v1/completions", { model: MODEL, prompt: "Hi" }],
    ["embeddings", "/v1/embeddings", { model: MODEL, input: "Hi" }],
    ["a response", "/v1/responses", { model: MODEL, input: "Hi" }],
    ["a message", "/v1/messages", { model: MODEL, max_tokens: 8, messages: [{ role: "user", content: "Hi" }] }],
    ["text that is no JSON", CHAT, "{"],
    ["null", CHAT, "null"],
    ["a list", CHAT, "[]"],
    ["a body that sets a prototype", CHAT, `{"model":"${MODEL}","messages":[],"__proto__":{"a":1}}`],
    ["a body without messages", CHAT, { model: MODEL }],
    ["a message without text, in Anthropic's format", "/v1/messages", { model: MODEL, messages: 3 }],
    ["a field of the wrong type", CHAT, createChatRequest({ temperature: "hot" })],
    ["a model that does not exist", CHAT, createChatRequest({ model: "no/model" })],
    ["a model that the key may not call", CHAT, createChatRequest(), { withRestrictedKey: true }],
    ["more answers than there are units", CHAT, MANY],
    [
      "a picture for a model that takes none",
      CHAT,
      createChatRequest({
        messages: [
          { role: "user", content: [{ type: "image_url", image_url: { url: "data:image/png;base64,AA==" } }] },
        ],
      }),
    ],
  ])(
    "a call that needs no Fastify gets the same answer for %s",
    async (_what, path, body, { withRestrictedKey = false } = {}) => {
      await server.addUpstream();
      const token = withRestrictedKey ? restrictedKey : key;
      const direct = await server.call(path, { token, body });
      expect(handledByFastify).toBe(0);
      const byFastify = await server.call(path, { token, body, headers: FOR_FASTIFY });
      expect(describeAnswer(direct)).toEqual(describeAnswer(byFastify));
    },
  );

  test("a call that needs no Fastify gets the same error when the backend fails", async () => {
    await server.addUpstream({ fault: { kind: "refuse", status: 500 } });
    const direct = await server.call(CHAT, { token: key, body: createChatRequest() });
    const byFastify = await server.call(CHAT, { token: key, body: createChatRequest(), headers: FOR_FASTIFY });
    expect([direct.status, describeAnswer(direct)]).toEqual([502, describeAnswer(byFastify)]);
  });

  test("a call that needs no Fastify leaves a usage row with the id of the request", async () => {
    await server.addUpstream();
    const { headers } = await server.call(CHAT, { token: key, body: createChatRequest() });
    expect(handledByFastify).toBe(0);
    expect(await server.usageRow(headers.get("request-id"))).toMatchObject({ outcome: "completed", status: 200 });
  });

  test("a call that needs no Fastify is written to the audit log when the key may not call the model", async () => {
    await server.call(CHAT, { token: restrictedKey, body: createChatRequest() });
    await server.api.audit.denialLog.settled();
    const rows = await server.db.selectFrom("audit_log").selectAll().where("action", "=", "access.denied").execute();
    expect(JSON.stringify(rows)).toContain("key_scope_denied");
  });
});

describe("a call that needs Fastify", () => {
  test.each<[string, { headers?: Record<string, string>; token?: () => string; path?: string }]>([
    ["with a session", { token: () => caller.token }],
    ["with two credentials", { headers: { "x-api-key": "rc_other" } }],
    ["from a page of another site", { headers: { origin: "https://example.com" } }],
    ["that waits for units", { headers: { "x-queue-timeout": "1" } }],
    ["with a query", { path: `${CHAT}?a=1` }],
    ["with a key that is not known", { token: () => `rc_${"a".repeat(49)}` }],
    ["as text", { headers: { "content-type": "text/plain" } }],
  ])("a call that needs Fastify is one %s", async (_what, { headers = {}, token = () => key, path = CHAT }) => {
    await server.addUpstream();
    const requests = [
      { token: token(), headers },
      { token: token(), headers: { ...headers, ...FOR_FASTIFY } },
    ];
    const answers = [];
    for (const options of requests)
      answers.push(describeAnswer(await server.call(path, { ...options, body: createChatRequest() })));
    expect(answers[0]).toEqual(answers[1]);
  });

  test("a call that needs Fastify is one with a key that has just been switched off", async () => {
    const { id, secret } = await server.createKey(caller);
    await server.call(CHAT, { token: secret, body: {} });
    await server.call(`/api/api-keys/${id}`, { token: caller.token, method: "PUT", body: { disabled: true } });
    const answer = await server.call(CHAT, { token: secret, body: createChatRequest() });
    expect([answer.status, answer.text]).toEqual([401, expect.stringContaining("key_disabled")]);
  });
});
