import { createTestClock } from "@feather/testing/clock";
import { startHttpServer } from "@feather/testing/http-server";
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { OwnKeyMode } from "../../gateway/index.ts";
import { MODEL } from "../../testing/chat.ts";
import { type Account, createTestServer, PASSWORD, type TestServer } from "../../testing/server.ts";

const PATH = "/api/organization/provider-keys";
const SECRET = "sk-or-secret-of-the-organization-1234";
const clock = createTestClock("2026-05-01T12:00:00Z");
let server: TestServer;
let owner: Account;

beforeAll(async () => {
  server = await createTestServer({ clock });
  owner = await server.signUp();
  addBackend("openrouter");
});
afterEach(() => server.db.deleteFrom("provider_keys").execute());
afterAll(() => server.close());

function addBackend(provider: string, ownKeys: OwnKeyMode = "allowed", baseUrl = "http://127.0.0.1:9/v1"): void {
  server.api.backends.registry.set({
    ...{ name: provider, source: "settings", baseUrl, provider, ownKeys, weight: 1 },
    models: new Map([[MODEL, "its-name"]]),
  });
}

const list = async (account = owner) => (await server.call(PATH, { token: account.token })).body;
const set = (provider: string, body: object, token = owner.token) =>
  server.call(`${PATH}/${provider}`, { method: "PUT", token, body });
const remove = (provider: string, token = owner.token) =>
  server.call(`${PATH}/${provider}`, { method: "DELETE", token });
const tryKey = (provider: string, token = owner.token) =>
  server.call(`${PATH}/${provider}/test`, { method: "POST", token });
const codeOf = ({ body }: { body: unknown }) => (JSON.parse((body as { data: string }).data) as { code: string }).code;

describe("the keys of an organization for providers", () => {
  test("are set, replaced and removed without showing their text", async () => {
    const stored = {
      ...{ provider: "openrouter", name: "OpenRouter", label: "Team account", last_characters: "1234" },
      ...{ is_allowed: true, created_at: clock.now().toISOString(), refusal: null, refused_at: null },
    };
    const made = await set("openrouter", { key: SECRET, label: " Team account " });
    expect([made.status, made.body]).toMatchObject([200, stored]);
    expect(await list()).toMatchObject({ items: [stored], fee_percent: 0 });
    await server.db.updateTable("provider_keys").set({ refusal: "No.", refused_at: clock.now() }).execute();
    const replaced = await set("openrouter", { key: "sk-or-another-one-5678" });
    expect(replaced.body).toMatchObject({ label: null, last_characters: "5678", refusal: null, refused_at: null });
    expect((await remove("openrouter")).status).toBe(204);
    expect(await list()).toMatchObject({ items: [] });
    const { body } = await server.call("/api/organization/audit", { token: owner.token });
    const actions = (body as { items: { action: string }[] }).items.map(({ action }) => action);
    expect(actions.slice(0, 3)).toEqual(["provider_keys.delete", "provider_keys.set", "provider_keys.set"]);
    expect(`${made.text}${replaced.text}${JSON.stringify(body)}`).not.toContain(SECRET);
  });

  test("are stored encrypted", async () => {
    await set("openrouter", { key: SECRET });
    const row = await server.db.selectFrom("provider_keys").selectAll().executeTakeFirstOrThrow();
    expect(row.sealed_key.toString("latin1")).not.toContain(SECRET);
  });

  test("are listed with the providers that take them, and say what a call costs", async () => {
    addBackend("groq", "required");
    addBackend("together", "off");
    onTestFinished(() => {
      for (const name of ["groq", "together"]) server.api.backends.registry.remove(name);
    });
    expect(await list()).toMatchObject({
      providers: [
        { id: "groq", name: "Groq", is_required: true, key_url: expect.stringMatching(/^https:/) },
        { id: "openrouter", name: "OpenRouter", is_required: false, key_prefix: "sk-or-" },
      ],
    });
  });

  test.each(["together", "nobody"])("are refused for %s, of which no backend takes them", async (provider) => {
    const refused = await set(provider, { key: SECRET });
    expect([refused.status, codeOf(refused)]).toEqual([409, "provider_keys.not_allowed"]);
    expect(refused.text).toContain("It uses those for OpenRouter.");
  });

  test("stay when their provider takes them no longer, and can be removed", async () => {
    await set("openrouter", { key: SECRET });
    addBackend("openrouter", "off");
    onTestFinished(() => addBackend("openrouter"));
    expect(await list()).toMatchObject({ items: [{ provider: "openrouter", is_allowed: false }], providers: [] });
    expect(codeOf(await tryKey("openrouter"))).toBe("provider_keys.not_allowed");
    expect((await remove("openrouter")).status).toBe(204);
  });

  test.each([
    [{}],
    [{ key: "" }],
    [{ key: "with space" }],
    [{ key: "k".repeat(4001) }],
    [{ key: SECRET, label: " " }],
    [{ key: SECRET, label: "l".repeat(65) }],
  ])("are refused where the request is not valid: %#", async (body) => {
    expect((await set("openrouter", body)).status).toBe(400);
  });

  test("are for admins of the organization only", async () => {
    await set("openrouter", { key: SECRET });
    const member = await server.signUp();
    await server.db
      .insertInto("memberships")
      .values({ organization_id: owner.organizationId, user_id: member.userId, role: "editor" })
      .execute();
    const switched = { method: "POST", token: member.token, body: { organization_id: owner.organizationId } };
    expect((await server.call("/api/organization/switch", switched)).status).toBe(200);
    const answers = [
      await server.call(PATH, { token: member.token }),
      await set("openrouter", { key: "sk-or-mine" }, member.token),
      await remove("openrouter", member.token),
      await tryKey("openrouter", member.token),
    ];
    for (const answer of answers)
      expect([answer.status, codeOf(answer)]).toEqual([403, "organization_permission_denied"]);
  });

  test("are neither seen nor changed by another organization", async () => {
    await set("openrouter", { key: SECRET });
    const other = await server.signUp();
    expect(await list(other)).toMatchObject({ items: [] });
    expect(codeOf(await remove("openrouter", other.token))).toBe("provider_keys.not_found");
    expect(codeOf(await tryKey("openrouter", other.token))).toBe("provider_keys.not_found");
    await set("openrouter", { key: "sk-or-of-the-other-9999" }, other.token);
    expect(await list()).toMatchObject({ items: [{ last_characters: "1234" }] });
  });

  test("cannot be set with an API key that has limits", async () => {
    const { secret } = await server.createKey(owner, { scopes: ["keys.write"], allowed_models: [MODEL] });
    expect(codeOf(await set("openrouter", { key: SECRET }, secret))).toBe("api_keys.limited");
  });

  test("end with the organization", async () => {
    const leaving = await server.signUp();
    await set("openrouter", { key: SECRET }, leaving.token);
    const gone = await server.call("/api/account", {
      method: "DELETE",
      token: leaving.token,
      body: { password: PASSWORD },
    });
    expect(gone.status, gone.text).toBeLessThan(300);
    expect(await server.db.selectFrom("provider_keys").select("id").execute()).toEqual([]);
  });
});

