import type { UpstreamFault } from "@feather/testing/fake-upstream";
import { waitFor } from "@feather/testing/wait-for";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createChatRequest, errorOf, LARGE_MODEL, MODEL } from "../testing/chat.ts";
import { type Account, createTestServer, type TestServer } from "../testing/server.ts";

const OTHER = "Qwen/Qwen3-0.6B";
const BROKEN: UpstreamFault = { kind: "refuse", status: 500 };

let server: TestServer;
let admin: Account;
let open: Account;

beforeAll(async () => {
  server = await createTestServer();
  admin = await server.signInAdmin();
  open = await server.signUpOnPlan({});
});
beforeEach(() => setAlias("fast", [MODEL, OTHER]));
afterEach(async () => {
  await server.removeUpstreams();
  await waitFor(() => expect(server.api.gateway.units.totalInUse()).toBe(0));
});
afterAll(() => server.close());

const aliasPath = (name: string) => `/api/admin/routing/aliases/${encodeURIComponent(name)}`;
async function setAlias(name: string, models: string[]) {
  const answer = await server.call(aliasPath(name), { method: "PUT", token: admin.token, body: { models } });
  expect(answer.status, answer.text).toBe(200);
}
const removeAlias = (name: string) => server.call(aliasPath(name), { method: "DELETE", token: admin.token });
const chat = (more: object = {}, token = open.token) =>
  server.call("/v1/chat/completions", { token, body: createChatRequest({ model: "fast", ...more }) });
const modelOf = ({ body }: { body: unknown }) => (body as { model: string }).model;
const passedOver = ({ headers }: { headers: Headers }) => headers.get("x-models-passed-over");
async function receiptOf({ headers }: { headers: Headers }) {
  await server.api.gateway.usageWriter.flush();
  const { body } = await server.call(`/api/usage/requests/${headers.get("request-id")}`, { token: open.token });
  return body;
}

describe("a call of an alias", () => {
  test("is answered by its first model, which the answer names, and its receipt names the alias", async () => {
    const upstream = await server.addUpstream({}, [MODEL, OTHER]);
    const answer = await chat();
    expect([answer.status, modelOf(answer), passedOver(answer)]).toEqual([200, MODEL, null]);
    expect(upstream.recordedRequests[0]?.body).toMatchObject({ model: `up:${MODEL}` });
    expect(await receiptOf(answer)).toMatchObject({ model: MODEL, alias: "fast", passed_over: [] });
    const direct = await chat({ model: MODEL });
    expect(await receiptOf(direct)).toMatchObject({ model: MODEL, alias: null });
  });

  test("is answered by the next model when the first one fails", async () => {
    await server.addUpstream({ fault: BROKEN }, [MODEL]);
    await server.addUpstream({}, [OTHER]);
    const answer = await chat();
    expect([modelOf(answer), passedOver(answer)]).toEqual([OTHER, `${MODEL}=upstream_error`]);
    expect(await receiptOf(answer)).toMatchObject({
      model: OTHER,
      alias: "fast",
      passed_over: [{ model: MODEL, reason: "upstream_error" }],
    });
  });

  test("is the same call in any letter case, and with a slash in the name", async () => {
    await server.addUpstream({}, [MODEL]);
    await setAlias("company/default", [MODEL]);
    expect(modelOf(await chat({ model: "FAST" }))).toBe(MODEL);
    expect(modelOf(await chat({ model: "Company/Default" }))).toBe(MODEL);
  });

  test.each([
    ["/v1/completions", { prompt: "Hello" }],
    ["/v1/responses", { input: "Hello" }],
    ["/v1/messages", { max_tokens: 5, messages: [{ role: "user", content: "Hello" }] }],
    ["/v1/chat/completions", { messages: [{ role: "user", content: "Hello" }], stream: true }],
  ])("is answered at %s", async (path, body) => {
    await server.addUpstream({ fault: BROKEN }, [MODEL]);
    await server.addUpstream({}, [OTHER]);
    const answer = await server.call(path, { token: open.token, body: { model: "fast", ...body } });
    expect([answer.status, passedOver(answer)]).toEqual([200, `${MODEL}=upstream_error`]);
    expect(answer.text).toContain(OTHER);
  });

  test("may stand among the models of a call, before and after models", async () => {
    await server.addUpstream({}, [OTHER]);
    const answer = await chat({ model: LARGE_MODEL, models: ["fast", MODEL] });
    expect(modelOf(answer)).toBe(OTHER);
    expect(passedOver(answer)).toBe(`${LARGE_MODEL}=capacity_exhausted, ${MODEL}=capacity_exhausted`);
  });

  test("keeps the caller's preferences of places", async () => {
    await server.addUpstream({}, [MODEL]);
    expect(errorOf((await chat({ provider: { only: ["groq"] } })).body).code).toBe("capacity_exhausted");
    expect((await chat({ provider: { only: ["server"] } })).status).toBe(200);
  });
});

