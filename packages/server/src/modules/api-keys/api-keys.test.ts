import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type Account, createTestServer, type TestServer } from "../../testing/server.ts";

const clock = { at: Date.parse("2026-03-01T12:00:00Z"), now: () => new Date(clock.at) };
let server: TestServer;
let owner: Account;

beforeAll(async () => {
  server = await createTestServer({ clock });
  await server.addUpstream({}, ["feather/demo", "Qwen/Qwen3-4B"]);
});
beforeEach(async () => {
  owner = await server.signUpOnPlan({});
});
afterAll(() => server.close());

const codeOf = (body: unknown) => {
  const { data, error } = body as { data?: string; error?: { code: string } };
  return error?.code ?? (JSON.parse(data ?? "{}") as { code?: string }).code;
};
const chat = (token: string, model = "feather/demo") =>
  server.call("/v1/chat/completions", { token, body: { model, messages: [{ role: "user", content: "Hi" }] } });
const change = (id: string, body: object) =>
  server.call(`/api/api-keys/${id}`, { method: "PUT", token: owner.token, body });

describe("a new key", () => {
  it("is shown once and works at once", async () => {
    const { id, secret } = await server.createKey(owner, { name: "  production " });
    expect((await chat(secret)).status).toBe(200);
    const list = await server.call("/api/api-keys", { token: owner.token });
    const one = await server.call(`/api/api-keys/${id}`, { token: owner.token });
    expect(one.body).toMatchObject({
      id,
      name: "production",
      scopes: ["api.access"],
      last4: secret.slice(-4),
      disabled: false,
    });
    expect(one.body).not.toHaveProperty("secret");
    expect(list.text + one.text).not.toContain(secret.slice(7, -4));
  });

  it("works even if its secret was tried before it existed", async () => {
    const { secret } = await server.createKey(owner);
    const [row] = await server.db.selectFrom("api_keys").selectAll().where("last4", "=", secret.slice(-4)).execute();
    expect(row?.secret_hash.toString("hex")).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.stringify(row)).not.toContain(secret.slice(7, -4));
  });

  it("may do only what its scopes say", async () => {
    const { secret } = await server.createKey(owner);
    const refused = await server.call("/api/api-keys", { token: secret });
    expect(refused.status).toBe(403);
    expect(codeOf(refused.body)).toBe("key_scope_denied");
    const reader = await server.createKey(owner, { scopes: ["user.read"] });
    expect((await server.call("/api/api-keys", { token: reader.secret })).status).toBe(200);
    expect((await chat(reader.secret)).status).toBe(403);
  });

  it("cannot have scopes that its maker lacks", async () => {
    expect(
      (await server.call("/api/api-keys", { token: owner.token, body: { name: "x", scopes: ["admin"] } })).status,
    ).toBe(403);
    const writer = await server.createKey(owner, { scopes: ["user.write"] });
    const wider = await server.call("/api/api-keys", {
      token: writer.secret,
      body: { name: "x", scopes: ["api.access"] },
    });
    expect(wider.status).toBe(403);
    const unnamed = await server.call("/api/api-keys", { token: writer.secret, body: { name: "x" } });
    expect(unnamed.status).toBe(403);
  });

  it.each([
    ["no name", {}],
    ["a blank name", { name: "   " }],
    ["a long name", { name: "x".repeat(65) }],
    ["an unknown scope", { name: "x", scopes: ["root"] }],
    ["no scopes at all", { name: "x", scopes: [] }],
    ["a network that is none", { name: "x", ip_allowlist: ["localhost"] }],
    ["units below one", { name: "x", max_concurrency: 0 }],
    ["a date that is none", { name: "x", expires_at: "tomorrow" }],
    ["a field of the server", { name: "x", organization_id: "org_1" }],
    ["NUL in its name", { name: "x\0y" }],
  ])("with %s is refused", async (_what, body) => {
    expect((await server.call("/api/api-keys", { token: owner.token, body })).status).toBe(400);
  });
});

describe("a change holds at once:", () => {
  it("a new name", async () => {
    const { id } = await server.createKey(owner);
    expect((await change(id, { name: "renamed" })).body).toMatchObject({ id, name: "renamed" });
    expect((await server.call(`/api/api-keys/${id}`, { token: owner.token })).body).toMatchObject({ name: "renamed" });
  });

  it("switching off and on again", async () => {
    const { id, secret } = await server.createKey(owner);
    expect((await chat(secret)).status).toBe(200);
    await change(id, { disabled: true });
    const refused = await chat(secret);
    expect([refused.status, codeOf(refused.body)]).toEqual([401, "key_disabled"]);
    await change(id, { disabled: false });
    expect((await chat(secret)).status).toBe(200);
  });

  it("switching off while the key is being looked up", async () => {
    const { id, secret } = await server.createKey(owner);
    const { findBySecret } = server.deps.keys;
    const looked = Promise.withResolvers<void>();
    const changed = Promise.withResolvers<void>();
    const spy = vi.spyOn(server.deps.keys, "findBySecret").mockImplementationOnce(async (hash) => {
      const row = await findBySecret(hash);
      looked.resolve();
      await changed.promise;
      return row;
    });
    const early = chat(secret);
    await looked.promise;
    await change(id, { disabled: true });
    changed.resolve();
    await early;
    expect((await chat(secret)).status).toBe(401);
    spy.mockRestore();
  });

  it("the expiry date", async () => {
    const { secret } = await server.createKey(owner, { expires_at: new Date(clock.at + 60_000).toISOString() });
    expect((await chat(secret)).status).toBe(200);
    clock.at += 60_000;
    const refused = await chat(secret);
    expect([refused.status, codeOf(refused.body)]).toEqual([401, "key_expired"]);
  });

  it("deletion", async () => {
    const { id, secret } = await server.createKey(owner);
    expect((await chat(secret)).status).toBe(200);
    expect((await server.call(`/api/api-keys/${id}`, { method: "DELETE", token: owner.token })).status).toBe(204);
    expect((await chat(secret)).status).toBe(401);
    expect((await server.call(`/api/api-keys/${id}`, { token: owner.token })).status).toBe(404);
    expect((await server.call(`/api/api-keys/${id}`, { method: "DELETE", token: owner.token })).status).toBe(404);
  });

  it("the suspension of its maker", async () => {
    const { secret } = await server.createKey(owner);
    await server.db.updateTable("users").set({ suspended_at: clock.now() }).where("id", "=", owner.userId).execute();
    expect((await chat(secret)).status).toBe(401);
  });
});