describe("the test of an organization's key", () => {
  /** Starts a provider that accepts one key, and lets the backend of OpenRouter be there. */
  async function startProvider(accepted: string) {
    const provider = await startHttpServer(({ method, headers }, response) => {
      if (headers.authorization !== `Bearer ${accepted}`)
        return response.writeHead(401).end(JSON.stringify({ error: { message: `no ${headers.authorization}` } }));
      const answer = { choices: [{ index: 0, message: { role: "assistant", content: "Hi" }, finish_reason: "stop" }] };
      const body = method === "GET" ? { object: "list", data: [{ id: "its-name" }] } : answer;
      return response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
    addBackend("openrouter", "allowed", `${provider.url}/v1`);
    onTestFinished(async () => {
      addBackend("openrouter");
      await provider.close();
    });
    return provider;
  }

  test("calls a model with the key, and clears its refusal", async () => {
    const provider = await startProvider(SECRET);
    await set("openrouter", { key: SECRET });
    await server.db.updateTable("provider_keys").set({ refusal: "No.", refused_at: clock.now() }).execute();
    expect((await tryKey("openrouter")).body).toMatchObject({ ok: true, error: null, call: { model: "its-name" } });
    expect(provider.requests.map(({ method }) => method)).toEqual(["GET", "POST"]);
    expect(await list()).toMatchObject({ items: [{ refusal: null, refused_at: null }] });
  });

  test("says in words that the provider refuses it, and notes that on the key", async () => {
    await startProvider("another");
    await set("openrouter", { key: SECRET });
    const tested = await tryKey("openrouter");
    expect(tested.body).toMatchObject({ ok: false, problem: "key", advice: expect.stringContaining("new key") });
    expect(tested.text).not.toContain(SECRET);
    const refusal = expect.stringContaining("It does not accept the key (status 401).");
    expect(await list()).toMatchObject({ items: [{ refusal, refused_at: clock.now().toISOString() }] });
  });
});
