import { createTestClock } from "@feather/testing/clock";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DAY_MS, HOUR_MS } from "../../platform/core/time.ts";
import { createTestServer, PASSWORD, type TestServer } from "../../testing/server.ts";

const clock = createTestClock();
let server: TestServer;

beforeAll(async () => {
  server = await createTestServer({ clock });
});
afterAll(() => server.close());

const register = (body: object) => server.call("/api/auth/register", { body });
const login = (email: string, password: string) => server.call("/api/auth/login", { body: { email, password } });
const me = (token: string) => server.call("/api/auth/me", { token });
const dataOf = (body: unknown) =>
  JSON.parse((body as { data: string }).data) as { code: string; details?: { fields?: { field: string }[] } };

describe("registering", () => {
  test("registering creates an account with an organization and signs in", async () => {
    const answer = await register({ email: "Ada@Example.com", password: PASSWORD });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      email: "Ada@Example.com",
      username: "ada",
      is_admin: false,
      organization: { role: "admin" },
    });
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect((await me(answer.headers.get("x-session-token") ?? "")).body).toMatchObject({ email: "Ada@Example.com" });
  });

  test("registering rejects a taken e-mail in any letter case and names the field", async () => {
    await register({ email: "taken@example.com", password: PASSWORD });
    const answer = await register({ email: "TAKEN@example.COM", password: PASSWORD });
    expect(answer.status).toBe(409);
    expect(dataOf(answer.body)).toMatchObject({ code: "auth.email_taken", details: { fields: [{ field: "email" }] } });
  });

  test("creates one account for twenty concurrent registrations with one e-mail", async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => register({ email: "race@example.com", password: PASSWORD })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(19).fill(409)]);
  });

  test("gives unique usernames to concurrent registrations of one name", async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => register({ email: `sam@host${index}.example`, password: PASSWORD })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(201));
    expect(new Set(answers.map(({ body }) => (body as { username: string }).username)).size).toBe(8);
  });

  test.each(["password123", "PASSWORD123", "aaaaaaaaaaaa", "abababababab", "self@example.com"])(
    "registering rejects the easily guessed password %s",
    async (password) => {
      const answer = await register({ email: "self@example.com", password });
      expect(answer.status).toBe(400);
      expect(dataOf(answer.body)).toMatchObject({
        code: "auth.password_too_common",
        details: { fields: [{ field: "password" }] },
      });
    },
  );

  test.each([
    ["a short password", { email: "x@example.com", password: "short" }, "password"],
    ["a password that is too long", { email: "x@example.com", password: "long".repeat(100) }, "password"],
    ["no e-mail", { password: PASSWORD }, "email"],
    ["an e-mail that is none", { email: "nobody", password: PASSWORD }, "email"],
    ["an e-mail of another type", { email: { $ne: null }, password: PASSWORD }, "email"],
    ["a field that makes an admin", { email: "x@example.com", password: PASSWORD, is_admin: true }, "is_admin"],
  ])("registering rejects %s and names the field", async (_what, body, field) => {
    const answer = await register(body);
    expect(answer.status).toBe(400);
    expect(dataOf(answer.body).details?.fields?.map((fault) => fault.field)).toContain(field);
  });

  test("registering rejects NUL without an internal error", async () => {
    expect((await register({ email: "nul\0@example.com", password: PASSWORD })).status).toBe(400);
    expect((await login("nul\0@example.com", PASSWORD)).status).toBe(400);
  });
});