describe("a call of an alias passes over", () => {
  test("a first model that the caller's key may not call", async () => {
    await server.addUpstream({}, [MODEL, OTHER]);
    const key = await server.createKey(open, { allowed_models: [OTHER] });
    const answer = await chat({}, key.secret);
    expect([modelOf(answer), passedOver(answer)]).toEqual([OTHER, `${MODEL}=key_scope_denied`]);
  });

  test("a model that the catalogue does not have", async () => {
    await server.addUpstream({}, [MODEL]);
    await setAlias("fast", ["acme/deleted", MODEL]);
    const answer = await chat();
    expect([modelOf(answer), passedOver(answer)]).toEqual([MODEL, "acme/deleted=model_not_found"]);
  });

  test("all models, and gets the error of the first one, when the key may call none or none exists", async () => {
    await server.addUpstream({}, [MODEL, OTHER]);
    const key = await server.createKey(open, { allowed_models: [LARGE_MODEL] });
    expect(errorOf((await chat({}, key.secret)).body)).toMatchObject({
      code: "key_scope_denied",
      message: expect.stringContaining(MODEL),
    });
    await setAlias("fast", ["acme/deleted", "acme/gone"]);
    const answer = await chat();
    expect([answer.status, errorOf(answer.body).message]).toEqual([404, expect.stringContaining("acme/deleted")]);
  });
});

describe("vectors of an alias", () => {
  const embed = (input = "Hello") =>
    server.call("/v1/embeddings", { token: open.token, body: { model: "fast", input } });

  test("are those of its only model", async () => {
    await server.addUpstream({}, [MODEL]);
    await setAlias("fast", [MODEL]);
    const answer = await embed();
    expect([answer.status, modelOf(answer)]).toEqual([200, MODEL]);
    expect(await receiptOf(answer)).toMatchObject({ alias: "fast", kind: "embedding" });
  });

  test("are refused if it has several models, whose vectors cannot be compared", async () => {
    await server.addUpstream({}, [MODEL, OTHER]);
    const answer = await embed();
    expect([answer.status, errorOf(answer.body).code]).toEqual([400, "invalid_request"]);
    expect(errorOf(answer.body).message).toContain(`${MODEL}, ${OTHER}`);
  });
});

test("a preflight of an alias reports on the first of its models that would be admitted, otherwise on the first", async () => {
  await server.addUpstream({}, [OTHER]);
  const preflight = async (model: string) =>
    (await server.call("/v1/preflight", { token: open.token, body: { model } })).body;
  expect(await preflight("fast")).toMatchObject({ admitted: true, model: OTHER });
  await setAlias("fast", ["acme/deleted", MODEL, LARGE_MODEL]);
  expect(await preflight("fast")).toMatchObject({ admitted: false, model: MODEL });
});

test("tokens of an alias are those of the first of its models that the caller may call", async () => {
  await server.addUpstream({}, [MODEL, OTHER]);
  const key = await server.createKey(open, { allowed_models: [OTHER] });
  const count = (token: string) =>
    server.call("/v1/messages/count_tokens", {
      token,
      body: { model: "fast", messages: [{ role: "user", content: "Hello" }] },
    });
  expect((await count(key.secret)).status).toBe(200);
  const denied = await server.createKey(open, { allowed_models: [LARGE_MODEL] });
  expect(errorOf((await count(denied.secret)).body)).toMatchObject({ type: "permission_error" });
});

test("a model wins over an alias of the same name", async () => {
  await server.addUpstream({}, [OTHER]);
  await setAlias("acme/later", [OTHER]);
  expect(modelOf(await chat({ model: "acme/later" }))).toBe(OTHER);
  await server.addUpstream({}, ["acme/later"]);
  await server.api.catalogue.ensureModels([{ id: "acme/later", contextLength: null, parameterSize: null }]);
  expect(modelOf(await chat({ model: "acme/later" }))).toBe("acme/later");
  await removeAlias("acme/later");
});

test("a call of an alias that was removed is a call of an unknown model", async () => {
  await server.addUpstream({}, [MODEL]);
  await removeAlias("fast");
  const answer = await chat();
  expect([answer.status, errorOf(answer.body).code]).toEqual([404, "model_not_found"]);
});
