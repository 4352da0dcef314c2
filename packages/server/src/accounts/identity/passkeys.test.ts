import { createTestClock } from "@feather/testing/clock";
import { errorCode } from "@feather/testing/errors";
import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { findMailedToken, listMessages } from "../../testing/outbox.ts";
import {
  type Account,
  createTestServer,
  PASSWORD,
  type RequestOptions,
  type TestServer,
} from "../../testing/server.ts";
import {
  createSoftwareAuthenticator,
  createUnknownKey,
  type Deviations,
} from "../../testing/software-authenticator.ts";

type Creation = Parameters<ReturnType<typeof createSoftwareAuthenticator>["create"]>[0];
type Request = Parameters<ReturnType<typeof createSoftwareAuthenticator>["get"]>[0];
type Registered = { passkey: { id: string; name: string; synced: boolean }; recovery_codes: string[] };
type Challenge = { challenge: string; methods: string[]; passkey: Request };
type Authenticator = ReturnType<typeof createSoftwareAuthenticator>;

const clock = createTestClock();
let server: TestServer;
let strict: TestServer;
let user: Account;

beforeAll(async () => {
  [server, strict] = await Promise.all([
    createTestServer({ clock }),
    createTestServer({ clock, env: { FEATHER_REQUIRE_SECOND_FACTOR: "all" } }),
  ]);
});
beforeEach(async () => {
  user = await server.signUp();
});
afterAll(() => Promise.all([server.close(), strict.close()]));

const begin = (token = user.token, on = server) =>
  on.call("/api/auth/passkeys/registration", { token, body: { password: PASSWORD } });
const register = (credential: object, token = user.token, on = server) =>
  on.call("/api/auth/passkeys", { token, body: { name: "Laptop", credential } });

/** Registers a passkey for the account of a session. */
async function add(token = user.token, on = server): Promise<{ authenticator: Authenticator } & Registered> {
  const authenticator = createSoftwareAuthenticator();
  const answer = await register(authenticator.create((await begin(token, on)).body as Creation), token, on);
  expect([answer.status, answer.text]).toEqual([201, answer.text]);
  return { authenticator, ...(answer.body as Registered) };
}

/** Starts a sign-in. Returns the options, and the browser's cookie. */
async function ask(headers: Record<string, string> = {}): Promise<{ options: Request; cookie: string }> {
  const answer = await server.call("/api/auth/login/passkey/begin", { method: "POST", headers });
  expect(answer.status).toBe(200);
  return { options: answer.body as Request, cookie: answer.headers.getSetCookie()[0]?.split(";")[0] ?? "" };
}
const finish = (credential: object, cookie: string, more: RequestOptions = {}) =>
  server.call("/api/auth/login/passkey", { body: { credential }, headers: { cookie }, ...more });

async function signIn(authenticator: Authenticator, deviations: Deviations = {}) {
  const { options, cookie } = await ask();
  return finish(authenticator.get(options, deviations), cookie);
}
const login = async () =>
  (await server.call("/api/auth/login", { body: { email: user.email, password: PASSWORD } })).body as Challenge;
const answer = (body: object) => server.call("/api/auth/login/second-factor", { body });
const me = (token: string) => server.call("/api/auth/me", { token });
const list = async (token = user.token) =>
  ((await server.call("/api/auth/passkeys", { token })).body as { items: Registered["passkey"][] }).items;
const remove = (id: string, token = user.token, on = server, body: object = { password: PASSWORD }) =>
  on.call(`/api/auth/passkeys/${id}`, { method: "DELETE", token, body });
const resultOf = ({ status, body }: { status: number; body: unknown }) => [status, errorCode(body)];

/** Sets up an authenticator app. Returns the function that computes its code at a time. */
async function setUpTotp() {
  const { body } = await server.call("/api/auth/totp", { token: user.token, body: { password: PASSWORD } });
  const secret = Secret.fromBase32((body as { secret: string }).secret);
  const codeAt = (timestamp = clock.at) => new TOTP({ secret }).generate({ timestamp });
  const confirmed = await server.call("/api/auth/totp/confirm", { token: user.token, body: { code: codeAt() } });
  clock.at += 60_000;
  return { codeAt, recovery: (confirmed.body as { recovery_codes: string[] }).recovery_codes };
}