describe("logging in", () => {
  test("logging in accepts the password with the e-mail in any letter case", async () => {
    await server.signUp("bob@example.com");
    expect((await login("BOB@example.com", PASSWORD)).status).toBe(200);
  });

  test("logging in gives the same error for a wrong password and an unknown e-mail", async () => {
    await server.signUp("carol@example.com");
    const [wrong, unknown] = await Promise.all([
      login("carol@example.com", "not-the-password"),
      login("nobody@example.com", "not-the-password"),
    ]);
    expect(wrong.status).toBe(401);
    expect(unknown.status).toBe(401);
    expect(unknown.text).toBe(wrong.text);
  });

  test("logging in accepts a password in another Unicode normalization", async () => {
    await register({ email: "zoe@example.com", password: "zo\u00eb-likes-feathers" });
    expect((await login("zoe@example.com", "zoe\u0308-likes-feathers")).status).toBe(200);
  });

  test("logging in sets a cookie that is HttpOnly and SameSite=Lax", async () => {
    const answer = await login("bob@example.com", PASSWORD);
    const [cookie = ""] = answer.headers.getSetCookie();
    expect(cookie).toMatch(/^session=ses_/);
    expect(cookie.split("; ").slice(1).sort()).toEqual([
      "Expires=Tue, 31 Mar 2026 12:00:00 GMT",
      "HttpOnly",
      "Path=/",
      "SameSite=Lax",
    ]);
  });

  test("logging in sets a Secure cookie where the public URL is https", async () => {
    const secure = await createTestServer({ env: { FEATHER_PUBLIC_URL: "https://feather.example" } });
    const answer = await secure.call("/api/auth/register", { body: { email: "a@example.com", password: PASSWORD } });
    expect(answer.headers.get("set-cookie")).toContain("; Secure");
    await secure.close();
  });

  test("logging in rejects a suspended account, and so do its sessions", async () => {
    const { token, userId } = await server.signUp("mallory@example.com");
    await server.db.updateTable("users").set({ suspended_at: clock.now() }).where("id", "=", userId).execute();
    expect((await login("mallory@example.com", PASSWORD)).status).toBe(401);
    expect((await me(token)).status).toBe(401);
  });

  test("logging in limits wrong attempts and sends Retry-After", async () => {
    const limited = await createTestServer({ env: { FEATHER_RATE_LIMITS: "on" } });
    const guess = () =>
      limited.call("/api/auth/login", { body: { email: "guessed@example.com", password: "not-the-password" } });
    const statuses: number[] = [];
    for (let count = 0; count < 10; count++) statuses.push((await guess()).status);
    expect(statuses).toEqual(Array(10).fill(401));
    const refused = await guess();
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(dataOf(refused.body).code).toBe("rate_limit_exceeded");
    const other = await limited.call("/api/auth/login", {
      body: { email: "other@example.com", password: "not-the-password" },
    });
    expect(other.status).toBe(401);
    await limited.close();
  });
});

describe("a session", () => {
  test("a session works as a cookie, but not for writes from another site", async () => {
    const { token } = await server.signUp();
    const cookie = { cookie: `session=${token}` };
    expect((await server.call("/api/auth/me", { headers: cookie })).status).toBe(200);
    const write = { body: { name: "k" }, headers: { ...cookie, origin: "https://evil.example" } };
    expect(await server.call("/api/api-keys", write)).toMatchObject({ status: 403 });
    expect(
      (await server.call("/api/api-keys", { body: { name: "k" }, headers: { ...cookie, origin: server.url } })).status,
    ).toBe(201);
  });

  test("a session expires after thirty days even if it is used", async () => {
    const { token } = await server.signUp();
    for (let day = 0; day < 29; day += 7) {
      clock.at += 7 * DAY_MS;
      expect((await me(token)).status).toBe(day < 28 ? 200 : 401);
    }
  });

  test("a session expires after fourteen days without use", async () => {
    const { token } = await server.signUp();
    clock.at += 14 * DAY_MS - 1_000;
    expect((await me(token)).status).toBe(200);
    clock.at += 14 * DAY_MS + 1_000;
    const answer = await me(token);
    expect(answer.status).toBe(401);
    expect(dataOf(answer.body).code).toBe("session_ended");
  });

  test("a session counts as anonymous after it has expired", async () => {
    const { token } = await server.signUp();
    await server.call("/api/auth/logout", { method: "POST", token });
    const headers = { cookie: `session=${token}` };
    expect((await server.call("/api/feather/stats", { headers })).status).toBe(200);
    expect((await server.call("/api/auth/me", { headers })).status).toBe(401);
  });

  test("a session is revoked by a logout, which keeps other sessions", async () => {
    const account = await server.signUp();
    const other = (await login(account.email, PASSWORD)).headers.get("x-session-token") ?? "";
    const answer = await server.call("/api/auth/logout", { method: "POST", token: account.token });
    expect(answer.status).toBe(204);
    expect(answer.headers.get("set-cookie")).toContain("session=;");
    expect((await me(account.token)).status).toBe(401);
    expect((await me(other)).status).toBe(200);
  });

  test("a session is stored only as a hash", async () => {
    const { token, userId } = await server.signUp();
    const rows = await server.db.selectFrom("sessions").selectAll().where("user_id", "=", userId).execute();
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(token.slice(4, 20));
  });
});

