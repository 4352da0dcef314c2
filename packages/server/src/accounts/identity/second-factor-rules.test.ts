import { createTestClock } from "@feather/testing/clock";
import { errorCode } from "@feather/testing/errors";
import { TOTP } from "otpauth";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { listMessages } from "../../testing/outbox.ts";
import { type Account, createTestServer, PASSWORD, type TestServer } from "../../testing/server.ts";

const clock = createTestClock();
let server: TestServer;
let strict: TestServer;
let admin: Account;
let user: Account;

beforeAll(async () => {
  [server, strict] = await Promise.all([
    createTestServer({ clock }),
    createTestServer({ clock, env: { FEATHER_REQUIRE_SECOND_FACTOR: "admins" } }),
  ]);
  admin = await server.signInAdmin();
});
beforeEach(async () => {
  user = await server.signUp();
});
afterAll(() => Promise.all([server.close(), strict.close()]));

/** Sets up a second factor in this session. */
async function setUp(on: TestServer, token: string) {
  const { body } = await on.call("/api/auth/totp", { token, body: { password: PASSWORD } });
  const { uri } = body as { uri: string };
  const code = new TOTP({ secret: new URL(uri).searchParams.get("secret") ?? "" }).generate({ timestamp: clock.at });
  return on.call("/api/auth/totp/confirm", { token, body: { code } });
}
const login = (on: TestServer, { email }: Account) =>
  on.call("/api/auth/login", { body: { email, password: PASSWORD } });

describe("setting up a second factor", () => {
  test("setting up a second factor ends all other sessions and mails the user", async () => {
    const other = (await login(server, user)).headers.get("x-session-token") ?? "";
    expect((await setUp(server, user.token)).status).toBe(200);
    expect((await server.call("/api/auth/me", { token: other })).status).toBe(401);
    expect((await server.call("/api/auth/me", { token: user.token })).status).toBe(200);
    const [message] = await listMessages(server, user.email, "account_security");
    expect(message?.subject).toBe("A second factor was set up for your account at Feather");
  });
});

describe("an admin who resets a second factor", () => {
  const reset = (id: string, body: object) =>
    server.call(`/api/admin/users/${id}/second-factor`, { method: "DELETE", token: admin.token, body });
  const resetBody = { reason: "Lost the telephone", password: PASSWORD };

  test("an admin who resets a second factor ends the user's sessions, mails them and is audited with the reason", async () => {
    await setUp(server, user.token);
    expect((await login(server, user)).status).toBe(202);
    expect((await reset(user.userId, resetBody)).status).toBe(204);
    expect((await server.call("/api/auth/me", { token: user.token })).status).toBe(401);
    expect((await login(server, user)).status).toBe(200);
    const [message] = (await listMessages(server, user.email, "account_security")).filter(({ subject }) =>
      subject.includes("was reset"),
    );
    expect(message?.body).toContain("Lost the telephone");
    const row = await server.db
      .selectFrom("audit_log")
      .select(["details", "actor_user_id"])
      .where("action", "=", "users.reset_second_factor")
      .where("target", "=", user.userId)
      .executeTakeFirst();
    expect(row).toEqual({ details: { reason: "Lost the telephone" }, actor_user_id: admin.userId });
  });

  test("an admin who resets a second factor must give password and reason, and cannot reset themselves or users without one", async () => {
    await setUp(server, user.token);
    expect(errorCode((await reset(user.userId, { reason: "Because" })).body)).toBe("auth.wrong_password");
    expect((await reset(user.userId, { password: PASSWORD })).status).toBe(400);
    expect(errorCode((await reset(admin.userId, resetBody)).body)).toBe("users.yourself");
    const { userId } = await server.signUp();
    expect(errorCode((await reset(userId, resetBody)).body)).toBe("users.no_second_factor");
    const { secret } = await server.createKey(admin, { scopes: ["admin"] });
    const options = { method: "DELETE", token: secret, body: resetBody };
    expect((await server.call(`/api/admin/users/${user.userId}/second-factor`, options)).status).toBe(401);
  });
});

describe("where admins must have a second factor", () => {
  test("an admin without a required second factor can only set one up, and do everything afterwards", async () => {
    const { token } = await strict.signInAdmin();
    expect((await strict.call("/api/auth/me", { token })).body).toMatchObject({ second_factor_required: true });
    for (const path of ["/api/admin/users", "/api/api-keys", "/api/account/export"]) {
      const answer = await strict.call(path, { token });
      expect([path, answer.status, errorCode(answer.body)]).toEqual([path, 403, "second_factor_required"]);
    }
    expect((await setUp(strict, token)).status).toBe(200);
    expect((await strict.call("/api/auth/me", { token })).body).toMatchObject({ second_factor_required: false });
    expect((await strict.call("/api/admin/users", { token })).status).toBe(200);
  });

  test("other users need no second factor where admins must have one", async () => {
    const { token } = await strict.signUp();
    expect((await strict.call("/api/api-keys", { token })).status).toBe(200);
  });
});
