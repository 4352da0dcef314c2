import { argon2 } from "node:crypto";
import { promisify } from "node:util";
import { createTestClock } from "@feather/testing/clock";
import { errorCode } from "@feather/testing/errors";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { MINUTE_MS } from "../../../platform/core/time.ts";
import { findMailedToken, listMessages } from "../../../testing/outbox.ts";
import { type Account, createTestServer, PASSWORD, type TestServer } from "../../../testing/server.ts";
import { type Argon2, createPasswordHasher } from "./passwords.ts";

const compute = vi.fn<Argon2>(promisify(argon2));

const NEW = "birds-of-a-feather";
const clock = createTestClock();
let server: TestServer;
let user: Account;

beforeAll(async () => {
  server = await createTestServer({ clock, passwords: createPasswordHasher(undefined, compute) });
});
beforeEach(async () => {
  user = await server.signUp();
});
afterAll(() => server.close());

const login = (email: string, password: string) => server.call("/api/auth/login", { body: { email, password } });
const sessionOf = async (email: string, password = PASSWORD) =>
  (await login(email, password)).headers.get("x-session-token") ?? "";
const me = (token: string) => server.call("/api/auth/me", { token });
const forgot = async (email: string) => {
  const answer = await server.call("/api/auth/forgot-password", { body: { email } });
  await server.api.identity.passwordReset.settled();
  return answer;
};
const reset = (token: string, password = NEW) => server.call("/api/auth/reset-password", { body: { token, password } });
const resetToken = async (email: string) => {
  await forgot(email);
  return findMailedToken(server, email, "password_reset");
};
const change = (token: string, body: object) => server.call("/api/auth/password", { token, body });

describe("a credential that acts for a user", () => {
  const keyStatus = async (secret: string) => (await server.call("/v1/plan", { token: secret })).status;
  const allow = async () => {
    const granted = { user_id: user.userId, organization_id: user.organizationId, application_id: "app_feather_cli" };
    await server.db
      .insertInto("oauth_grants")
      .values({ id: `grant_${user.userId}`, ...granted, scopes: ["user.read"], granted_at: clock.now() })
      .execute();
  };
  const grants = () => server.db.selectFrom("oauth_grants").select("id").where("user_id", "=", user.userId).execute();

  test("a credential that acts for a user is revoked by a password reset, however old it is, and listed in the mail", async () => {
    const recent = await server.createKey(user, { name: "notebook" });
    const old = await server.createKey(user, { name: "production" });
    await server.db
      .updateTable("api_keys")
      .set({ created_at: new Date(clock.at - 31 * 86_400_000) })
      .where("id", "=", old.id)
      .execute();
    await allow();
    expect((await reset(await resetToken(user.email))).status).toBe(200);
    expect([await keyStatus(recent.secret), await keyStatus(old.secret)]).toEqual([401, 401]);
    expect(await grants()).toEqual([]);
    const [message] = await listMessages(server, user.email, "password_changed");
    expect(message?.body).toContain("API keys that no longer work: notebook, production");
    expect(message?.body).toContain("Applications that may no longer act for you: Feather command line");
  });

  test("invitations that a user sent are withdrawn by a password reset and listed in the mail, those of others and accepted ones stay", async () => {
    const other = await server.signUp();
    const invite = (by: Account, id: string, used_at: Date | null = null) => ({
      id: `${id}_${user.userId}`,
      organization_id: by.organizationId,
      email: `${id}@example.com`,
      email_lower: `${id}@example.com`,
      role: "viewer",
      secret_hash: Buffer.from(`${id}_${user.userId}`),
      invited_by: by.userId,
      created_at: clock.now(),
      sent_at: clock.now(),
      expires_at: new Date(clock.at + 86_400_000),
      used_at,
    });
    const rows = [invite(user, "open"), invite(user, "accepted", clock.now()), invite(other, "others")];
    await server.db.insertInto("invitations").values(rows).execute();
    const { organization_id, role, sent_at, used_at, ...platform } = invite(user, "newcomer");
    await server.db.insertInto("platform_invitations").values(platform).execute();
    await reset(await resetToken(user.email));
    const left = await server.db
      .selectFrom("invitations")
      .select("email")
      .where("id", "like", `%${user.userId}`)
      .orderBy("id")
      .execute();
    expect(left.map(({ email }) => email)).toEqual(["accepted@example.com", "others@example.com"]);
    expect(await server.db.selectFrom("platform_invitations").select("id").execute()).toEqual([]);
    const [message] = await listMessages(server, user.email, "password_changed");
    expect(message?.body).toContain("Invitations of yours that were withdrawn: newcomer@example.com, open@example.com");
  });

  test("a credential that acts for a user stays on a reset if it is a key and the request says so", async () => {
    const key = await server.createKey(user);
    const token = await resetToken(user.email);
    const body = { token, password: NEW, end_keys: false };
    expect((await server.call("/api/auth/reset-password", { body })).status).toBe(200);
    expect(await keyStatus(key.secret)).toBe(200);
  });

  test("a credential that acts for a user is revoked by a password change, except keys unless the request says so", async () => {
    const key = await server.createKey(user);
    await allow();
    expect((await change(user.token, { current_password: PASSWORD, password: NEW })).status).toBe(204);
    expect([await keyStatus(key.secret), await grants()]).toEqual([200, []]);
    const session = await sessionOf(user.email, NEW);
    const body = { current_password: NEW, password: PASSWORD, end_keys: true };
    expect((await change(session, body)).status).toBe(204);
    expect(await keyStatus(key.secret)).toBe(401);
  });
});

