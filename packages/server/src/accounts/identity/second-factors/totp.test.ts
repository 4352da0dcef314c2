import { createTestClock } from "@feather/testing/clock";
import { errorCode } from "@feather/testing/errors";
import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { findMailedToken } from "../../../testing/outbox.ts";
import { type Account, createTestServer, PASSWORD, type TestServer } from "../../../testing/server.ts";

const STEP = 30_000;
const clock = createTestClock();
let server: TestServer;
let user: Account;

beforeAll(async () => {
  server = await createTestServer({ clock });
});
beforeEach(async () => {
  user = await server.signUp();
});
afterAll(() => server.close());

type Challenge = { challenge: string; expires_at: string };
const login = (email = user.email) => server.call("/api/auth/login", { body: { email, password: PASSWORD } });
const challenge = async () => ((await login()).body as Challenge).challenge;
const answer = (to: string, code: string) =>
  server.call("/api/auth/login/second-factor", { body: { challenge: to, code } });
const begin = (token = user.token) => server.call("/api/auth/totp", { token, body: { password: PASSWORD } });
const confirm = (code: string, token = user.token) => server.call("/api/auth/totp/confirm", { token, body: { code } });
const disable = (code: string) =>
  server.call("/api/auth/totp", { method: "DELETE", token: user.token, body: { code, password: PASSWORD } });
const me = (token = user.token) => server.call("/api/auth/me", { token });

/** Returns the code that an authenticator app shows at a time. */
const codeAt = (secret: string, at = clock.at) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at });

/** Sets up a second factor, and advances the clock past the time step of its first code. */
async function setUp(): Promise<{ secret: string; recovery: string[] }> {
  const { secret } = (await begin()).body as { secret: string };
  const confirmed = await confirm(codeAt(secret));
  clock.at += 2 * STEP;
  return { secret, recovery: (confirmed.body as { recovery_codes: string[] }).recovery_codes };
}

describe("setting up a second factor", () => {
  test("setting up a second factor returns the secret for the app and takes effect with a first code", async () => {
    const begun = await begin();
    const { secret, uri } = begun.body as { secret: string; uri: string };
    expect(begun.status).toBe(200);
    expect(uri).toMatch(/^otpauth:\/\/totp\/Feather:/);
    expect(new URL(uri).searchParams.get("secret")).toBe(secret);
    expect(decodeURIComponent(uri)).toContain(user.email);
    expect((await login()).status).toBe(200);
    const confirmed = await confirm(codeAt(secret));
    expect(confirmed.status).toBe(200);
    expect(new Set((confirmed.body as { recovery_codes: string[] }).recovery_codes).size).toBe(10);
    expect((await me()).body).toMatchObject({ totp_enabled: true });
    expect((await login()).status).toBe(202);
  });

  test("setting up a second factor rejects a wrong code", async () => {
    const { secret } = (await begin()).body as { secret: string };
    const wrong = await confirm(codeAt(secret, clock.at + 10 * STEP));
    expect([wrong.status, errorCode(wrong.body)]).toEqual([400, "auth.wrong_code"]);
    expect((await me()).body).toMatchObject({ totp_enabled: false });
  });

  test("setting up a second factor rejects a code before it was begun", async () => {
    const answer = await confirm("123456");
    expect([answer.status, errorCode(answer.body)]).toEqual([400, "auth.totp_not_begun"]);
  });

  test("setting up a second factor can be begun again with another secret until it takes effect", async () => {
    const first = (await begin()).body as { secret: string };
    const second = (await begin()).body as { secret: string };
    expect(second.secret).not.toBe(first.secret);
    expect((await confirm(codeAt(first.secret))).status).toBe(400);
    expect((await confirm(codeAt(second.secret))).status).toBe(200);
    const late = await begin();
    expect([late.status, errorCode(late.body)]).toEqual([409, "auth.totp_enabled"]);
  });

  test("setting up a second factor succeeds once for fifty concurrent confirmations", async () => {
    const { secret } = (await begin()).body as { secret: string };
    const answers = await Promise.all(Array.from({ length: 50 }, () => confirm(codeAt(secret))));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(49).fill(400)]);
  });

  test("setting up a second factor stores neither the secret nor the recovery codes in plain text", async () => {
    const { secret, recovery } = await setUp();
    const kept = JSON.stringify([
      await server.db.selectFrom("users").selectAll().where("id", "=", user.userId).execute(),
      await server.db.selectFrom("recovery_codes").selectAll().where("user_id", "=", user.userId).execute(),
      await server.db.selectFrom("audit_log").selectAll().where("target", "=", user.userId).execute(),
    ]);
    for (const text of [secret, Buffer.from(Secret.fromBase32(secret).bytes).toString("base64"), ...recovery])
      expect(kept).not.toContain(text);
  });
});