describe("registering a passkey", () => {
  test("registering a passkey lists it, returns recovery codes once, ends other sessions, notifies the user and is audited", async () => {
    const other = await server.call("/api/auth/login", { body: { email: user.email, password: PASSWORD } });
    const { passkey, recovery_codes: codes } = await add();
    expect(codes).toHaveLength(10);
    expect(await list()).toMatchObject([{ id: passkey.id, name: "Laptop", synced: false, last_used_at: null }]);
    expect((await me(other.headers.get("x-session-token") ?? "")).status).toBe(401);
    expect((await me(user.token)).status).toBe(200);
    const [message] = await listMessages(server, user.email, "account_security");
    expect(message?.subject).toBe("A passkey was added to your account at Feather");
    const second = await add();
    expect(second.recovery_codes).toEqual([]);
    await remove(second.passkey.id);
    const acts = await server.db
      .selectFrom("audit_log")
      .select(["action", "target"])
      .where("actor_user_id", "=", user.userId)
      .where("action", "like", "account.%passkey")
      .orderBy("sequence")
      .execute();
    expect(acts.map(({ action, target }) => [action, target])).toEqual([
      ["account.add_passkey", passkey.id],
      ["account.add_passkey", second.passkey.id],
      ["account.remove_passkey", second.passkey.id],
    ]);
  });

  test("registering a passkey requires the password", async () => {
    const path = "/api/auth/passkeys/registration";
    const refused = await server.call(path, { token: user.token, body: { password: "not this one" } });
    expect(resultOf(refused)).toEqual([400, "auth.wrong_password"]);
    expect((await server.call(path, { token: user.token, body: {} })).status).toBe(400);
  });

  test("registering a passkey excludes existing passkeys and identifies the account by its id", async () => {
    const { authenticator } = await add();
    const options = (await begin()).body as Creation;
    expect(options.excludeCredentials.map(({ id }) => id)).toEqual([authenticator.id]);
    expect(Buffer.from(options.user.id, "base64url").toString()).toBe(user.userId);
    expect(options).toMatchObject({ attestation: "none", rp: { id: "localhost", name: "Feather" } });
  });

  test.each<[string, Deviations]>([
    ["at another origin", { origin: "https://evil.example" }],
    ["for another site", { rpId: "evil.example" }],
    ["by an answer that is no registration", { type: "webauthn.get" }],
    ["while nobody was there", { isPresent: false }],
  ])("registering a passkey is rejected %s", async (_what, deviations) => {
    const made = createSoftwareAuthenticator().create((await begin()).body as Creation, deviations);
    expect(resultOf(await register(made))).toEqual([400, "auth.wrong_passkey"]);
    expect(await list()).toEqual([]);
  });

  test("registering a passkey accepts a challenge once, within five minutes and in the session that requested it", async () => {
    const ended = [400, "auth.challenge_ended"];
    const made = async () => createSoftwareAuthenticator().create((await begin()).body as Creation);
    const credential = await made();
    expect((await register(credential)).status).toBe(201);
    expect(resultOf(await register(credential))).toEqual(ended);
    const late = await made();
    clock.at += 5 * 60_000;
    expect(resultOf(await register(late))).toEqual(ended);
    const stranger = await server.signUp();
    expect(resultOf(await register(await made(), stranger.token))).toEqual(ended);
    expect(resultOf(await register(await made(), await sessionOf(user)))).toEqual(ended);
    const invented = createSoftwareAuthenticator().create((await begin()).body as Creation, { challenge: "b25lX3g" });
    expect(resultOf(await register(invented))).toEqual(ended);
  });

  test("a passkey is registered once and for one account only", async () => {
    const authenticator = createSoftwareAuthenticator();
    await register(authenticator.create((await begin()).body as Creation));
    const other = await server.signUp();
    const again = authenticator.create((await begin(other.token)).body as Creation);
    expect(resultOf(await register(again, other.token))).toEqual([409, "passkeys.registered"]);
  });

  test("registering a passkey succeeds once for twenty concurrent requests with one challenge", async () => {
    const options = (await begin()).body as Creation;
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => register(createSoftwareAuthenticator().create(options))),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  });

  test("rejects more than twenty passkeys of an account", async () => {
    const rows = Array.from({ length: 19 }, (_, index) => ({
      id: `psk_${user.userId}${index}`,
      user_id: user.userId,
      credential_id: Buffer.from(`${user.userId}${index}`),
      public_key: Buffer.from("x"),
      sign_count: 0,
      transports: [],
      backed_up: false,
      name: "filler",
      created_at: clock.now(),
    }));
    await server.db.insertInto("passkeys").values(rows).execute();
    await add();
    expect(resultOf(await begin())).toEqual([409, "passkeys.limit_reached"]);
  });

  test("registering a passkey rejects API keys and impersonated sessions", async () => {
    const key = await server.createKey(user, { scopes: ["user.read", "user.write"] });
    const admin = await server.signInAdmin();
    const started = await server.call(`/api/admin/users/${user.userId}/impersonate`, {
      token: admin.token,
      body: { reason: "Looking", password: PASSWORD },
    });
    const acting = started.headers.get("x-session-token") ?? "";
    expect((await begin(key.secret)).status).toBe(401);
    expect((await server.call("/api/auth/passkeys", { token: key.secret })).status).toBe(401);
    expect(resultOf(await begin(acting))).toEqual([403, "impersonation_forbidden"]);
    const { passkey } = await add();
    for (const token of [key.secret, acting]) {
      expect([401, 403]).toContain((await remove(passkey.id, token)).status);
      const renamed = await server.call(`/api/auth/passkeys/${passkey.id}`, {
        method: "PUT",
        token,
        body: { name: "mine" },
      });
      expect([401, 403]).toContain(renamed.status);
    }
  });

  test.each([
    ["a name of 65 letters", { name: "x".repeat(65) }],
    ["a blank name", { name: "  " }],
    ["an endless id", { credential: { id: "x".repeat(1_401) } }],
    ["an endless attestation", { credential: { response: { attestationObject: "x".repeat(32_769) } } }],
    ["unknown fields", { credential: { response: { more: 1 } } }],
    ["too many transports", { credential: { response: { transports: Array<string>(11).fill("usb") } } }],
  ])("registering a passkey rejects %s", async (_what, changes) => {
    const made = createSoftwareAuthenticator().create((await begin()).body as Creation);
    const { credential = {}, ...fields } = changes as { credential?: { response?: object }; name?: string };
    const response = { ...made.response, ...credential.response };
    const body = { name: "Laptop", ...fields, credential: { ...made, ...credential, response } };
    expect((await server.call("/api/auth/passkeys", { token: user.token, body })).status).toBe(400);
  });

  test.each(["", "AAAA", "!!", "eyJ9", Buffer.from("null").toString("base64url")])(
    "registering a passkey rejects the client data %j",
    async (clientDataJSON) => {
      const made = createSoftwareAuthenticator().create((await begin()).body as Creation);
      const refused = await register({ ...made, response: { ...made.response, clientDataJSON } });
      expect(refused.status).toBe(400);
    },
  );

  test.each(["AAAA", "o2NmbXRkbm9uZQ", Buffer.alloc(20_000, 0x9f).toString("base64url")])(
    "registering a passkey rejects the attestation that begins with %.14s",
    async (attestationObject) => {
      const made = createSoftwareAuthenticator().create((await begin()).body as Creation);
      const refused = await register({ ...made, response: { ...made.response, attestationObject } });
      expect(resultOf(refused)).toEqual([400, "auth.wrong_passkey"]);
    },
  );
});