describe("a forgotten password", () => {
  test("a forgotten password is replaced with the link, which signs in and ends every other session", async () => {
    const other = await sessionOf(user.email);
    const answer = await reset(await resetToken(user.email));
    expect(answer).toMatchObject({ status: 200, body: { id: user.userId } });
    const session = answer.headers.get("x-session-token") ?? "";
    expect((await me(session)).status).toBe(200);
    expect([(await me(other)).status, (await me(user.token)).status]).toEqual([401, 401]);
    expect([(await login(user.email, PASSWORD)).status, (await login(user.email, NEW)).status]).toEqual([401, 200]);
  });

  test("resetting a forgotten password mails the user", async () => {
    await reset(await resetToken(user.email));
    expect(await listMessages(server, user.email, "password_changed")).toHaveLength(1);
  });

  test("asking for a link for a forgotten password gives the same response for an unknown address", async () => {
    const [known, unknown] = [await forgot(user.email), await forgot("nobody@example.com")];
    expect([known.status, known.text]).toEqual([202, ""]);
    expect([unknown.status, unknown.text]).toEqual([202, ""]);
    const names = (headers: Headers) => [...headers.keys()].sort();
    expect(names(unknown.headers)).toEqual(names(known.headers));
    expect(await listMessages(server, "nobody@example.com")).toHaveLength(0);
  });

  test("a forgotten password can be replaced once by twelve concurrent requests with the link", async () => {
    const token = await resetToken(user.email);
    const answers = await Promise.all(Array.from({ length: 12 }, (_, index) => reset(token, `${NEW}-${index}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(11).fill(400)]);
    const winner = answers.findIndex(({ status }) => status === 200);
    expect((await login(user.email, `${NEW}-${winner}`)).status).toBe(200);
  });

  test("a forgotten password cannot be replaced with a link older than an hour", async () => {
    const token = await resetToken(user.email);
    clock.at += 60 * MINUTE_MS;
    const answer = await reset(token);
    expect([answer.status, errorCode(answer.body)]).toEqual([400, "auth.invalid_token"]);
    expect((await login(user.email, PASSWORD)).status).toBe(200);
  });

  test("a forgotten password gets a new link at most once a minute, and each stays good until one is used", async () => {
    const first = await resetToken(user.email);
    expect(await resetToken(user.email)).toBe(first);
    clock.at += MINUTE_MS;
    const second = await resetToken(user.email);
    expect(second).not.toBe(first);
    expect([(await reset(first)).status, (await reset(second)).status]).toEqual([200, 400]);
  });

  test("a forgotten password stays, and the link remains valid, if the new password is rejected", async () => {
    const token = await resetToken(user.email);
    const common = await reset(token, "password123");
    expect([common.status, errorCode(common.body)]).toEqual([400, "auth.password_too_common"]);
    expect((await reset(token, "short")).status).toBe(400);
    expect((await reset(token, user.email)).status).toBe(400);
    expect((await me(user.token)).status).toBe(200);
    expect((await reset(token)).status).toBe(200);
  });

  test("a forgotten password cannot be replaced by a link to an earlier address of the user", async () => {
    const token = await resetToken(user.email);
    const moved = { email: "moved@example.com", email_lower: "moved@example.com" };
    await server.db.updateTable("users").set(moved).where("id", "=", user.userId).execute();
    expect((await reset(token)).status).toBe(400);
  });

  test("a forgotten password cannot be replaced by suspended users", async () => {
    const token = await resetToken(user.email);
    await server.db.updateTable("users").set({ suspended_at: clock.now() }).where("id", "=", user.userId).execute();
    expect((await reset(token)).status).toBe(400);
    clock.at += MINUTE_MS;
    expect(await resetToken(user.email)).toBe(token);
  });

  test("resetting a forgotten password verifies the address that the link was sent to", async () => {
    await server.db.updateTable("users").set({ email_verified_at: null }).where("id", "=", user.userId).execute();
    expect((await reset(await resetToken(user.email))).body).toMatchObject({ email_verified: true });
  });

  test("a password can be set by a link for a user without a password", async () => {
    await server.db.updateTable("users").set({ password_hash: null }).where("id", "=", user.userId).execute();
    expect((await reset(await resetToken(user.email))).body).toMatchObject({ has_password: true });
    expect((await login(user.email, NEW)).status).toBe(200);
  });

  test.each(["", "one_nonsense", "' OR 1=1 --", "one_\0", "x".repeat(201)])(
    "a forgotten password cannot be replaced with the token %j",
    async (token) => {
      expect((await reset(token)).status).toBe(400);
    },
  );

  test("resetting a forgotten password is audited without secrets", async () => {
    await reset(await resetToken(user.email));
    const rows = await server.db.selectFrom("audit_log").selectAll().where("target", "=", user.userId).execute();
    expect(rows.map(({ action }) => action)).toContain("account.change_password");
    expect(JSON.stringify(rows)).not.toContain(NEW);
  });
});

describe("changing the password", () => {
  const body = { current_password: PASSWORD, password: NEW };

  test("changing the password ends all other sessions and rotates the secret of this one", async () => {
    const other = await sessionOf(user.email);
    const answer = await change(user.token, body);
    expect(answer.status).toBe(204);
    const renewed = answer.headers.get("x-session-token") ?? "";
    expect(renewed).not.toBe(user.token);
    expect(answer.headers.get("set-cookie")).toContain(`session=${renewed}`);
    const statuses = await Promise.all([renewed, user.token, other].map(async (token) => (await me(token)).status));
    expect(statuses).toEqual([200, 401, 401]);
    expect([(await login(user.email, PASSWORD)).status, (await login(user.email, NEW)).status]).toEqual([401, 200]);
  });

  test("changing the password does not extend the session", async () => {
    const [before] = await server.db.selectFrom("sessions").selectAll().where("user_id", "=", user.userId).execute();
    clock.at += 24 * 60 * MINUTE_MS;
    const answer = await change(user.token, body);
    expect(answer.headers.get("set-cookie")).toContain(`Expires=${before?.expires_at.toUTCString()}`);
  });

  test("changing the password mails the user", async () => {
    await change(user.token, body);
    expect(await listMessages(server, user.email, "password_changed")).toHaveLength(1);
  });

  test.each([
    ["a wrong present one", { current_password: "not-the-password", password: NEW }, "auth.wrong_password"],
    ["no present one", { password: NEW }, "auth.wrong_password"],
    ["a common one", { current_password: PASSWORD, password: "password123" }, "auth.password_too_common"],
    ["a short one", { current_password: PASSWORD, password: "short" }, "invalid_request"],
    ["a field of somebody else", { ...body, user_id: "usr_1" }, "invalid_request"],
  ])("changing the password is rejected with %s and changes nothing", async (_what, wrong, code) => {
    const answer = await change(user.token, wrong);
    expect([answer.status, errorCode(answer.body)]).toEqual([400, code]);
    expect((await me(user.token)).status).toBe(200);
    expect((await login(user.email, PASSWORD)).status).toBe(200);
  });

  test("changing the password needs no current password if there is none", async () => {
    await server.db.updateTable("users").set({ password_hash: null }).where("id", "=", user.userId).execute();
    expect((await change(user.token, { password: NEW })).status).toBe(204);
    expect((await login(user.email, NEW)).status).toBe(200);
  });

  test("changing the password ends every session if it is done with a key", async () => {
    const { secret } = await server.createKey(user, { scopes: ["user.write"] });
    const answer = await change(secret, body);
    expect([answer.status, answer.headers.get("x-session-token")]).toEqual([204, null]);
    expect((await me(user.token)).status).toBe(401);
  });
});

describe("the duration of signing in", () => {
  test("the duration of signing in does not reveal accounts, because every attempt computes a hash", async () => {
    const bare = await server.signUp();
    await server.db.updateTable("users").set({ password_hash: null }).where("id", "=", bare.userId).execute();
    const costs: unknown[] = [];
    for (const email of [user.email, "nobody@example.com", bare.email]) {
      compute.mockClear();
      await login(email, "not-the-password");
      costs.push(
        compute.mock.calls.map(([kind, { memory, passes, parallelism }]) => [kind, memory, passes, parallelism]),
      );
    }
    expect(costs).toEqual(Array(3).fill([["argon2id", 19_456, 2, 1]]));
  });
});

test("a hash of another cost matches no password", async () => {
  const hasher = createPasswordHasher();
  expect(await hasher.verify(PASSWORD, await hasher.hash(PASSWORD))).toBe(true);
  expect(await hasher.verify(PASSWORD, await createPasswordHasher({ memory: 8, passes: 1 }).hash(PASSWORD))).toBe(
    false,
  );
});