describe("the setup link", () => {
  const setup = (token: string, email: string) =>
    server.call("/api/auth/setup", { body: { token, email, password: PASSWORD } });

  test("the setup link expires after an hour and when a newer one is issued", async () => {
    const old = (await server.api.identity.auth.issueSetupToken()) ?? "";
    const late = (await server.api.identity.auth.issueSetupToken()) ?? "";
    expect((await setup(old, "old@example.com")).status).toBe(400);
    clock.at += HOUR_MS + 1_000;
    expect((await setup(late, "late@example.com")).status).toBe(400);
  });

  test("the setup link can be checked for its own purpose without being consumed", async () => {
    const usable = async (token: string, purpose: string) =>
      (await server.call("/api/auth/link", { body: { token, purpose } })).body;
    const old = (await server.api.identity.auth.issueSetupToken()) ?? "";
    expect([await usable(old, "setup"), await usable(old, "setup")]).toEqual([{ usable: true }, { usable: true }]);
    expect(await usable(old, "password_reset")).toEqual({ usable: false });
    expect(await usable("one_made_up", "setup")).toEqual({ usable: false });
    const late = (await server.api.identity.auth.issueSetupToken()) ?? "";
    expect([await usable(old, "setup"), await usable(late, "setup")]).toEqual([{ usable: false }, { usable: true }]);
    clock.at += HOUR_MS + 1_000;
    expect(await usable(late, "setup")).toEqual({ usable: false });
    expect((await server.call("/api/auth/link", { body: { token: late, purpose: "second_factor" } })).status).toBe(400);
  });

  test("the setup link creates one admin for twenty concurrent requests and none after that", async () => {
    const token = (await server.api.identity.auth.issueSetupToken()) ?? "";
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => setup(token, `root${index}@example.com`)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(19).fill(400)]);
    const admins = await server.db.selectFrom("users").select("email").where("is_admin", "=", true).execute();
    expect(admins).toHaveLength(1);
    expect((await setup(token, "again@example.com")).status).toBe(400);
    expect(await server.api.identity.auth.issueSetupToken()).toBeNull();
  });

  test("the setup link is rejected once the settings have created an admin", async () => {
    const fresh = await createTestServer();
    try {
      const token = (await fresh.api.identity.auth.issueSetupToken()) ?? "";
      await fresh.api.identity.auth.ensureAdmin("root@example.com", PASSWORD);
      const body = { token, email: "second@example.com", password: PASSWORD };
      expect(await fresh.call("/api/auth/setup", { body })).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining("There is an admin already") },
      });
      const open = await fresh.db.selectFrom("one_time_tokens").selectAll().where("purpose", "=", "setup").execute();
      expect(open).toEqual([]);
    } finally {
      await fresh.close();
    }
  });

  test("the setup link creates no second admin while the settings create one", async () => {
    const fresh = await createTestServer();
    try {
      const token = (await fresh.api.identity.auth.issueSetupToken()) ?? "";
      const body = { token, email: "link@example.com", password: PASSWORD };
      await Promise.all([
        fresh.call("/api/auth/setup", { body }),
        fresh.api.identity.auth.ensureAdmin("root@example.com", PASSWORD),
      ]);
      const admins = await fresh.db.selectFrom("users").select("email").where("is_admin", "=", true).execute();
      expect(admins).toHaveLength(1);
    } finally {
      await fresh.close();
    }
  });

  test.each(["", "one_nonsense", "' OR 1=1 --", "one_\0"])("the setup link rejects the token %j", async (token) => {
    expect((await setup(token, "guess@example.com")).status).toBe(400);
  });
});
