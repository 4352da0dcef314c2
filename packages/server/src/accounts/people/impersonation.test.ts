import { createTestClock } from "@feather/testing/clock";
import { errorCode } from "@feather/testing/errors";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { MINUTE_MS } from "../../platform/core/time.ts";
import { isAdminOnly, OPERATIONS, toPath } from "../../testing/contract-walk.ts";
import { type Account, type Answer, createTestServer, PASSWORD, type TestServer } from "../../testing/server.ts";

const clock = createTestClock();
let server: TestServer;
let admin: Account;
let user: Account;

beforeAll(async () => {
  server = await createTestServer({ clock });
});
beforeEach(async () => {
  admin = await server.signInAdmin();
  user = await server.signUp();
});
afterAll(() => server.close());

const start = (userId: string, body: object = { reason: "Ticket 41" }, token = admin.token) =>
  server.call(`/api/admin/users/${userId}/impersonate`, { method: "POST", token, body });
const stop = (headers: Record<string, string>) =>
  server.call("/api/admin/impersonation", { method: "DELETE", headers });
const me = (token: string) => server.call("/api/auth/me", { token });
const tokenOf = ({ headers }: Answer) => headers.get("x-session-token") ?? "";
const cookiesOf = ({ headers }: Answer) =>
  new Map(headers.getSetCookie().map((cookie) => [cookie.split("=")[0] ?? "", cookie] as const));
const acting = async (userId = user.userId) => tokenOf(await start(userId));
const withCookie = (secret: string) => ({ cookie: `session=${secret}`, "sec-fetch-site": "same-origin" });

describe("acting as a user", () => {
  test("acting as a user gives the admin a session of the user that names the admin", async () => {
    const started = await start(user.userId);
    expect([started.status, started.body]).toMatchObject([
      200,
      {
        user: { id: user.userId, impersonated_by: admin.userId },
        expires_at: new Date(clock.at + 30 * MINUTE_MS).toISOString(),
      },
    ]);
    expect((await me(tokenOf(started))).body).toMatchObject({
      id: user.userId,
      email: user.email,
      impersonated_by: admin.userId,
    });
    const cookies = cookiesOf(started);
    expect(cookies.get("session")).toMatch(/HttpOnly.*SameSite=Lax/i);
    expect(cookies.get("impersonate_as")).toContain(user.userId);
    expect(cookies.get("impersonate_as")).not.toContain("HttpOnly");
  });

  test("acting as a user ends after half an hour, even if it is used", async () => {
    const token = await acting();
    clock.at += 29 * MINUTE_MS;
    expect((await me(token)).status).toBe(200);
    clock.at += MINUTE_MS;
    expect((await me(token)).status).toBe(401);
  });

  test.each([
    ["the admin logs out", () => server.call("/api/auth/logout", { method: "POST", token: admin.token })],
    [
      "the admin is one no more",
      () => server.db.updateTable("users").set({ is_admin: false }).where("id", "=", admin.userId).execute(),
    ],
    [
      "the admin is suspended",
      () => server.db.updateTable("users").set({ suspended_at: clock.now() }).where("id", "=", admin.userId).execute(),
    ],
    [
      "the user is suspended",
      () => server.db.updateTable("users").set({ suspended_at: clock.now() }).where("id", "=", user.userId).execute(),
    ],
    [
      "the user becomes an admin",
      () => server.db.updateTable("users").set({ is_admin: true }).where("id", "=", user.userId).execute(),
    ],
  ])("acting as a user ends when %s", async (_what, end) => {
    const token = await acting();
    expect((await me(token)).status).toBe(200);
    await end();
    expect((await me(token)).status).toBe(401);
    await server.db
      .updateTable("users")
      .set({ suspended_at: null, is_admin: sql<boolean>`id = ${admin.userId}` })
      .execute();
  });

  test("acting as a user leaves the user's own sessions alone", async () => {
    const token = await acting();
    await stop({ authorization: `Bearer ${token}` });
    expect((await me(user.token)).status).toBe(200);
  });
});

