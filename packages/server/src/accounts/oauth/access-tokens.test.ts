import { createTestClock } from "@feather/testing/clock";
import { errorCode } from "@feather/testing/errors";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Application, createOAuthClient } from "../../testing/oauth.ts";
import { type Account, createTestServer, type TestServer } from "../../testing/server.ts";

const clock = createTestClock();
const ALL = ["user.read", "user.write", "api.access", "keys.write", "deployments.write"];
let server: TestServer;
let oauth: ReturnType<typeof createOAuthClient>;
let owner: Account;
let user: Account;
let app: Application;

beforeAll(async () => {
  server = await createTestServer({ clock });
  await server.addUpstream({}, ["feather/demo"]);
  oauth = createOAuthClient(server);
  owner = await server.signUp("owner@example.com");
});
beforeEach(async () => {
  user = await server.signUpOnPlan({});
  app = await oauth.register(owner, { scopes: ALL });
});
afterAll(() => server.close());

const accessFor = async (scope: string, by = user) => (await oauth.tokensFor(by, app, { scope })).access_token;
const chat = (token: string) =>
  server.call("/v1/chat/completions", {
    token,
    body: { model: "feather/demo", messages: [{ role: "user", content: "Hi" }] },
  });
type Granted = { id: string; scopes: string[]; last_used_at: string | null; application: { id: string } };
const grantsOf = async (by: Account) => {
  const { body } = await server.call("/api/account/authorizations", { token: by.token });
  return (body as { items: Granted[] }).items;
};

describe("an access token", () => {
  const CALLS: [string, string, (token: string) => Promise<{ status: number }>][] = [
    ["reads the account", "user.read", (token) => server.call("/api/auth/me", { token })],
    ["reads keys", "user.read", (token) => server.call("/api/api-keys", { token })],
    [
      "makes keys",
      "keys.write",
      (token) => server.call("/api/api-keys", { token, body: { name: "x", scopes: ["keys.write"] } }),
    ],
    [
      "changes the account",
      "user.write",
      (token) => server.call("/api/account", { method: "PUT", token, body: { name: "M" } }),
    ],
    ["calls models", "api.access", chat],
  ];

  test.each(CALLS)(
    "an access token %s with the scope %s alone, and not with the others",
    async (_what, scope, call) => {
      expect([200, 201]).toContain((await call(await accessFor(scope))).status);
      const others = ALL.filter((other) => other !== scope).join(" ");
      expect((await call(await accessFor(others))).status).toBe(403);
    },
  );

  test("an access token acts for the person who consented, not for the owner of the application", async () => {
    const { body } = await oauth.userinfo(await accessFor("user.read"));
    expect(body).toEqual({
      sub: user.userId,
      username: expect.any(String),
      name: expect.any(String),
      email: user.email,
      picture: null,
      plan: { id: `plan_${user.userId}`, name: "Test" },
    });
  });

  test("an access token reveals no e-mail address without user.read", async () => {
    const { status, body } = await oauth.userinfo(await accessFor("api.access"));
    expect(status).toBe(200);
    expect(body).toMatchObject({ sub: user.userId });
    expect(body).not.toHaveProperty("email");
  });

  test("an access token never has the rights of an admin, even if an admin consents", async () => {
    const admin = await server.signInAdmin();
    const token = await accessFor(ALL.join(" "), admin);
    expect((await server.call("/api/admin/users", { token })).status).toBe(404);
    expect((await server.call("/api/auth/me", { token })).status).toBe(200);
  });

  test("an access token cannot make calls that require a session", async () => {
    const token = await accessFor(ALL.join(" "));
    const body = { organization_id: user.organizationId };
    expect((await server.call("/api/organization/switch", { token, body })).status).toBe(401);
  });

  test("an access token records usage under its user and organization", async () => {
    const answer = await chat(await accessFor("api.access"));
    const row = await server.usageRow(answer.headers.get("request-id"));
    expect(row).toMatchObject({ user_id: user.userId, organization_id: user.organizationId, api_key_id: null });
  });

  test("an access token works in the header only", async () => {
    const token = await accessFor("user.read");
    expect((await server.call(`/api/auth/me?access_token=${token}`)).status).toBe(400);
    expect((await server.call("/api/auth/me", { headers: { cookie: `session=${token}` } })).status).toBeLessThan(402);
  });

  test("an access token reads userinfo from other origins, where cookies are never allowed", async () => {
    const headers = { origin: "https://roost.example" };
    const preflight = await server.call("/api/oauth/userinfo", {
      method: "OPTIONS",
      headers: {
        ...headers,
        "access-control-request-method": "GET",
        "access-control-request-headers": "authorization",
      },
    });
    expect([preflight.status, preflight.headers.get("access-control-allow-origin")]).toEqual([204, "*"]);
    expect(preflight.headers.get("access-control-allow-headers")).toBe("authorization");
    const response = await server.call("/api/oauth/userinfo", { headers, token: await accessFor("user.read") });
    expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([200, "*"]);
    for (const answer of [preflight, response])
      expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
    const others = await server.call("/api/auth/me", { headers, token: await accessFor("user.read") });
    expect(others.headers.get("access-control-allow-origin")).toBeNull();
  });

  test("an access token is rejected without a database query when a letter is mistyped", async () => {
    const token = await accessFor("user.read");
    const mistyped = `${token.slice(0, 10)}${token[10] === "a" ? "b" : "a"}${token.slice(11)}`;
    const answer = await server.call("/api/auth/me", { token: mistyped });
    expect([answer.status, answer.headers.get("www-authenticate")]).toEqual([401, expect.stringContaining("Bearer")]);
  });

  test("an access token ends after an hour", async () => {
    const token = await accessFor("user.read");
    clock.at += 3_599_999;
    expect((await oauth.userinfo(token)).status).toBe(200);
    clock.at += 1;
    expect((await oauth.userinfo(token)).status).toBe(401);
  });

  test.each<[string, () => Promise<unknown>]>([
    [
      "its application is switched off",
      () =>
        server.call(`/api/application/${app.id}/status`, {
          method: "PUT",
          token: owner.token,
          body: { status: "inactive" },
        }),
    ],
    [
      "its application is deleted",
      () => server.call(`/api/application/${app.id}`, { method: "DELETE", token: owner.token }),
    ],
    [
      "its user leaves the organization",
      () => server.db.deleteFrom("memberships").where("user_id", "=", user.userId).execute(),
    ],
    [
      "its user is suspended",
      () => server.db.updateTable("users").set({ suspended_at: clock.now() }).where("id", "=", user.userId).execute(),
    ],
    ["its user takes the permission back", async () => withdraw((await grantsOf(user))[0]?.id ?? "")],
  ])("an access token ends at once when %s", async (_what, end) => {
    const { access_token, refresh_token } = await oauth.tokensFor(user, app);
    expect((await oauth.userinfo(access_token)).status).toBe(200);
    await end();
    expect((await oauth.userinfo(access_token)).status).toBe(401);
    expect((await oauth.refresh(app, refresh_token)).status).toBeGreaterThanOrEqual(400);
  });

  test("an access token loses a scope that its application no longer has", async () => {
    const token = await accessFor("user.read user.write");
    const change = { scopes: ["user.read"] };
    await server.call(`/api/application/${app.id}`, { method: "PUT", token: owner.token, body: change });
    expect((await server.call("/api/auth/me", { token })).status).toBe(200);
    expect((await server.call("/api/account", { method: "PUT", token, body: { name: "M" } })).status).toBe(403);
  });

  test("an access token has the rights of its user's role, and no more", async () => {
    const token = await accessFor("keys.write");
    await server.db.updateTable("memberships").set({ role: "viewer" }).where("user_id", "=", user.userId).execute();
    const answer = await server.call("/api/api-keys", { token, body: { name: "x", scopes: ["keys.write"] } });
    expect([answer.status, errorCode(answer.body)]).toEqual([403, "organization_permission_denied"]);
  });
});