/** Creates another session of the account without asking for a second factor. */
async function sessionOf({ userId }: Account): Promise<string> {
  const visitor = { ip: "127.0.0.1", userAgent: undefined, language: null };
  return (await server.api.identity.auth.startSession(userId, visitor, "password")).secret;
}

describe("signing in with a passkey alone", () => {
  test("signing in with a passkey signs in without password or second factor and stores the use", async () => {
    const { authenticator, passkey } = await add();
    const signedIn = await signIn(authenticator, { counter: 3, backedUp: true });
    expect(signedIn).toMatchObject({ status: 200, body: { id: user.userId } });
    const token = signedIn.headers.get("x-session-token") ?? "";
    expect((await me(token)).status).toBe(200);
    expect(await list(token)).toMatchObject([
      { id: passkey.id, synced: true, last_used_at: clock.now().toISOString() },
    ]);
    const row = await server.db
      .selectFrom("audit_log")
      .select("details")
      .where("actor_user_id", "=", user.userId)
      .where("action", "=", "auth.login")
      .orderBy("sequence", "desc")
      .executeTakeFirst();
    expect(row?.details).toEqual({ method: "passkey" });
  });

  test("signing in with a passkey ends the session of the request", async () => {
    const { authenticator } = await add();
    const { options, cookie } = await ask();
    expect((await finish(authenticator.get(options), cookie, { token: user.token })).status).toBe(200);
    expect((await me(user.token)).status).toBe(401);
  });

  test.each<[string, Deviations, number, string]>([
    ["at another origin", { origin: "https://evil.example" }, 401, "auth.wrong_passkey"],
    ["for another site", { rpId: "evil.example" }, 401, "auth.wrong_passkey"],
    ["to an invented challenge", { challenge: "b25lX3g" }, 401, "auth.challenge_ended"],
    ["that is a registration", { type: "webauthn.create" }, 401, "auth.wrong_passkey"],
    ["without a check of who holds the device", { verifiesUser: false }, 401, "passkeys.user_verification_required"],
    ["while nobody was there", { isPresent: false }, 401, "auth.wrong_passkey"],
    ["for somebody else", { userHandle: Buffer.from("usr_other").toString("base64url") }, 401, "auth.wrong_passkey"],
    ["for nobody", { userHandle: null }, 401, "auth.wrong_passkey"],
  ])("signing in with a passkey rejects an answer %s", async (_what, deviations, status, code) => {
    const { authenticator } = await add();
    const refused = await signIn(authenticator, deviations);
    expect([...resultOf(refused), refused.headers.get("x-session-token")]).toEqual([status, code, null]);
  });

  test("signing in with a passkey rejects unknown passkeys and signatures of another key", async () => {
    const { authenticator } = await add();
    expect(resultOf(await signIn(createSoftwareAuthenticator()))).toEqual([401, "auth.wrong_passkey"]);
    const { options, cookie } = await ask();
    expect(resultOf(await finish(authenticator.get(options, {}, createUnknownKey()), cookie))).toEqual([
      401,
      "auth.wrong_passkey",
    ]);
  });

  test("signing in with a passkey accepts a challenge once, within five minutes and in the browser that requested it", async () => {
    const { authenticator } = await add();
    const ended = [401, "auth.challenge_ended"];
    const used = await ask();
    expect((await finish(authenticator.get(used.options), used.cookie)).status).toBe(200);
    expect(resultOf(await finish(authenticator.get(used.options), used.cookie))).toEqual(ended);
    const elsewhere = await ask();
    expect(resultOf(await finish(authenticator.get(elsewhere.options), (await ask()).cookie))).toEqual(ended);
    const without = await ask();
    expect(resultOf(await finish(authenticator.get(without.options), ""))).toEqual(ended);
    const late = await ask();
    clock.at += 5 * 60_000;
    expect(resultOf(await finish(authenticator.get(late.options), late.cookie))).toEqual(ended);
  });

  test("signing in with a passkey consumes the challenge even if the answer is wrong", async () => {
    const { authenticator } = await add();
    const { options, cookie } = await ask();
    await finish(authenticator.get(options, { origin: "https://evil.example" }), cookie);
    expect(resultOf(await finish(authenticator.get(options), cookie))).toEqual([401, "auth.challenge_ended"]);
  });

  test("signing in with a passkey works in two tabs of one browser at once", async () => {
    const { authenticator } = await add();
    const first = await ask();
    const second = await ask({ cookie: first.cookie });
    expect((await finish(authenticator.get(first.options), second.cookie)).status).toBe(200);
  });

  test("signing in with a passkey rejects the challenge of a registration, and a registration that of a sign-in", async () => {
    const { authenticator } = await add();
    const { challenge } = (await begin()).body as Creation;
    const { options, cookie } = await ask();
    const confused = authenticator.get({ ...options, challenge });
    expect(resultOf(await finish(confused, cookie))).toEqual([401, "auth.challenge_ended"]);
  });

  test("signing in with a passkey rejects and records a counter that does not increase, after checking the signature", async () => {
    const { authenticator, passkey } = await add();
    expect((await signIn(authenticator, { counter: 5 })).status).toBe(200);
    const { options, cookie } = await ask();
    await finish(authenticator.get(options, { counter: 4 }, createUnknownKey()), cookie);
    for (const counter of [5, 4, 0])
      expect(resultOf(await signIn(authenticator, { counter }))).toEqual([401, "passkeys.counter"]);
    expect((await signIn(authenticator, { counter: 6 })).status).toBe(200);
    const rows = await server.db
      .selectFrom("audit_log")
      .select("details")
      .where("target", "=", user.userId)
      .where("action", "=", "auth.login_failed")
      .orderBy("sequence")
      .execute();
    expect(rows.map(({ details }) => (details as { reason: string }).reason)).toEqual([
      "wrong_passkey",
      ...Array<string>(3).fill("passkey_counter"),
    ]);
    const row = await server.db.selectFrom("passkeys").select("sign_count").where("id", "=", passkey.id).execute();
    expect(row).toEqual([{ sign_count: 6 }]);
  });

  test("signing in with a passkey succeeds once for twenty concurrent requests with one counter", async () => {
    const { authenticator } = await add();
    const challenges = await Promise.all(Array.from({ length: 20 }, () => ask()));
    const answers = await Promise.all(
      challenges.map(({ options, cookie }) => finish(authenticator.get(options, { counter: 1 }), cookie)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test("signing in with a passkey rejects suspended accounts", async () => {
    const { authenticator } = await add();
    await server.db.updateTable("users").set({ suspended_at: clock.now() }).where("id", "=", user.userId).execute();
    expect(resultOf(await signIn(authenticator))).toEqual([401, "account_suspended"]);
  });

  test("signing in with a passkey is unavailable at a URL where browsers allow no passkeys", async () => {
    const plain = await createTestServer({ clock, env: { FEATHER_PUBLIC_URL: "http://feather.example" } });
    const refused = await plain.call("/api/auth/login/passkey/begin", { method: "POST" });
    expect(resultOf(refused)).toEqual([409, "passkeys.unavailable"]);
    expect((await plain.call("/api/config")).body).toMatchObject({ passkeys: false });
    expect((await server.call("/api/config")).body).toMatchObject({ passkeys: true });
    await plain.close();
  });
});

describe("a passkey as second factor", () => {
  test("a passkey as second factor is requested after the password and accepted without user verification", async () => {
    const { authenticator } = await add();
    const challenges = await login();
    expect(challenges).toMatchObject({ second_factor: "passkey", methods: ["passkey", "recovery_code"] });
    expect(challenges.passkey.allowCredentials.map(({ id }) => id)).toEqual([authenticator.id]);
    const passkey = authenticator.get(challenges.passkey, { verifiesUser: false, userHandle: null });
    const signedIn = await answer({ challenge: challenges.challenge, passkey });
    expect(signedIn).toMatchObject({ status: 200, body: { id: user.userId } });
    expect(resultOf(await answer({ challenge: challenges.challenge, passkey }))).toEqual([401, "auth.challenge_ended"]);
  });

  test("a passkey as second factor is an alternative to an authenticator app and recovery codes", async () => {
    const { codeAt, recovery } = await setUpTotp();
    const { authenticator, recovery_codes: more } = await add();
    expect(more).toEqual([]);
    const challenges = await login();
    expect(challenges).toMatchObject({ second_factor: "totp", methods: ["totp", "passkey", "recovery_code"] });
    expect((await answer({ challenge: challenges.challenge, code: codeAt() })).status).toBe(200);
    expect((await answer({ challenge: (await login()).challenge, code: recovery[0] })).status).toBe(200);
    const last = await login();
    expect((await answer({ challenge: last.challenge, passkey: authenticator.get(last.passkey) })).status).toBe(200);
  });

  test("a passkey as second factor can be replaced by a recovery code, but not by an app code without an app", async () => {
    const { recovery_codes: codes } = await add();
    expect(resultOf(await answer({ challenge: (await login()).challenge, code: "123456" }))).toEqual([
      401,
      "auth.wrong_code",
    ]);
    expect((await answer({ challenge: (await login()).challenge, code: codes[0] })).status).toBe(200);
  });

  test("a second factor rejects the passkey of another account and the answer to another challenge", async () => {
    const { authenticator } = await add();
    const [first, second] = [await login(), await login()];
    const crossed = await answer({ challenge: first.challenge, passkey: authenticator.get(second.passkey) });
    expect(resultOf(crossed)).toEqual([401, "auth.wrong_passkey"]);
    user = await server.signUp();
    const own = await add();
    const challenges = await login();
    const foreign = await answer({ challenge: challenges.challenge, passkey: authenticator.get(challenges.passkey) });
    expect(resultOf(foreign)).toEqual([401, "auth.wrong_passkey"]);
    const right = await answer({ challenge: challenges.challenge, passkey: own.authenticator.get(challenges.passkey) });
    expect(right.status).toBe(200);
  });

  test("a passkey as second factor ends the challenge after five wrong answers", async () => {
    const { authenticator } = await add();
    const challenges = await login();
    const wrong = () => authenticator.get(challenges.passkey, { origin: "https://evil.example" });
    for (let count = 0; count < 5; count++)
      expect((await answer({ challenge: challenges.challenge, passkey: wrong() })).status).toBe(401);
    const late = await answer({ challenge: challenges.challenge, passkey: authenticator.get(challenges.passkey) });
    expect(resultOf(late)).toEqual([401, "auth.challenge_ended"]);
  });

  test("a passkey as second factor cannot be sent together with a code", async () => {
    const { authenticator } = await add();
    const { challenge, passkey } = await login();
    expect((await answer({ challenge, code: "123456", passkey: authenticator.get(passkey) })).status).toBe(400);
    expect((await answer({ challenge })).status).toBe(400);
  });
});

describe("a passkey that was added before a reset of the password", () => {
  const NEW_PASSWORD = "birds-of-a-feather";
  /** Resets the password. Returns the challenge for a second factor. */
  async function reset(): Promise<Challenge> {
    await server.call("/api/auth/forgot-password", { body: { email: user.email } });
    await server.api.identity.passwordReset.settled();
    const token = await findMailedToken(server, user.email, "password_reset");
    const done = await server.call("/api/auth/reset-password", { body: { token, password: NEW_PASSWORD } });
    expect(done.status).toBe(202);
    return done.body as Challenge;
  }

  test("a passkey that was added before a reset no longer signs in alone, also where the sign-in had begun", async () => {
    const { authenticator } = await add();
    const { options, cookie } = await ask();
    await reset();
    expect(resultOf(await finish(authenticator.get(options), cookie))).toEqual([401, "passkeys.password_first"]);
    expect(resultOf(await signIn(authenticator))).toEqual([401, "passkeys.password_first"]);
  });

  test("a passkey that was added before a reset is asked for as second factor, and signs in alone again once it has answered", async () => {
    const { authenticator } = await add();
    const { challenge, methods, passkey } = await reset();
    expect(methods).toEqual(["passkey", "recovery_code"]);
    const signedIn = await answer({ challenge, passkey: authenticator.get(passkey) });
    expect(signedIn.status).toBe(200);
    expect(await list(signedIn.headers.get("x-session-token") ?? "")).toMatchObject([{ signs_in_alone: true }]);
    expect((await signIn(authenticator)).status).toBe(200);
  });

  test("a passkey that was added before a reset by somebody else stays out when the owner answers with another one", async () => {
    const owners = await add();
    clock.at += 1_000;
    const strangers = await add();
    const { challenge, passkey } = await reset();
    const signedIn = await answer({ challenge, passkey: owners.authenticator.get(passkey) });
    expect(await list(signedIn.headers.get("x-session-token") ?? "")).toMatchObject([
      { id: owners.passkey.id, signs_in_alone: true },
      { id: strangers.passkey.id, signs_in_alone: false },
    ]);
    expect(resultOf(await signIn(strangers.authenticator))).toEqual([401, "passkeys.password_first"]);
  });

  test("a passkey that was added before a reset is named in the mail, and the recovery codes stay", async () => {
    await add();
    await reset();
    const [message] = await listMessages(server, user.email, "password_changed");
    expect(message?.body).toContain(
      "Passkeys that sign in only after your new password, until you have used them that way: Laptop",
    );
    const codes = server.db.selectFrom("recovery_codes").select("user_id").where("user_id", "=", user.userId);
    expect(await codes.execute()).toHaveLength(10);
  });
});

describe("the passkeys of an account", () => {
  test("passkeys can be renamed only by their user", async () => {
    const { passkey } = await add();
    const stranger = await server.signUp();
    const rename = (token: string) =>
      server.call(`/api/auth/passkeys/${passkey.id}`, { method: "PUT", token, body: { name: " Phone " } });
    expect((await rename(stranger.token)).status).toBe(404);
    expect((await rename(user.token)).body).toMatchObject({ name: "Phone" });
    expect(await list()).toMatchObject([{ name: "Phone" }]);
    expect(await list(stranger.token)).toEqual([]);
  });

  test("passkeys can be removed only by their user with the password, and no longer sign in", async () => {
    const { authenticator, passkey } = await add();
    const stranger = await server.signUp();
    expect((await remove(passkey.id, stranger.token)).status).toBe(404);
    expect(resultOf(await remove(passkey.id, user.token, server, {}))).toEqual([400, "auth.wrong_password"]);
    const other = await sessionOf(user);
    expect((await remove(passkey.id)).status).toBe(204);
    expect((await me(other)).status).toBe(401);
    expect(resultOf(await signIn(authenticator))).toEqual([401, "auth.wrong_passkey"]);
    expect((await server.call("/api/auth/login", { body: { email: user.email, password: PASSWORD } })).status).toBe(
      200,
    );
    const left = await server.db.selectFrom("recovery_codes").selectAll().where("user_id", "=", user.userId).execute();
    expect(left).toEqual([]);
    const subjects = (await listMessages(server, user.email, "account_security")).map(({ subject }) => subject);
    expect(subjects).toContain("A passkey was removed from your account at Feather");
  });

  test("removed passkeys keep the recovery codes while another second factor remains", async () => {
    const { codeAt, recovery } = await setUpTotp();
    const { passkey } = await add();
    await remove(passkey.id);
    expect((await answer({ challenge: (await login()).challenge, code: recovery[0] })).status).toBe(200);
    const { authenticator } = await add();
    await server.call("/api/auth/totp", {
      method: "DELETE",
      token: user.token,
      body: { code: codeAt(), password: PASSWORD },
    });
    expect(await login()).toMatchObject({ methods: ["passkey", "recovery_code"] });
    expect((await answer({ challenge: (await login()).challenge, code: recovery[1] })).status).toBe(200);
    expect((await signIn(authenticator)).status).toBe(200);
  });

  test("passkeys satisfy a required second factor, of which the last one cannot be removed", async () => {
    const { token } = await strict.signUp();
    expect(errorCode((await strict.call("/api/api-keys", { token })).body)).toBe("second_factor_required");
    const { passkey } = await add(token, strict);
    expect((await strict.call("/api/api-keys", { token })).status).toBe(200);
    expect(resultOf(await remove(passkey.id, token, strict))).toEqual([409, "auth.last_second_factor"]);
    const second = await add(token, strict);
    expect((await remove(passkey.id, token, strict)).status).toBe(204);
    expect(resultOf(await remove(second.passkey.id, token, strict))).toEqual([409, "auth.last_second_factor"]);
  });

  test("passkeys are removed when an admin resets the second factor", async () => {
    const { authenticator } = await add();
    const admin = await server.signInAdmin();
    const path = `/api/admin/users/${user.userId}`;
    expect((await server.call(path, { token: admin.token })).body).toMatchObject({ has_second_factor: true });
    const body = { reason: "Lost the telephone", password: PASSWORD };
    expect((await server.call(`${path}/second-factor`, { method: "DELETE", token: admin.token, body })).status).toBe(
      204,
    );
    expect((await server.call(path, { token: admin.token })).body).toMatchObject({ has_second_factor: false });
    expect(resultOf(await signIn(authenticator))).toEqual([401, "auth.wrong_passkey"]);
  });

  test("passkeys are exported without their keys and deleted with the account", async () => {
    const { passkey } = await add();
    const exported = await server.call("/api/account/export", { token: user.token });
    const { passkeys } = exported.body as { passkeys: object[] };
    expect(passkeys.map((row) => Object.keys(row).sort())).toEqual([
      ["created_at", "id", "last_used_at", "name", "synced"],
    ]);
    await server.call("/api/account", { method: "DELETE", token: user.token, body: { password: PASSWORD } });
    const left = await server.db.selectFrom("passkeys").select("id").where("id", "=", passkey.id).execute();
    expect(left).toEqual([]);
  });
});