describe("starting to act as a user", () => {
  test.each([
    ["oneself", () => admin.userId, 409, "impersonation.yourself"],
    ["nobody", () => "usr_missing", 404, "users.not_found"],
  ])("starting to act as a user is rejected for %s", async (_what, userId, status, code) => {
    const refused = await start(userId());
    expect([refused.status, errorCode(refused.body)]).toEqual([status, code]);
    expect(refused.headers.getSetCookie()).toEqual([]);
  });

  test.each([
    ["another admin", { is_admin: true }, "impersonation.admin"],
    ["a suspended account", { suspended_at: new Date() }, "impersonation.suspended"],
  ])("starting to act as a user is rejected for %s", async (_what, change, code) => {
    await server.db.updateTable("users").set(change).where("id", "=", user.userId).execute();
    const refused = await start(user.userId);
    expect([refused.status, errorCode(refused.body)]).toEqual([409, code]);
    await server.db.updateTable("users").set({ is_admin: false }).where("id", "=", user.userId).execute();
  });

  test("starting to act as a user is rejected for users, keys of admins and visitors", async () => {
    const { secret } = await server.createKey(admin, { scopes: ["admin", "user.read", "user.write"] });
    expect((await start(user.userId, undefined, user.token)).status).toBe(404);
    expect((await start(user.userId, undefined, secret)).status).toBe(401);
    expect(
      (await server.call(`/api/admin/users/${user.userId}/impersonate`, { body: { reason: "None" } })).status,
    ).toBe(401);
  });

  test("starting to act as a user cannot be nested", async () => {
    const other = await server.signUp();
    expect((await start(other.userId, undefined, await acting())).status).toBe(404);
  });

  test.each([
    ["no reason", {}],
    ["a blank reason", { reason: "    " }],
    ["a reason of two letters", { reason: "ab" }],
    ["a longer time", { reason: "Ticket 41", expires_at: "2030-01-01T00:00:00Z" }],
  ])("starting to act as a user is rejected with %s", async (_what, body) => {
    expect((await start(user.userId, body)).status).toBe(400);
  });

  test("starting to act as a user requires a sign-in within fifteen minutes or the password", async () => {
    clock.at += 15 * MINUTE_MS;
    expect((await start(user.userId)).status).toBe(200);
    clock.at += 1;
    const late = await start(user.userId);
    expect([late.status, errorCode(late.body)]).toEqual([403, "recent_sign_in_required"]);
    const wrong = await start(user.userId, { reason: "Ticket 41", password: "not-the-password" });
    expect([wrong.status, errorCode(wrong.body)]).toEqual([403, "auth.wrong_password"]);
    expect((await start(user.userId, { reason: "Ticket 41", password: PASSWORD })).status).toBe(200);
  });
});

describe("stopping to act as a user", () => {
  test("stopping to act as a user gives a browser the admin's own session with a new secret", async () => {
    const secret = await acting();
    const stopped = await stop(withCookie(secret));
    expect(stopped.status).toBe(204);
    const own = tokenOf(stopped);
    expect(cookiesOf(stopped).get("session")).toContain(own);
    expect(cookiesOf(stopped).get("impersonate_as")).toMatch(/impersonate_as=;/);
    expect((await me(own)).body).toMatchObject({ id: admin.userId, impersonated_by: null });
    expect((await me(secret)).status).toBe(401);
    expect((await me(admin.token)).status).toBe(401); // the old secret was replaced, so it is invalid
  });

  test("stopping to act as a user keeps the token of a program", async () => {
    const token = await acting();
    expect((await stop({ authorization: `Bearer ${token}` })).status).toBe(204);
    expect((await me(token)).status).toBe(401);
    expect((await me(admin.token)).body).toMatchObject({ id: admin.userId });
  });

  test("stopping to act as a user is rejected if nothing was started", async () => {
    for (const { token } of [admin, user]) {
      const refused = await stop({ authorization: `Bearer ${token}` });
      expect([refused.status, errorCode(refused.body)]).toEqual([409, "impersonation.not_active"]);
    }
  });

  test("stopping to act as a user does not renew the admin's sign-in", async () => {
    clock.at += 14 * MINUTE_MS;
    const own = tokenOf(await stop(withCookie(await acting())));
    clock.at += 2 * MINUTE_MS;
    expect(errorCode((await start(user.userId, undefined, own)).body)).toBe("recent_sign_in_required");
  });
});

