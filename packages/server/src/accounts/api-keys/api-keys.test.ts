import { createTestClock } from "@feather/testing/clock";
import { errorCode } from "@feather/testing/errors";
import { waitFor, waitForResolved } from "@feather/testing/wait-for";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { createSecret } from "../../platform/core/secrets/secrets.ts";
import { type Account, type Answer, createTestServer, type TestServer } from "../../testing/server.ts";

const clock = createTestClock();
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

const chat = (token: string, model = "feather/demo") =>
  server.call("/v1/chat/completions", { token, body: { model, messages: [{ role: "user", content: "Hi" }] } });
const change = (id: string, body: object) =>
  server.call(`/api/api-keys/${id}`, { method: "PUT", token: owner.token, body });

describe("a new API key", () => {
  test("a new API key is shown once and is valid at once", async () => {
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

  test("a new API key is valid even if its secret was tried before it existed", async () => {
    const { secret } = await server.createKey(owner);
    const [row] = await server.db.selectFrom("api_keys").selectAll().where("last4", "=", secret.slice(-4)).execute();
    expect(row?.secret_hash.toString("hex")).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.stringify(row)).not.toContain(secret.slice(7, -4));
  });

  test("a new API key is limited to its scopes", async () => {
    const { secret } = await server.createKey(owner);
    const refused = await server.call("/api/api-keys", { token: secret });
    expect(refused.status).toBe(403);
    expect(errorCode(refused.body)).toBe("key_scope_denied");
    const reader = await server.createKey(owner, { scopes: ["user.read"] });
    expect((await server.call("/api/api-keys", { token: reader.secret })).status).toBe(200);
    expect((await chat(reader.secret)).status).toBe(403);
  });

  test("a new API key cannot have scopes that its creator lacks", async () => {
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

  test.each([
    ["no name", {}],
    ["a blank name", { name: "   " }],
    ["a long name", { name: "x".repeat(65) }],
    ["an unknown scope", { name: "x", scopes: ["root"] }],
    ["no scopes at all", { name: "x", scopes: [] }],
    ["a network that is none", { name: "x", ip_allowlist: ["localhost"] }],
    ["units below one", { name: "x", max_concurrency: 0 }],
    ["a date that is none", { name: "x", expires_at: "tomorrow" }],
    ["an end in the past", { name: "x", expires_at: "2026-02-28T12:00:00Z" }],
    ["a field of the server", { name: "x", organization_id: "org_1" }],
    ["NUL in its name", { name: "x\0y" }],
  ])("a new API key is rejected with %s", async (_what, body) => {
    expect((await server.call("/api/api-keys", { token: owner.token, body })).status).toBe(400);
  });
});

describe("a change of an API key takes effect at once:", () => {
  test("a change of an API key takes effect at once: a new name", async () => {
    const { id } = await server.createKey(owner);
    expect((await change(id, { name: "renamed" })).body).toMatchObject({ id, name: "renamed" });
    expect((await server.call(`/api/api-keys/${id}`, { token: owner.token })).body).toMatchObject({ name: "renamed" });
  });

  test("a change of an API key takes effect at once: switching off and on again", async () => {
    const { id, secret } = await server.createKey(owner);
    expect((await chat(secret)).status).toBe(200);
    await change(id, { disabled: true });
    const refused = await chat(secret);
    expect([refused.status, errorCode(refused.body)]).toEqual([401, "key_disabled"]);
    await change(id, { disabled: false });
    expect((await chat(secret)).status).toBe(200);
  });

  test("a change of an API key takes effect at once: switching off while the key is being looked up", async () => {
    const { id, secret } = await server.createKey(owner);
    const { findBySecret } = server.api.apiKeys.apiKeysRepository;
    const looked = Promise.withResolvers<void>();
    const changed = Promise.withResolvers<void>();
    const spy = vi.spyOn(server.api.apiKeys.apiKeysRepository, "findBySecret").mockImplementationOnce(async (hash) => {
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

  test("a change of an API key takes effect at once: the expiry date", async () => {
    const { secret } = await server.createKey(owner, { expires_at: new Date(clock.at + 60_000).toISOString() });
    expect((await chat(secret)).status).toBe(200);
    clock.at += 60_000;
    const refused = await chat(secret);
    expect([refused.status, errorCode(refused.body)]).toEqual([401, "key_expired"]);
  });

  test("a change of an API key takes effect at once: deletion", async () => {
    const { id, secret } = await server.createKey(owner);
    expect((await chat(secret)).status).toBe(200);
    expect((await server.call(`/api/api-keys/${id}`, { method: "DELETE", token: owner.token })).status).toBe(204);
    expect((await chat(secret)).status).toBe(401);
    expect((await server.call(`/api/api-keys/${id}`, { token: owner.token })).status).toBe(404);
    expect((await server.call(`/api/api-keys/${id}`, { method: "DELETE", token: owner.token })).status).toBe(404);
  });

  test("a change of an API key takes effect at once: the suspension of its creator", async () => {
    const { secret } = await server.createKey(owner);
    await server.db.updateTable("users").set({ suspended_at: clock.now() }).where("id", "=", owner.userId).execute();
    expect((await chat(secret)).status).toBe(401);
  });
});

describe("rotation", () => {
  const rotate = (id: string, body: object = {}, by = owner) =>
    server.call(`/api/api-keys/${id}/rotate`, { token: by.token, body });
  const secretOf = ({ body }: { body: unknown }) => (body as { secret: string }).secret;

  test("rotating a key creates a new secret, and keeps the old one valid for the grace period", async () => {
    const { id, secret } = await server.createKey(owner);
    const rotated = await rotate(id, { grace_s: 60 });
    const graceEnds = new Date(clock.at + 60_000).toISOString();
    expect(rotated.body).toMatchObject({
      id,
      previous_secret_expires_at: graceEnds,
      last4: secretOf(rotated).slice(-4),
    });
    expect((await chat(secretOf(rotated))).status).toBe(200);
    expect((await chat(secret)).status).toBe(200);
    clock.at += 60_000;
    const refused = await chat(secret);
    expect([refused.status, errorCode(refused.body)]).toEqual([401, "key_expired"]);
    expect((await chat(secretOf(rotated))).status).toBe(200);
    expect((await server.call(`/api/api-keys/${id}`, { token: owner.token })).body).toMatchObject({
      previous_secret_expires_at: null,
    });
  });

  test("rotating a key has a grace period of a day by default, and none with 0", async () => {
    const { id, secret } = await server.createKey(owner);
    const usual = await rotate(id);
    expect(usual.body).toMatchObject({ previous_secret_expires_at: new Date(clock.at + 86_400_000).toISOString() });
    expect((await chat(secret)).status).toBe(200);
    const last = await rotate(id, { grace_s: 0 });
    expect((await chat(secret)).status).toBe(401);
    expect((await chat(secretOf(usual))).status).toBe(401);
    expect((await chat(secretOf(last))).status).toBe(200);
  });

  test("deleting a rotated key invalidates all its secrets", async () => {
    const { id, secret } = await server.createKey(owner);
    const rotated = await rotate(id);
    await change(id, { disabled: true });
    expect([(await chat(secret)).status, (await chat(secretOf(rotated))).status]).toEqual([401, 401]);
    await change(id, { disabled: false });
    await server.call(`/api/api-keys/${id}`, { method: "DELETE", token: owner.token });
    expect([(await chat(secret)).status, (await chat(secretOf(rotated))).status]).toEqual([401, 401]);
  });

  test("a rotation does not extend a key that expires sooner", async () => {
    const { id, secret } = await server.createKey(owner, { expires_at: new Date(clock.at + 1_000).toISOString() });
    await rotate(id, { grace_s: 60 });
    clock.at += 1_000;
    expect((await chat(secret)).status).toBe(401);
  });

  test.each([[{ grace_s: -1 }], [{ grace_s: 604_801 }], [{ grace_s: "1" }], [{ secret: "rc_mine" }]])(
    "rejects %j as the grace period of a rotation",
    async (body) => {
      const { id } = await server.createKey(owner);
      expect((await rotate(id, body)).status).toBe(400);
    },
  );

  test("rotating another organization's key returns 404", async () => {
    const { id, secret } = await server.createKey(owner);
    expect((await rotate(id, { grace_s: 0 }, await server.signUp())).status).toBe(404);
    expect((await chat(secret)).status).toBe(200);
  });
});

describe("a key acts as its creator, so", () => {
  async function colleague(): Promise<Account> {
    const joined = await server.signUp();
    await server.db
      .insertInto("memberships")
      .values({ organization_id: owner.organizationId, user_id: joined.userId, role: "developer" })
      .execute();
    const body = { organization_id: owner.organizationId };
    await server.call("/api/organization/switch", { token: joined.token, body });
    return joined;
  }

  test.each([
    ["get its secret", "POST", "/rotate", {}],
    ["let it do more", "PUT", "", { scopes: ["user.write"] }],
  ])("only the creator of a key can %s", async (_what, method, path, body) => {
    const { id } = await server.createKey(owner);
    const { token } = await colleague();
    const refused = await server.call(`/api/api-keys/${id}${path}`, { method, token, body });
    expect([refused.status, errorCode(refused.body)]).toEqual([403, "api_keys.not_the_maker"]);
  });

  test("other members who manage keys can still rename, limit, disable and delete it", async () => {
    const { id, secret } = await server.createKey(owner);
    const { token } = await colleague();
    const body = { name: "theirs", max_concurrency: 1, disabled: true };
    const changed = await server.call(`/api/api-keys/${id}`, { method: "PUT", token, body });
    expect([changed.status, changed.body]).toMatchObject([200, body]);
    expect((await chat(secret)).status).toBe(401);
    expect((await server.call(`/api/api-keys/${id}`, { method: "DELETE", token })).status).toBe(204);
  });

  test.each([
    ["its models", { allowed_models: ["feather/demo"] }, { allowed_models: [] }],
    ["its models to others", { allowed_models: ["feather/demo"] }, { allowed_models: ["feather/demo", "a/b"] }],
    ["its networks", { ip_allowlist: ["127.0.0.0/8"] }, { ip_allowlist: [] }],
    ["its units", { max_concurrency: 1 }, { max_concurrency: 2 }],
    ["its place behind others", { priority: "batch" }, { priority: "interactive" }],
    ["its units altogether", { max_concurrency: 1 }, { max_concurrency: null }],
    ["its spending", { spend_limit_nano_usd: "1000" }, { spend_limit_nano_usd: "1001" }],
    ["its spending altogether", { spend_limit_nano_usd: "1000" }, { spend_limit_nano_usd: null }],
    ["how often its spending starts anew", { limit_reset: "month" }, { limit_reset: "day" }],
    ["its end", { expires_at: "2099-01-01T00:00:00.000Z" }, { expires_at: "2099-01-02T00:00:00Z" }],
    ["its end altogether", { expires_at: "2099-01-01T00:00:00.000Z" }, { expires_at: null }],
    ["that it is off", { disabled: true }, { disabled: false }],
  ])("a developer cannot lift %s, but an admin of the organization can", async (_what, limits, body) => {
    const { id } = await server.createKey(owner, limits);
    const { token, userId } = await colleague();
    const put = () => server.call(`/api/api-keys/${id}`, { method: "PUT", token, body });
    const refused = await put();
    expect([refused.status, errorCode(refused.body)]).toEqual([403, "api_keys.not_the_maker"]);
    expect((await server.call(`/api/api-keys/${id}`, { token: owner.token })).body).toMatchObject(limits);
    await server.db
      .updateTable("memberships")
      .set({ role: "admin" })
      .where("organization_id", "=", owner.organizationId)
      .where("user_id", "=", userId)
      .execute();
    expect((await put()).status).toBe(200);
  });

  test("lists of keys name the creator of each key", async () => {
    const member = await colleague();
    await server.createKey(member, { name: "theirs" });
    await server.db.updateTable("users").set({ name: "Joe Field" }).where("id", "=", member.userId).execute();
    const { body } = await server.call("/api/api-keys", { token: owner.token });
    const items = (body as { items: { name: string }[] }).items;
    expect(items.find(({ name }) => name === "theirs")).toMatchObject({
      created_by: member.userId,
      created_by_name: "Joe Field",
      created_by_application: null,
    });
  });

  test("a key that can manage keys cannot get the secret of a more powerful one", async () => {
    const strong = await server.createKey(owner, { scopes: ["api.access", "keys.write"] });
    const weak = await server.createKey(owner, { scopes: ["keys.write"] });
    const refused = await server.call(`/api/api-keys/${strong.id}/rotate`, { token: weak.secret, body: {} });
    expect([refused.status, errorCode(refused.body)]).toEqual([403, "key_scope_denied"]);
  });

  test.each([
    ["models", { allowed_models: ["feather/demo"] }],
    ["networks", { ip_allowlist: ["127.0.0.0/8"] }],
    ["units", { max_concurrency: 1 }],
    ["its place behind others", { priority: "batch" }],
    ["spending", { spend_limit_nano_usd: "1000" }],
    ["time", { expires_at: "2099-01-01T00:00:00Z" }],
  ])("a key with a limit of %s cannot create or change keys, including itself", async (_what, limit) => {
    const limited = await server.createKey(owner, { ...limit, scopes: ["api.access", "keys.write"] });
    const attempts = [
      ["POST", "/api/api-keys", { name: "free" }],
      ["PUT", `/api/api-keys/${limited.id}`, { allowed_models: [], ip_allowlist: [], max_concurrency: null }],
      ["POST", `/api/api-keys/${limited.id}/rotate`, {}],
      ["DELETE", `/api/api-keys/${limited.id}`, undefined],
    ] as const;
    for (const [method, path, body] of attempts) {
      const refused = await server.call(path, { method, body, token: limited.secret });
      expect([path, refused.status, errorCode(refused.body)]).toEqual([path, 403, "api_keys.limited"]);
    }
  });

  test("a key with limits cannot create other credentials", async () => {
    const scopes = ["api.access", "keys.write", "members.write"];
    const { secret: token } = await server.createKey(owner, { max_concurrency: 1, scopes });
    const application = { name: "Roost", redirect_uris: ["https://roost.example/callback"], scopes: ["user.read"] };
    const registered = await server.call("/api/application", { token: owner.token, body: application });
    const { id } = registered.body as { id: string };
    const attempts = [
      ["/api/application", application],
      [`/api/application/${id}/regenerate-secret`, {}],
      ["/api/organization/invitations", { email: "friend@example.com", role: "admin" }],
    ] as const;
    for (const [path, body] of attempts) {
      const refused = await server.call(path, { token, body });
      expect([path, refused.status, errorCode(refused.body)]).toEqual([path, 403, "api_keys.limited"]);
    }
  });
});

describe("another process over the same database", () => {
  test("another process over the same database applies every change of a key by itself", async () => {
    const other = server.createOtherPlatform();
    const authenticate = (secret: string) => other.api.identity.authenticate(secret).catch(() => null);
    const changes: ((id: string) => Promise<unknown>)[] = [
      (id) => change(id, { disabled: true }),
      (id) => server.call(`/api/api-keys/${id}`, { method: "DELETE", token: owner.token }),
      (id) => server.call(`/api/api-keys/${id}/rotate`, { token: owner.token, body: { grace_s: 0 } }),
    ];
    for (const make of changes) {
      const { id, secret } = await server.createKey(owner);
      await other.api.identity.authenticate(secret);
      await make(id);
      await waitFor(async () => expect(await authenticate(secret)).toBeNull());
    }
  });
});

describe("creating a key with an Idempotency-Key", () => {
  test("creating a key with an Idempotency-Key happens once, and returns the same response fifty times", async () => {
    const headers = { "idempotency-key": "make-one" };
    const answers = await Promise.all(
      Array.from({ length: 50 }, () =>
        server.call("/api/api-keys", { token: owner.token, headers, body: { name: "once" } }),
      ),
    );
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(201);
    const made = await server.call("/api/api-keys", { token: owner.token });
    expect(made.body).toMatchObject({ pagination: { total_items: 1 } });
    const other = await server.call("/api/api-keys", { token: owner.token, headers, body: { name: "another" } });
    expect([other.status, errorCode(other.body)]).toEqual([409, "idempotency_conflict"]);
    const rows = await server.db.selectFrom("idempotency_keys").select("answer").execute();
    expect(JSON.stringify(rows)).not.toContain("make-one");
  });
});

describe("API key activity", () => {
  test("API key activity is recorded in the audit log without secrets", async () => {
    const { id, secret } = await server.createKey(owner);
    await change(id, { name: "renamed" });
    const rotated = await server.call(`/api/api-keys/${id}/rotate`, { token: owner.token, body: {} });
    await server.call(`/api/api-keys/${id}`, { method: "DELETE", token: owner.token });
    const rows = await server.db
      .selectFrom("audit_log")
      .selectAll()
      .where("target", "=", id)
      .orderBy("sequence")
      .execute();
    expect(rows.map(({ action }) => action)).toEqual([
      "api_keys.create",
      "api_keys.update",
      "api_keys.rotate",
      "api_keys.delete",
    ]);
    for (const hidden of [secret, (rotated.body as { secret: string }).secret])
      expect(JSON.stringify(rows)).not.toContain(hidden.slice(8));
  });

  test("API key activity includes when a key was last used", async () => {
    const { id, secret } = await server.createKey(owner);
    expect((await server.call(`/api/api-keys/${id}`, { token: owner.token })).body).toMatchObject({
      last_used_at: null,
    });
    await chat(secret);
    const used = clock.now().toISOString();
    await waitFor(async () =>
      expect((await server.call(`/api/api-keys/${id}`, { token: owner.token })).body).toMatchObject({
        last_used_at: used,
      }),
    );
  });
});

describe("the plan's limit of keys", () => {
  test("the plan's limit of keys holds when twenty keys are created at once", async () => {
    const limited = await server.signUpOnPlan({ api_keys_max: 3 });
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => server.call("/api/api-keys", { token: limited.token, body: { name: "x" } })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, ...Array<number>(17).fill(409)]);
    const refused = answers.find(({ status }) => status === 409);
    expect(errorCode(refused?.body)).toBe("api_keys.limit_reached");
  });

  test("the plan's limit of keys does not count deleted keys", async () => {
    const limited = await server.signUpOnPlan({ api_keys_max: 1 });
    const { id } = await server.createKey(limited);
    await server.call(`/api/api-keys/${id}`, { method: "DELETE", token: limited.token });
    await expect(server.createKey(limited)).resolves.toHaveProperty("secret");
  });
});

describe("a key of another organization", () => {
  test.each([
    ["read", "GET", undefined],
    ["changed", "PUT", { name: "stolen" }],
    ["changed with an empty body", "PUT", {}],
    ["deleted", "DELETE", undefined],
  ])(
    "a key of another organization cannot be %s, and returns the same response as a missing one",
    async (_what, method, body) => {
      const stranger = await server.signUp();
      const { id } = await server.createKey(owner);
      const theirs = await server.call(`/api/api-keys/${id}`, { method, body, token: stranger.token });
      const missing = await server.call("/api/api-keys/key_missing", { method, body, token: stranger.token });
      expect(theirs.status).toBe(404);
      expect(theirs.text).toBe(missing.text);
      expect((await server.call(`/api/api-keys/${id}`, { token: owner.token })).body).toMatchObject({ name: "test" });
    },
  );

  test("a key of another organization is not listed", async () => {
    await server.createKey(owner);
    const stranger = await server.signUp();
    expect((await server.call("/api/api-keys", { token: stranger.token })).body).toMatchObject({
      items: [],
      pagination: { total_items: 0 },
    });
  });
});

describe("allow-lists", () => {
  test("allow-lists restrict a key to its models, in any letter case", async () => {
    const { secret } = await server.createKey(owner, { allowed_models: ["FEATHER/Demo"] });
    expect((await chat(secret, "feather/demo")).status).toBe(200);
    const refused = await chat(secret, "Qwen/Qwen3-4B");
    expect([refused.status, errorCode(refused.body)]).toEqual([403, "key_scope_denied"]);
  });

  test("allow-lists restrict a key to its networks, on every call", async () => {
    const elsewhere = await server.createKey(owner, {
      ip_allowlist: ["203.0.113.0/24"],
      scopes: ["api.access", "user.read", "user.write"],
    });
    const refused = await chat(elsewhere.secret);
    expect([refused.status, errorCode(refused.body)]).toEqual([403, "ip_not_allowed"]);
    expect((await server.call("/api/api-keys", { token: elsewhere.secret })).status).toBe(403);
    expect((await server.call("/v1/models/feather/demo", { token: elsewhere.secret })).status).toBe(403);
    const here = await server.createKey(owner, { ip_allowlist: ["203.0.113.0/24", "127.0.0.0/8"] });
    expect((await chat(here.secret)).status).toBe(200);
  });

  test("allow-lists restrict a key to its maximum concurrency", async () => {
    const { secret } = await server.createKey(owner, { max_concurrency: 1 });
    const mayAnswer = Promise.withResolvers<void>();
    const slow = await server.addUpstream({ thinkUntil: mayAnswer.promise }, ["Qwen/Qwen3-8B"]);
    const calls = [1, 2, 3].map(() => chat(secret, "Qwen/Qwen3-8B"));
    await waitForResolved(calls, 2);
    mayAnswer.resolve();
    const answers = await Promise.all(calls);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 429, 429]);
    expect(slow.peak()).toBe(1);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.body).toMatchObject({ error: { details: { limit: 1, used: 1, cost: 1, over_by: 1 } } });
  });
});

const CREDENTIAL_TABLES = /\b(api_keys|sessions|oauth_tokens|oauth_grants|deployments)\b/;

/**
 * Returns how many statements about credentials `act` sends to the database. Other statements are not counted, because
 * background jobs may send them at any time.
 */
async function statementsOf(act: () => Promise<unknown>): Promise<number> {
  const query = vi.spyOn(pg.Client.prototype, "query");
  try {
    await act();
    const statements = query.mock.calls.map(([statement]) => JSON.stringify(statement));
    return statements.filter((statement) => CREDENTIAL_TABLES.test(statement)).length;
  } finally {
    query.mockRestore();
  }
}

describe("an invalid key", () => {
  const good = createSecret("rc", () => new Uint8Array(32).fill(3));
  const hostile: [string, string][] = [
    ["an SQL fragment", "'OR/**/'1'='1"],
    ["another SQL fragment", "rc_';drop/**/table/**/users;--"],
    ["a key with a wrong checksum", `rc_${"A".repeat(49)}`],
    ["a key with one letter changed", good.replace(/.$/, (last) => (last === "A" ? "B" : "A"))],
    ["a key under another prefix", good.replace("rc_", "ses_")],
    ["a key cut short", good.slice(0, -1)],
    ["a key with something behind", `${good}0`],
    ["a session of nobody", `ses_${"A".repeat(49)}`],
    ["a megabyte in part", "A".repeat(12_000)],
    ["another alphabet", "rc_%00%27"],
    ["Latin letters beyond ASCII", "rc_\u00e9\u00ff"],
    ["a template", "rc_{{7*7}}#{7*7}"],
    ["a path", "../../etc/passwd"],
    ["a word of JavaScript", "__proto__"],
  ];

  test.each(hostile)("an invalid key is rejected with 401 without a database query: %s", async (_what, token) => {
    for (const headers of [{ authorization: `Bearer ${token}` }, { "x-api-key": token }]) {
      let answer: Answer | undefined;
      const statements = await statementsOf(async () => {
        answer = await server.call("/v1/plan", { headers });
      });
      expect([answer?.status, answer?.headers.get("www-authenticate"), statements]).toEqual([
        401,
        expect.stringContaining("Bearer"),
        0,
      ]);
    }
  });

  test("an invalid key is looked up when its checksum is right, and still rejected", async () => {
    let status: number | undefined;
    const statements = await statementsOf(async () => {
      ({ status } = await server.call("/v1/plan", { token: good }));
    });
    expect(status).toBe(401);
    expect(statements).toBeGreaterThan(0);
  });

  test.each([
    ["many keys in one header", { authorization: `Bearer ${good}, Bearer ${good}` }],
    ["keys with spaces between", { authorization: `Bearer ${good} ${good}` }],
    ["another scheme", { authorization: `Basic ${Buffer.from(`key:${good}`).toString("base64")}` }],
    ["many keys in x-api-key", { "x-api-key": `${good},${good}` }],
  ])("an invalid key is rejected with 401: %s", async (_what, headers) => {
    expect((await server.call("/v1/plan", { headers })).status).toBe(401);
  });

  test("an invalid key is rejected even when it exceeds the maximum header size", async () => {
    const answer = await server.call("/v1/plan", { headers: { "x-api-key": "A".repeat(1_000_000) } }).catch(() => null);
    expect([431, undefined]).toContain(answer?.status);
    expect((await server.call("/v1/plan", { token: owner.token })).status).toBe(200);
  });
});

describe("a restricted key has the same limits in every place:", () => {
  const places: [string, (secret: string) => Record<string, string>][] = [
    ["Authorization", (secret) => ({ authorization: `Bearer ${secret}` })],
    ["authorization in lower case", (secret) => ({ authorization: `bearer ${secret}` })],
    ["x-api-key", (secret) => ({ "x-api-key": secret })],
    ["the cookie", (secret) => ({ cookie: `session=${secret}` })],
    ["Authorization and x-api-key alike", (secret) => ({ authorization: `Bearer ${secret}`, "x-api-key": secret })],
  ];
  test.each(places)("a restricted key has the same limits in every place: %s", async (_place, headersOf) => {
    const body = (model: string) => ({ model, messages: [{ role: "user", content: "Hi" }] });
    const { secret } = await server.createKey(owner, { allowed_models: ["feather/demo"] });
    const away = await server.createKey(owner, { ip_allowlist: ["203.0.113.0/24"] });
    const post = (headers: Record<string, string>, model = "feather/demo") =>
      server.call("/v1/chat/completions", { headers, body: body(model) });
    expect((await post(headersOf(secret))).status).toBe(200);
    expect((await post(headersOf(secret), "Qwen/Qwen3-4B")).status).toBe(403);
    expect((await server.call("/api/api-keys", { headers: headersOf(secret) })).status).toBe(403);
    expect((await post(headersOf(away.secret))).status).toBe(403);
  });

  test("keys in the query string are rejected", async () => {
    const { secret } = await server.createKey(owner);
    for (const name of ["api_key", "apikey", "access_token", "key", "token"])
      for (const path of ["/v1/models", "/v1/plan", "/api/api-keys"])
        expect((await server.call(`${path}?${name}=${secret}`)).status).toBe(400);
  });

  test("two different keys at once are rejected", async () => {
    const { secret } = await server.createKey(owner);
    for (const headers of [
      { authorization: `Bearer ${secret}`, "x-api-key": owner.token },
      { authorization: `Bearer ${secret}`, cookie: `session=${owner.token}` },
      { "x-api-key": secret, cookie: `session=${owner.token}` },
    ])
      expect((await server.call("/v1/plan", { headers })).status).toBe(400);
  });
});

describe("the owner of a key", () => {
  test.each(["user_id", "created_by", "organization_id", "secret_hash", "prefix", "last_used_at"])(
    "the owner of a key is never taken from the body: %s",
    async (field) => {
      const victim = await server.signUp();
      const value = field === "organization_id" ? victim.organizationId : victim.userId;
      const { id } = await server.createKey(owner);
      const made = await server.call("/api/api-keys", { token: owner.token, body: { name: "x", [field]: value } });
      expect([made.status, (await change(id, { [field]: value })).status]).toEqual([400, 400]);
      expect((await server.call("/api/api-keys", { token: victim.token })).body).toMatchObject({ items: [] });
    },
  );
});