describe("logging in with a second factor", () => {
  test("logging in with a second factor requires a code before it signs in", async () => {
    const { secret } = await setUp();
    const pending = await login();
    expect(pending).toMatchObject({ status: 202, body: { second_factor: "totp" } });
    expect([pending.headers.get("set-cookie"), pending.headers.get("x-session-token")]).toEqual([null, null]);
    const { challenge: to } = pending.body as Challenge;
    expect((await me(to)).status).toBe(401);
    const signedIn = await answer(to, codeAt(secret));
    expect(signedIn).toMatchObject({ status: 200, body: { id: user.userId } });
    expect((await me(signedIn.headers.get("x-session-token") ?? "")).status).toBe(200);
  });

  test.each([-1, 0, 1])(
    "logging in with a second factor accepts the code of a clock that is %i steps off",
    async (steps) => {
      const { secret } = await setUp();
      expect((await answer(await challenge(), codeAt(secret, clock.at + steps * STEP))).status).toBe(200);
    },
  );

  test.each([-2, 2, 100])(
    "logging in with a second factor rejects the code of a clock that is %i steps off",
    async (steps) => {
      const { secret } = await setUp();
      const refused = await answer(await challenge(), codeAt(secret, clock.at + steps * STEP));
      expect([refused.status, errorCode(refused.body)]).toEqual([401, "auth.wrong_code"]);
    },
  );

  test("logging in with a second factor rejects a code that was used, and earlier ones", async () => {
    const { secret } = await setUp();
    expect((await answer(await challenge(), codeAt(secret))).status).toBe(200);
    expect((await answer(await challenge(), codeAt(secret))).status).toBe(401);
    expect((await answer(await challenge(), codeAt(secret, clock.at - STEP))).status).toBe(401);
    expect((await answer(await challenge(), codeAt(secret, clock.at + STEP))).status).toBe(200);
  });

  test("logging in with a second factor succeeds once for fifty concurrent sign-ins with one code", async () => {
    const { secret } = await setUp();
    const challenges = await Promise.all(Array.from({ length: 50 }, challenge));
    const answers = await Promise.all(challenges.map((to) => answer(to, codeAt(secret))));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(49);
  });

  test("logging in with a second factor accepts each recovery code once, also with fifty concurrent requests", async () => {
    const { recovery } = await setUp();
    const [first = "", second = ""] = recovery;
    const challenges = await Promise.all(Array.from({ length: 50 }, challenge));
    const answers = await Promise.all(challenges.map((to) => answer(to, first)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    clock.at += 3_600_000;
    expect((await answer(await challenge(), first)).status).toBe(401);
    expect((await answer(await challenge(), ` ${second.toUpperCase().replace("-", " ")} `)).status).toBe(200);
  });

  test("logging in with a second factor rejects the correct code after five wrong ones", async () => {
    const { secret } = await setUp();
    const to = await challenge();
    for (let count = 0; count < 5; count++) expect((await answer(to, "000000")).status).toBe(401);
    const late = await answer(to, codeAt(secret));
    expect([late.status, errorCode(late.body)]).toEqual([401, "auth.challenge_ended"]);
    expect((await answer(await challenge(), codeAt(secret))).status).toBe(200);
  });

  test("logging in with a second factor limits guesses across sign-ins and accepts the user an hour later", async () => {
    const { secret } = await setUp();
    for (let round = 0; round < 4; round++) {
      const to = await challenge();
      for (let count = 0; count < 5; count++) await answer(to, "000000");
    }
    const refused = await answer(await challenge(), codeAt(secret));
    expect([refused.status, errorCode(refused.body)]).toEqual([401, "auth.challenge_ended"]);
    clock.at += 3_600_000;
    expect((await answer(await challenge(), codeAt(secret))).status).toBe(200);
  });

  test("logging in with a second factor rejects challenges older than five minutes and answered ones", async () => {
    const { secret } = await setUp();
    const [late, used] = [await challenge(), await challenge()];
    expect((await answer(used, codeAt(secret))).status).toBe(200);
    clock.at += STEP;
    expect((await answer(used, codeAt(secret))).status).toBe(401);
    clock.at += 5 * 60_000;
    expect((await answer(late, codeAt(secret))).status).toBe(401);
  });

  test("logging in with a second factor rejects the code of another user", async () => {
    const { secret } = await setUp();
    const own = await challenge();
    user = await server.signUp();
    const other = await setUp();
    expect((await answer(own, codeAt(other.secret))).status).toBe(401);
    expect((await answer(await challenge(), codeAt(secret))).status).toBe(401);
  });

  test.each(["", "one_nonsense", "' OR 1=1 --", "x".repeat(300)])(
    "logging in with a second factor rejects the challenge %j",
    async (to) => {
      expect([400, 401]).toContain((await answer(to, "123456")).status);
    },
  );

  test("logging in with a second factor requires a code after a password reset by link", async () => {
    const { secret } = await setUp();
    await server.call("/api/auth/forgot-password", { body: { email: user.email } });
    await server.api.identity.passwordReset.settled();
    const token = await findMailedToken(server, user.email, "password_reset");
    const done = await server.call("/api/auth/reset-password", { body: { token, password: "birds-of-a-feather" } });
    expect([done.status, done.headers.get("x-session-token")]).toEqual([202, null]);
    expect((await answer((done.body as Challenge).challenge, codeAt(secret))).status).toBe(200);
  });

  test("logging in with a second factor requires a code after a new address was confirmed by its link", async () => {
    await setUp();
    const change = { email: `new-${user.email}`, current_password: PASSWORD };
    await server.call("/api/account", { method: "PUT", token: user.token, body: change });
    const token = await findMailedToken(server, change.email, "email_verification");
    const done = await server.call("/api/auth/email-verification", {
      body: { token, password: PASSWORD },
    });
    expect([done.status, done.headers.get("x-session-token")]).toEqual([202, null]);
    expect((await me()).body).toMatchObject({ email: change.email });
  });
});

describe("turning the second factor off", () => {
  test("turning the second factor off requires a code", async () => {
    const { secret } = await setUp();
    expect((await disable("000000")).status).toBe(401);
    expect((await me()).body).toMatchObject({ totp_enabled: true });
    expect((await disable(codeAt(secret))).status).toBe(204);
    expect((await me()).body).toMatchObject({ totp_enabled: false });
    expect((await login()).status).toBe(200);
  });

  test("turning the second factor off accepts a recovery code and removes all of them", async () => {
    const { recovery } = await setUp();
    expect((await disable(recovery[0] ?? "")).status).toBe(204);
    const left = await server.db.selectFrom("recovery_codes").selectAll().where("user_id", "=", user.userId).execute();
    expect(left).toHaveLength(0);
  });

  test("turning the second factor off is rejected if there is none", async () => {
    expect((await disable("123456")).status).toBe(401);
  });

  test("turning the second factor off is audited, as is setting it up", async () => {
    const { secret } = await setUp();
    await disable(codeAt(secret));
    const rows = await server.db
      .selectFrom("audit_log")
      .select("action")
      .where("target", "=", user.userId)
      .where("action", "like", "account.%")
      .orderBy("sequence")
      .execute();
    expect(rows.map(({ action }) => action)).toEqual(["account.enable_totp", "account.disable_totp"]);
  });
});
