import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createChatRequest, errorOf } from "../testing/chat.ts";
import { type Account, createTestServer, type TestServer } from "../testing/server.ts";

const MODEL = "feather/demo";
const OTHER = "feather/guide";

let server: TestServer;
let owner: Account;
beforeAll(async () => {
  server = await createTestServer();
  owner = await server.signUp();
});
afterAll(() => server.close());
beforeEach(() => {
  for (const { name } of server.api.backends.registry.list()) server.api.backends.registry.remove(name);
});

const decide = (callsElsewhere: boolean | null, token = owner.token) =>
  server.call("/api/organization", { method: "PUT", token, body: { calls_elsewhere: callsElsewhere } });
const chat = (model = MODEL, token = owner.token) =>
  server.call("/v1/chat/completions", { token, body: createChatRequest({ model }) });
const addBackend = (hosted: "here" | "elsewhere", models = [MODEL]) => server.addUpstream({}, models, 1, { hosted });

describe("an organization that keeps its calls here", () => {
  test("its calls go to backends here alone, even if others would be asked first", async () => {
    await decide(false);
    const [elsewhere, here] = [await addBackend("elsewhere"), await addBackend("here")];
    const before = elsewhere.recordedRequests.length;
    for (let calls = 0; calls < 4; calls++) expect((await chat()).status).toBe(200);
    expect(elsewhere.recordedRequests.slice(before)).toEqual([]);
    expect(here.recordedRequests.filter(({ path }) => path.endsWith("/chat/completions"))).toHaveLength(4);
  });

  test("a call to a model that only answers elsewhere is refused, and the error says what an admin can do", async () => {
    await decide(false);
    await addBackend("elsewhere");
    const { status, body, headers } = await chat();
    expect([status, headers.get("x-should-retry")]).toEqual([403, "false"]);
    expect(body).toMatchObject({
      error: {
        code: "model_only_elsewhere",
        param: "model",
        message: expect.stringContaining("Allow it under Organization > Where calls may go"),
      },
    });
  });

  test("the error says to members without that right whom to ask", async () => {
    await decide(false);
    await addBackend("elsewhere");
    const key = await server.createKey(owner);
    await server.db.updateTable("memberships").set({ role: "developer" }).where("user_id", "=", owner.userId).execute();
    server.api.identity.invalidateApiKeys();
    expect((await chat(MODEL, key.secret)).text).toContain("ask an admin of your organization");
    await server.db.updateTable("memberships").set({ role: "admin" }).where("user_id", "=", owner.userId).execute();
  });

  test("its texts are not sent elsewhere to be split into tokens either", async () => {
    await decide(false);
    const elsewhere = await addBackend("elsewhere");
    const before = elsewhere.recordedRequests.length;
    const { status } = await server.call("/v1/tokenize", {
      token: owner.token,
      body: { model: MODEL, text: "secret" },
    });
    expect([status, elsewhere.recordedRequests.slice(before)]).toEqual([403, []]);
  });

  test("preflight says so too while the backend elsewhere does not answer", async () => {
    await decide(false);
    await addBackend("elsewhere");
    for (const { name } of server.api.backends.registry.candidates(MODEL))
      server.api.backends.registry.recordReachability(name, false);
    const { body } = await server.call("/v1/preflight", { token: owner.token, body: { model: MODEL } });
    expect(body).toMatchObject({ admitted: false, refusal: { code: "model_only_elsewhere" } });
    expect(errorOf((await chat()).body)).toMatchObject({ code: "model_only_elsewhere" });
  });

  test("preflight and the catalogue say that the model cannot be called", async () => {
    await decide(false);
    await addBackend("elsewhere");
    await addBackend("here", [OTHER]);
    const preflight = await server.call("/v1/preflight", { token: owner.token, body: { model: MODEL } });
    expect(preflight.body).toMatchObject({ admitted: false, refusal: { code: "model_only_elsewhere" } });
    const { body } = await server.call(`/api/feather/models/${MODEL}`, { token: owner.token });
    expect(body).toMatchObject({ access: { callable: false, reasons: ["only_elsewhere"] } });
    const list = await server.call("/api/feather/models?callable=true", { token: owner.token });
    expect((list.body as { items: { id: string }[] }).items.map(({ id }) => id)).toEqual([OTHER]);
  });

  test("calls may leave the server again once an admin allows it, or leaves it to the operator", async () => {
    await addBackend("elsewhere");
    for (const decision of [true, null]) {
      await decide(false);
      expect((await chat()).status).toBe(403);
      expect((await decide(decision)).body).toMatchObject({ calls_elsewhere: true });
      expect((await chat()).status).toBe(200);
    }
  });

  test("the decision is in the audit log, and other organizations are not affected", async () => {
    await decide(false);
    await addBackend("elsewhere");
    const other = await server.signUp();
    expect((await chat(MODEL, other.token)).status).toBe(200);
    const { body } = await server.call("/api/organization/audit", { token: owner.token });
    expect((body as { items: object[] }).items[0]).toMatchObject({
      action: "organization.calls_elsewhere",
      details: { calls_elsewhere: false },
    });
  });
});

test("an operator keeps the calls of all organizations here that have decided nothing else", async () => {
  const strict = await createTestServer({ env: { FEATHER_CALLS_ELSEWHERE: "off" } });
  const member = await strict.signUp();
  await strict.addUpstream({}, [MODEL], 1, { hosted: "elsewhere" });
  const ask = () =>
    strict.call("/v1/chat/completions", { token: member.token, body: createChatRequest({ model: MODEL }) });
  expect((await ask()).status).toBe(403);
  const body = { calls_elsewhere: true };
  await strict.call("/api/organization", { method: "PUT", token: member.token, body });
  expect((await ask()).status).toBe(200);
  await strict.close();
});