describe("a forged cookie", () => {
  test.each([
    ["without a session", () => ({ cookie: `impersonate_as=${user.userId}` }), 401],
    [
      "beside the session of another user",
      () => ({ cookie: `impersonate_as=${admin.userId}; session=${user.token}` }),
      200,
    ],
    ["beside an admin's session", () => ({ cookie: `impersonate_as=${user.userId}; session=${admin.token}` }), 200],
  ])("a forged cookie %s changes nothing", async (what, headers, status) => {
    const answer = await server.call("/api/auth/me", { headers: headers() });
    expect(answer.status).toBe(status);
    if (status === 200)
      expect(answer.body).toMatchObject({
        id: what.includes("admin") ? admin.userId : user.userId,
        impersonated_by: null,
      });
  });

  test("a forged cookie is ignored if its session does not exist", async () => {
    expect((await server.call("/api/auth/me", { headers: { cookie: "session=ses_forged" } })).status).toBe(401);
  });
});

describe("the operations that are closed while acting as a user", () => {
  test("the operations that are closed while acting as a user include every operation that the contract marks", async () => {
    const token = await acting();
    const closed = OPERATIONS.filter((operation) => !operation.allowsImpersonation && !isAdminOnly(operation));
    expect(closed.length).toBeGreaterThan(90);
    for (const operation of closed) {
      const { method, operationId } = operation;
      const answer = await server.call(toPath(operation), { method, token });
      expect([operationId, answer.status]).toEqual([operationId, 403]);
      expect(answer.text).toContain("This cannot be done while acting as somebody else.");
    }
  });

  test("the operations that are closed while acting as a user include payments, passwords, e-mail, keys, members, authorizations and deletion", () => {
    const names = [
      ...["account.delete", "account.export", "account.update", "apiKeys.create", "apiKeys.rotate", "apiKeys.update"],
      ...["auth.changePassword", "auth.totp.disable", "auth.link", "credits.topUp", "oauth.authorize"],
      ...["organization.members.update", "organization.members.delete", "paymentMethods.delete"],
      ...["subscription.change", "subscription.cancel", "applications.regenerateSecret", "marketplace.subscribe"],
    ];
    for (const name of names) {
      const operation = server.platform.contract.operations.get(name);
      expect([name, operation?.allowsImpersonation]).toEqual([name, false]);
    }
  });

  test("the operations that are closed while acting as a user include the admin area", async () => {
    expect((await server.call("/api/admin/users", { token: await acting() })).status).toBe(404);
  });
});

describe("the audit log of acting as a user", () => {
  test("the audit log of acting as a user has rows for start, stop and every request, with both names and also if it was refused", async () => {
    const token = await acting();
    await me(token);
    await server.call("/api/api-keys?page=2", { token });
    await server.call("/api/api-keys", { token, body: { name: "mine" } });
    await server.call("/api/admin/users", { token });
    await stop({ authorization: `Bearer ${token}` });
    const { body } = await server.call(
      `/api/admin/audit?action=impersonation&actor_id=${user.userId}&impersonated=true`,
      {
        token: admin.token,
      },
    );
    const rows = (body as { items: { action: string; actor_id: string; subject_id: string; details: object }[] }).items;
    expect(rows.every((row) => row.actor_id === admin.userId && row.subject_id === user.userId)).toBe(true);
    expect(rows.map(({ action, details }) => [action, (details as { route?: string }).route]).reverse()).toEqual([
      ["impersonation.request", "/api/auth/me"],
      ["impersonation.request", "/api/api-keys"],
      ["impersonation.request", "/api/api-keys"],
      ["impersonation.request", "/api/admin/users"],
      ["impersonation.request", "/api/admin/impersonation"],
      ["impersonation.stop", undefined],
    ]);
    const started = await server.call(`/api/admin/audit?action=impersonation.start&target=${user.userId}`, {
      token: admin.token,
    });
    expect(started.body).toMatchObject({ items: [{ actor_id: admin.userId, details: { reason: "Ticket 41" } }] });
  });

  test("the audit log of acting as a user shows the organization who acted, but not the IP address", async () => {
    await me(await acting());
    const { body } = await server.call("/api/organization/audit?action=impersonation", { token: user.token });
    expect(body).toMatchObject({ items: [{ actor_id: admin.userId, subject_id: user.userId, ip: null }] });
  });
});