describe("the limit of the plan", () => {
  it("holds when twenty keys are made at once", async () => {
    const limited = await server.signUpOnPlan({ api_keys_max: 3 });
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => server.call("/api/api-keys", { token: limited.token, body: { name: "x" } })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, ...Array<number>(17).fill(409)]);
    const refused = answers.find(({ status }) => status === 409);
    expect(codeOf(refused?.body)).toBe("api_keys.limit_reached");
  });

  it("does not count deleted keys", async () => {
    const limited = await server.signUpOnPlan({ api_keys_max: 1 });
    const { id } = await server.createKey(limited);
    await server.call(`/api/api-keys/${id}`, { method: "DELETE", token: limited.token });
    await expect(server.createKey(limited)).resolves.toHaveProperty("secret");
  });
});

describe("a key of another organization", () => {
  it.each([
    ["read", "GET", undefined],
    ["changed", "PUT", { name: "stolen" }],
    ["changed with an empty body", "PUT", {}],
    ["deleted", "DELETE", undefined],
  ])("cannot be %s, and answers exactly like one that does not exist", async (_what, method, body) => {
    const stranger = await server.signUp();
    const { id } = await server.createKey(owner);
    const theirs = await server.call(`/api/api-keys/${id}`, { method, body, token: stranger.token });
    const missing = await server.call("/api/api-keys/key_missing", { method, body, token: stranger.token });
    expect(theirs.status).toBe(404);
    expect(theirs.text).toBe(missing.text);
    expect((await server.call(`/api/api-keys/${id}`, { token: owner.token })).body).toMatchObject({ name: "test" });
  });

  it("is not listed", async () => {
    await server.createKey(owner);
    const stranger = await server.signUp();
    expect((await server.call("/api/api-keys", { token: stranger.token })).body).toMatchObject({
      items: [],
      pagination: { total_items: 0 },
    });
  });
});

describe("allow-lists", () => {
  it("hold a key to its models, in any letter case", async () => {
    const { secret } = await server.createKey(owner, { allowed_models: ["FEATHER/Demo"] });
    expect((await chat(secret, "feather/demo")).status).toBe(200);
    const refused = await chat(secret, "Qwen/Qwen3-4B");
    expect([refused.status, codeOf(refused.body)]).toEqual([403, "key_scope_denied"]);
  });

  it("hold a key to its networks, on every call", async () => {
    const elsewhere = await server.createKey(owner, {
      ip_allowlist: ["203.0.113.0/24"],
      scopes: ["api.access", "user.read", "user.write"],
    });
    const refused = await chat(elsewhere.secret);
    expect([refused.status, codeOf(refused.body)]).toEqual([403, "ip_not_allowed"]);
    expect((await server.call("/api/api-keys", { token: elsewhere.secret })).status).toBe(403);
    expect((await server.call("/v1/models/feather/demo", { token: elsewhere.secret })).status).toBe(403);
    const here = await server.createKey(owner, { ip_allowlist: ["203.0.113.0/24", "127.0.0.0/8"] });
    expect((await chat(here.secret)).status).toBe(200);
  });

  it("hold a key to its share of the units", async () => {
    const { secret } = await server.createKey(owner, { max_concurrency: 1 });
    const slow = await server.addUpstream({ thinkMs: 200 }, ["Qwen/Qwen3-8B"]);
    const answers = await Promise.all([1, 2, 3].map(() => chat(secret, "Qwen/Qwen3-8B")));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 429, 429]);
    expect(slow.peak()).toBe(1);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.body).toMatchObject({ error: { details: { limit: 1, used: 1, cost: 1, over_by: 1 } } });
  });
});

describe("what is no key", () => {
  it.each([
    ["an SQL fragment", "'OR/**/1=1--"],
    ["a key with a wrong checksum", `rc_${"A".repeat(49)}`],
    ["a session of nobody", `ses_${"A".repeat(49)}`],
    ["a megabyte in part", "A".repeat(12_000)],
    ["another alphabet", "rc_%00%27"],
  ])("is refused with 401: %s", async (_what, token) => {
    const answer = await server.call("/v1/plan", { token });
    expect([answer.status, answer.headers.get("www-authenticate")]).toEqual([401, expect.stringContaining("Bearer")]);
  });

  it("is refused even when it is larger than any header may be", async () => {
    const answer = await server.call("/v1/plan", { headers: { "x-api-key": "A".repeat(1_000_000) } }).catch(() => null);
    expect([431, undefined]).toContain(answer?.status);
  });

  it("is refused with 400 in the address", async () => {
    const { secret } = await server.createKey(owner);
    expect((await server.call(`/v1/models?api_key=${secret}`)).status).toBe(400);
    expect((await server.call("/v1/plan", { token: secret, headers: { "x-api-key": owner.token } })).status).toBe(400);
  });
});