const withdraw = (id: string, by = user) =>
  server.call(`/api/account/authorizations/${id}`, { method: "DELETE", token: by.token });

describe("the list of authorized applications", () => {
  test("the list of authorized applications shows when a grant was given and last used", async () => {
    expect(await grantsOf(user)).toEqual([]);
    const granted_at = clock.now().toISOString();
    const token = await accessFor("user.read");
    const expected = { application: { id: app.id, name: "Roost" }, scopes: ["user.read"], granted_at };
    expect(await grantsOf(user)).toEqual([expect.objectContaining({ ...expected, last_used_at: null })]);
    clock.at += 5_000;
    await oauth.userinfo(token);
    expect(await grantsOf(user)).toEqual([
      expect.objectContaining({ ...expected, last_used_at: clock.now().toISOString() }),
    ]);
  });

  test("the list of authorized applications has one entry for each application, with all its scopes", async () => {
    await accessFor("user.read");
    await accessFor("api.access");
    const [grant, ...more] = await grantsOf(user);
    expect([grant?.scopes, more]).toEqual([["api.access", "user.read"], []]);
  });

  test("the list of authorized applications does not extend older tokens by scopes that were granted later", async () => {
    const reader = await accessFor("user.read");
    await accessFor("user.write");
    expect((await server.call("/api/account", { method: "PUT", token: reader, body: { name: "M" } })).status).toBe(403);
  });

  test("the list of authorized applications lets a grant be revoked, after which consent is requested again", async () => {
    const token = await accessFor("user.read");
    const [{ id } = { id: "" }] = await grantsOf(user);
    expect((await withdraw(id)).status).toBe(204);
    expect((await oauth.userinfo(token)).status).toBe(401);
    expect(await grantsOf(user)).toEqual([]);
    const { body } = await server.call(`/api/oauth/applications/${app.id}`, { token: user.token });
    expect(body).toMatchObject({ granted: false });
    expect((await withdraw(id)).status).toBe(404);
  });

  test("the list of authorized applications hides grants of other users, and does not revoke them", async () => {
    const token = await accessFor("user.read");
    const [{ id } = { id: "" }] = await grantsOf(user);
    expect(await grantsOf(owner)).toEqual([]);
    expect((await withdraw(id, owner)).status).toBe(404);
    expect((await withdraw("grant_nobody")).status).toBe(404);
    expect((await oauth.userinfo(token)).status).toBe(200);
  });

  test("the list of authorized applications records a revocation in the audit log", async () => {
    await accessFor("user.read");
    await withdraw((await grantsOf(user))[0]?.id ?? "");
    const row = await server.db
      .selectFrom("audit_log")
      .select("target")
      .where("action", "=", "oauth.withdraw")
      .where("actor_user_id", "=", user.userId)
      .executeTakeFirst();
    expect(row?.target).toBe(app.id);
  });
});
