import { createTestClock } from "@feather/testing/clock";
import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { AuditEvent } from "../../platform/core/audit.ts";
import { findMailedToken } from "../../testing/outbox.ts";
import { type Account, createTestServer, PASSWORD, type TestServer } from "../../testing/server.ts";
import { createSignInLog, maskEmail } from "./sign-in-log.ts";

const STEP = 30_000;
const NEW_PASSWORD = "a wholly different secret";
const clock = createTestClock();
let server: TestServer;
let user: Account;
let before = 0;

beforeAll(async () => {
  server = await createTestServer({ clock });
});
beforeEach(async () => {
  user = await server.signUp();
  before = (await log()).at(-1)?.sequence ?? 0;
});
afterAll(() => server.close());

async function log(after = 0) {
  const rows = await server.db.selectFrom("audit_log").selectAll().orderBy("sequence").execute();
  return rows.filter(({ sequence }) => Number(sequence) > Number(after));
}
const written = async () => (await log(before)).map(({ action }) => action);
const login = (email: string, password = PASSWORD) => server.call("/api/auth/login", { body: { email, password } });
const post = (path: string, body?: object, token = user.token) =>
  server.call(path, { method: "POST", token, ...(body && { body }) });
const codeAt = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.at });

async function setUpSecondFactor(): Promise<string> {
  const { secret } = (await post("/api/auth/totp", { password: PASSWORD })).body as { secret: string };
  await post("/api/auth/totp/confirm", { code: codeAt(secret) });
  clock.at += 2 * STEP;
  return secret;
}

describe("the audit log of sign-ins and security changes", () => {
  test.each<[string, string[], () => Promise<unknown>]>([
    ["registering", ["auth.register", "auth.login"], () => server.signUp()],
    ["logging in", ["auth.login"], () => login(user.email)],
    ["a wrong password", ["auth.login_failed"], () => login(user.email, "not this one at all")],
    ["logging out", ["auth.logout"], () => post("/api/auth/logout")],
    [
      "a wrong password where an act asks for it",
      ["auth.reauthentication_failed"],
      () => post("/api/auth/password", { current_password: "not this one at all", password: NEW_PASSWORD }),
    ],
    ["no password where an act asks for it", [], () => post("/api/auth/password", { password: NEW_PASSWORD })],
    [
      "ending all other sessions",
      ["auth.login", "sessions.delete_others"],
      async () => {
        await login(user.email);
        await server.call("/api/auth/sessions", { method: "DELETE", token: user.token });
      },
    ],
    [
      "changing the password",
      ["account.change_password"],
      () => post("/api/auth/password", { current_password: PASSWORD, password: NEW_PASSWORD }),
    ],
    [
      "resetting the password",
      ["account.change_password", "auth.login"],
      async () => {
        await server.call("/api/auth/forgot-password", { body: { email: user.email } });
        await server.api.identity.passwordReset.settled();
        const token = await findMailedToken(server, user.email, "password_reset");
        await server.call("/api/auth/reset-password", { body: { token, password: NEW_PASSWORD } });
      },
    ],
    [
      "a second factor, a wrong code and a right one",
      ["account.enable_totp", "auth.login_failed", "auth.login"],
      async () => {
        const secret = await setUpSecondFactor();
        const { challenge } = (await login(user.email)).body as { challenge: string };
        await server.call("/api/auth/login/second-factor", { body: { challenge, code: "abcde-fghjk" } });
        await server.call("/api/auth/login/second-factor", { body: { challenge, code: codeAt(secret) } });
      },
    ],
    [
      "turning the second factor off",
      ["account.enable_totp", "account.disable_totp"],
      async () => {
        const secret = await setUpSecondFactor();
        await server.call("/api/auth/totp", {
          method: "DELETE",
          token: user.token,
          body: { code: codeAt(secret), password: PASSWORD },
        });
      },
    ],
  ])("the audit log of sign-ins records %s", async (_what, actions, act) => {
    await act();
    expect(await written()).toEqual(actions);
  });

  test("the audit log of sign-ins records user, organization, IP address and method", async () => {
    await login(user.email);
    const [row] = await log(before);
    expect(row).toMatchObject({
      actor_user_id: user.userId,
      organization_id: user.organizationId,
      target: expect.stringMatching(/^ses_/),
      ip: "127.0.0.1",
      details: { method: "password" },
    });
  });

  test("the audit log of sign-ins records a failure without actor and with the e-mail masked, for known and unknown accounts", async () => {
    const missing = `nobody-${user.email}`;
    await login(user.email, "not this one at all");
    await login(missing, "not this one at all");
    const rows = await log(before);
    expect(rows).toMatchObject([
      { actor_user_id: null, target: user.userId, details: { reason: "wrong_credentials", email: "u…@example.com" } },
      { actor_user_id: null, target: null, details: { reason: "wrong_credentials", email: "n…@example.com" } },
    ]);
    expect(JSON.stringify(rows)).not.toContain(user.email);
  });

  test("the audit log of sign-ins records the attempt of a suspended account", async () => {
    await server.db.updateTable("users").set({ suspended_at: clock.now() }).where("id", "=", user.userId).execute();
    await login(user.email);
    expect(await log(before)).toMatchObject([{ action: "auth.login_failed", details: { reason: "suspended" } }]);
  });

  test("the audit log of sign-ins records the first admin created by the link, and none by the settings afterwards", async () => {
    const fresh = await createTestServer({ clock });
    const token = await fresh.api.identity.auth.issueSetupToken();
    await fresh.call("/api/auth/setup", { body: { token, email: "first@example.com", password: PASSWORD } });
    await fresh.api.identity.auth.ensureAdmin("second@example.com", PASSWORD);
    const rows = await fresh.db.selectFrom("audit_log").select(["action", "details"]).orderBy("sequence").execute();
    await fresh.close();
    expect(rows).toEqual([
      { action: "auth.setup", details: { from: "link" } },
      { action: "auth.login", details: { method: "setup" } },
    ]);
  });

  test("the audit log of sign-ins contains no secrets", async () => {
    await login(user.email);
    await login(user.email, "not this one at all");
    await post("/api/auth/password", { current_password: PASSWORD, password: NEW_PASSWORD });
    const text = JSON.stringify(await log(before));
    for (const secret of [PASSWORD, NEW_PASSWORD, "not this one at all", user.token])
      expect(text).not.toContain(secret);
  });
});

describe("a failed reauthentication", () => {
  const failures = async () => (await log(before)).filter(({ action }) => action === "auth.reauthentication_failed");
  const wrong = { password: "not this one at all" };

  test("a failed reauthentication is recorded with user, credential and IP address", async () => {
    await server.call("/api/account", { method: "DELETE", token: user.token, body: wrong });
    const [row] = await failures();
    expect(row).toMatchObject({
      actor_user_id: user.userId,
      target: user.userId,
      credential: expect.stringMatching(/^session:ses_/),
      ip: "127.0.0.1",
      details: { reason: "wrong_password" },
    });
  });

  test("a failed reauthentication is recorded for a wrong code when the second factor is disabled", async () => {
    await setUpSecondFactor();
    const body = { password: PASSWORD, code: "000000" };
    await server.call("/api/auth/totp", { method: "DELETE", token: user.token, body });
    expect((await failures()).map(({ details }) => details)).toEqual([{ reason: "wrong_code" }]);
  });

  test("a failed reauthentication is recorded when an admin wants to act as another user", async () => {
    const admin = await server.signInAdmin();
    const path = `/api/admin/users/${user.userId}/impersonate`;
    await server.call(path, { token: admin.token, body: { reason: "Looking into a ticket", ...wrong } });
    expect(await failures()).toMatchObject([{ actor_user_id: admin.userId, details: { reason: "wrong_password" } }]);
  });

  test("a failed reauthentication is recorded at most five times in ten minutes", async () => {
    for (let tries = 0; tries < 8; tries++)
      await server.call("/api/account", { method: "DELETE", token: user.token, body: wrong });
    expect(await failures()).toHaveLength(5);
  });
});

describe("limits of recorded failures", () => {
  const noted = () => {
    const acts: AuditEvent[] = [];
    return { acts, audit: { record: async (act: AuditEvent) => void acts.push(act) } };
  };
  const attempt = (email: string, ip = "203.0.113.9") => ({
    userId: null,
    email,
    ip,
    reason: "wrong_credentials" as const,
  });

  test("limits of recorded failures apply per address and account, and skipped failures are counted", async () => {
    const { acts, audit } = noted();
    const signIns = createSignInLog(audit, { perKey: 3, overall: 100 });
    for (let tries = 0; tries < 10; tries++) await signIns.recordFailedSignIn(attempt("ada@example.com"));
    expect(acts).toHaveLength(3);
    await signIns.recordFailedSignIn(attempt("bob@example.com"));
    expect(acts.at(-1)?.details).toMatchObject({ failures_left_out: 7 });
    await signIns.recordFailedSignIn(attempt("eve@example.com"));
    expect(acts.at(-1)?.details).not.toHaveProperty("failures_left_out");
  });

  test("limits of recorded failures apply to all addresses and accounts together", async () => {
    const { acts, audit } = noted();
    const signIns = createSignInLog(audit, { perKey: 3, overall: 20 });
    for (let tries = 0; tries < 200; tries++)
      await signIns.recordFailedSignIn(attempt(`user${tries}@example.com`, `2001:db8:${tries.toString(16)}::1`));
    expect(acts).toHaveLength(20);
  });
});

test.each([
  ["ada@example.com", "a…@example.com"],
  ["a@example.com", "a…@example.com"],
  ["ädä@example.com", "ä…@example.com"],
  ["no address", "n…"],
  ["@example.com", "@…"],
  ["", "…"],
])("the audit log masks the e-mail %j as %j", (email, masked) => {
  expect(maskEmail(email)).toBe(masked);
});
