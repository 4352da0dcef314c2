import { createTestClock } from "@feather/testing/clock";
import { errorCode } from "@feather/testing/errors";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MINUTE_MS } from "../../platform/core/time.ts";
import { CLIENT, type Person, startOidcIssuer } from "../../testing/oidc-issuer.ts";
import { findMailedToken, listMessages } from "../../testing/outbox.ts";
import { type Answer, createTestServer, PASSWORD, type TestServer } from "../../testing/server.ts";

// The table "Whose an address is" of docs/security.md: a test for each cell.

const PUBLIC_URL = "https://feather.example";
const STRANGER_PASSWORD = "a stranger chose this one";
const clock = createTestClock();
let issuer: Awaited<ReturnType<typeof startOidcIssuer>>;
/** The server with a mail server. */
let server: TestServer;
/** The server without a mail server. */
let small: TestServer;
let count = 0;

beforeAll(async () => {
  issuer = await startOidcIssuer(`${PUBLIC_URL}/auth/company/callback`);
  const env = {
    FEATHER_PUBLIC_URL: PUBLIC_URL,
    FEATHER_SIGN_IN_PROVIDERS: JSON.stringify([{ id: "company", name: "Company", issuer: issuer.url, ...CLIENT }]),
  };
  [server, small] = await Promise.all([
    createTestServer({ clock, env: { ...env, SMTP_URL: "smtp://127.0.0.1:9" } }),
    createTestServer({ clock, env }),
  ]);
});
afterAll(async () => {
  await Promise.all([server.close(), small.close()]);
  issuer.close();
});

const address = () => `victim${++count}@example.com`;
const sessionOf = (answer: Answer) => answer.headers.get("x-session-token");
const resultOf = (answer: Answer) => [answer.status, errorCode(answer.body) ?? null];

async function register(email: string, password: string, on = server): Promise<Answer> {
  const answer = await on.call("/api/auth/register", { body: { email, password } });
  await on.api.registration.registration.settled();
  clock.at += 1_000;
  return answer;
}
const login = (email: string, password: string, on = server) =>
  on.call("/api/auth/login", { body: { email, password } });
const confirm = (token: string, proof: { password?: string; cookie?: string; session?: string } = {}) =>
  server.call("/api/auth/email-verification", {
    body: { token, ...(proof.password !== undefined && { password: proof.password }) },
    token: proof.session,
    headers: proof.cookie === undefined ? {} : { cookie: proof.cookie },
  });
const linkTo = (email: string, on = server) => findMailedToken(on, email, "email_verification");

async function reset(email: string, on = server): Promise<Answer> {
  clock.at += MINUTE_MS;
  await on.call("/api/auth/forgot-password", { body: { email } });
  await on.api.identity.passwordReset.settled();
  const token = await findMailedToken(on, email, "password_reset");
  return on.call("/api/auth/reset-password", { body: { token, password: PASSWORD, end_keys: false } });
}

const cookiesOf = (answer: Answer) =>
  answer.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");

/** Signs in with the provider. `cookie` is the browser's cookie afterwards. */
async function signIn(person: Person, on = server): Promise<{ answer: Answer; cookie: string }> {
  issuer.signInAs(person);
  const begun = await on.call("/api/auth/company/connect");
  const body = await issuer.visit((begun.body as { redirect_to: string }).redirect_to);
  const answer = await on.call("/api/auth/company/callback", { body, headers: { cookie: cookiesOf(begun) } });
  await on.api.registration.registration.settled();
  clock.at += 1_000;
  return { answer, cookie: cookiesOf(answer) };
}
const personWith = (email: string, email_verified: boolean): Person => ({
  sub: `subject${++count}`,
  email,
  email_verified,
  name: "Mallory",
});

async function stateOf(email: string, on = server) {
  const user = await on.api.identity.usersRepository.findByEmail(email);
  if (!user) return null;
  const [{ providers = [] } = {}, passkeys, codes] = await Promise.all([
    on.api.identity.usersRepository.findWithOrganization(user.id),
    on.db.selectFrom("passkeys").select("id").where("user_id", "=", user.id).execute(),
    on.db.selectFrom("recovery_codes").select("user_id").where("user_id", "=", user.id).execute(),
  ]);
  return { totp: user.totp_enabled_at !== null, providers, passkeys: passkeys.length, codes: codes.length };
}
const NOTHING = { totp: false, providers: [], passkeys: 0, codes: 0 };

/** Writes to the database what a stranger could have set before the address was confirmed. */
async function plant(userId: string, on: TestServer): Promise<void> {
  const now = clock.now();
  await on.db.updateTable("users").set({ totp_enabled_at: now }).where("id", "=", userId).execute();
  await on.db
    .insertInto("linked_accounts")
    .values({
      provider: "company",
      subject: `planted${++count}`,
      user_id: userId,
      email: "m@example.com",
      linked_at: now,
    })
    .execute();
  const passkey = {
    user_id: userId,
    public_key: Buffer.from([1]),
    sign_count: 0,
    transports: [],
    backed_up: false,
    created_at: now,
  };
  await on.db
    .insertInto("passkeys")
    .values({ ...passkey, id: on.platform.ids.next("key"), credential_id: Buffer.from(userId), name: "planted" })
    .execute();
  await on.db
    .insertInto("recovery_codes")
    .values({ user_id: userId, code_hash: Buffer.from(userId) })
    .execute();
}

describe("an address without an account", () => {
  test("an address without an account gets no session by registering", async () => {
    const answer = await register(address(), PASSWORD);
    expect([resultOf(answer), sessionOf(answer)]).toEqual([[202, null], null]);
  });

  test("an address without an account gets a session where there is no mail server", async () => {
    expect(sessionOf(await register(address(), PASSWORD, small))).not.toBeNull();
  });

  test("an address without an account is confirmed by a provider that has verified it", async () => {
    const { answer } = await signIn(personWith(address(), true));
    expect(answer).toMatchObject({ status: 200, body: { email_verified: true, providers: ["company"] } });
  });

  test("an address without an account gets no session by a provider that has not verified it", async () => {
    const { answer } = await signIn(personWith(address(), false));
    expect([resultOf(answer), sessionOf(answer)]).toEqual([[403, "sign_in_providers.confirm_email"], null]);
  });

  test("an address without an account gets a session by such a provider where there is no mail server", async () => {
    const { answer } = await signIn(personWith(address(), false), small);
    expect(answer).toMatchObject({ status: 200, body: { email_verified: true } });
  });

  test("an address without an account gets no link by a forgotten password", async () => {
    const email = address();
    await server.call("/api/auth/forgot-password", { body: { email } });
    await server.api.identity.passwordReset.settled();
    expect(await listMessages(server, email)).toEqual([]);
  });
});

describe("an address that waits for its confirmation", () => {
  test("an address that waits for its confirmation cannot log in, with whatever password", async () => {
    const email = address();
    await register(email, PASSWORD);
    expect(resultOf(await login(email, PASSWORD))).toEqual([401, "auth.wrong_credentials"]);
  });

  test("an address that waits for its confirmation is confirmed by its link with the password that was chosen, and then signed in", async () => {
    const email = address();
    await register(email, PASSWORD);
    const answer = await confirm(await linkTo(email), { password: PASSWORD });
    expect(answer).toMatchObject({ status: 200, body: { email, email_verified: true } });
    expect(sessionOf(answer)).not.toBeNull();
  });

  test.each([
    ["nothing else", {}],
    ["a wrong password", { password: "a guess at the password" }],
    ["the cookie of another browser", { cookie: "registration=made-up" }],
  ])(
    "an address that waits for its confirmation is neither confirmed nor signed in by its link with %s, which stays good",
    async (_what, proof) => {
      const email = address();
      await register(email, PASSWORD);
      const link = await linkTo(email);
      const answer = await confirm(link, proof);
      expect([resultOf(answer), sessionOf(answer)]).toEqual([[400, "auth.wrong_password"], null]);
      expect((await confirm(link, { password: PASSWORD })).status).toBe(200);
    },
  );

  test("an address that waits for its confirmation is not confirmed by its link after ten wrong passwords", async () => {
    const email = address();
    await register(email, PASSWORD);
    const link = await linkTo(email);
    for (let attempt = 0; attempt < 10; attempt++) await confirm(link, { password: `a guess number ${attempt}` });
    expect(resultOf(await confirm(link, { password: PASSWORD }))).toEqual([400, "auth.invalid_token"]);
  });

  test("the link for an unconfirmed address returns which proof is needed with it, and stays usable", async () => {
    const email = address();
    await register(email, PASSWORD);
    const body = { token: await linkTo(email), purpose: "email_verification" };
    for (let attempt = 0; attempt < 2; attempt++)
      expect((await server.call("/api/auth/link", { body })).body).toEqual({ usable: true, proof: "password" });
    expect((await server.call("/api/auth/link", { body: { ...body, token: "one_x" } })).body).toEqual({
      usable: false,
    });
  });

  test("an address that waits for its confirmation keeps nothing of a stranger's registration when its owner confirms another", async () => {
    const email = address();
    await register(email, PASSWORD);
    const mine = await linkTo(email);
    await register(email, STRANGER_PASSWORD);
    const stranger = await signIn(personWith(email, false));
    const theirs = await linkTo(email);
    expect((await confirm(mine, { password: PASSWORD })).status).toBe(200);
    expect(await stateOf(email)).toEqual(NOTHING);
    expect(resultOf(await confirm(theirs, { cookie: stranger.cookie }))).toEqual([400, "auth.invalid_token"]);
    expect(resultOf(await login(email, STRANGER_PASSWORD))).toEqual([401, "auth.wrong_credentials"]);
  });

  test("an address that waits for its confirmation is confirmed for a provider only in the browser that signed in there", async () => {
    const email = address();
    const person = personWith(email, false);
    const { cookie } = await signIn(person);
    const link = await linkTo(email);
    for (const proof of [{}, { cookie: "registration=made-up" }, { password: PASSWORD }])
      expect(resultOf(await confirm(link, proof))).toEqual([400, "auth.other_browser"]);
    const answer = await confirm(link, { cookie });
    expect(answer).toMatchObject({ status: 200, body: { email_verified: true, providers: ["company"] } });
    expect((await signIn(person)).answer.status).toBe(200);
  });

  test("an address that waits for its confirmation is taken over by a sign-in with a provider that has verified it", async () => {
    const email = address();
    await register(email, STRANGER_PASSWORD);
    const theirs = await linkTo(email);
    const { answer } = await signIn(personWith(email, true));
    expect(answer).toMatchObject({ status: 200, body: { email, providers: ["company"] } });
    expect(resultOf(await confirm(theirs, { password: STRANGER_PASSWORD }))).toEqual([400, "auth.invalid_token"]);
  });

  test("an address that waits for its confirmation is taken over by its owner with a reset link, and nothing that was there before", async () => {
    const email = address();
    await register(email, STRANGER_PASSWORD);
    const theirs = await linkTo(email);
    expect(await reset(email)).toMatchObject({ status: 200, body: { email_verified: true } });
    expect(resultOf(await confirm(theirs, { password: STRANGER_PASSWORD }))).toEqual([400, "auth.invalid_token"]);
    expect((await login(email, PASSWORD)).status).toBe(200);
  });
});

describe("an account whose address nobody has confirmed", () => {
  /** Returns an account from before addresses had to be confirmed, or with an address that an admin marked as unconfirmed. */
  async function unconfirmed() {
    const account = await server.signUp(address());
    await plant(account.userId, server);
    return account;
  }

  test("an account with an unconfirmed address gets no session by its password", async () => {
    const { email } = await unconfirmed();
    expect(resultOf(await login(email, PASSWORD))).toEqual([401, "auth.wrong_credentials"]);
  });

  test("an account with an unconfirmed address gets no session by its provider", async () => {
    const { userId, email } = await server.signUp(address());
    const person = personWith(email, false);
    const link = { provider: "company", subject: person.sub, user_id: userId, email, linked_at: clock.now() };
    await server.db.insertInto("linked_accounts").values(link).execute();
    const { answer } = await signIn(person);
    expect([resultOf(answer), sessionOf(answer)]).toEqual([[403, "email_not_verified"], null]);
  });

  test("an account with an unconfirmed address gets no second factor", async () => {
    const { token } = await server.signUp(address());
    const begun = await server.call("/api/auth/totp", { token, body: { password: PASSWORD } });
    expect(resultOf(begun)).toEqual([403, "email_not_verified"]);
  });

  test("an account with an unconfirmed address gets no sign-in provider", async () => {
    const { token } = await server.signUp(address());
    const begun = await server.call("/api/auth/company/connect", { token, body: { password: PASSWORD } });
    expect(resultOf(begun)).toEqual([403, "email_not_verified"]);
  });

  test("an account with an unconfirmed address is taken over by its owner with a reset link: factors, passkeys, providers, sessions and keys end", async () => {
    const { email, token, userId, organizationId } = await unconfirmed();
    await server.db.updateTable("users").set({ email_verified_at: clock.now() }).where("id", "=", userId).execute();
    const key = await server.createKey({ email, token, userId, organizationId }, { scopes: ["user.read"] });
    await server.db.updateTable("users").set({ email_verified_at: null }).where("id", "=", userId).execute();
    const answer = await reset(email);
    expect(answer).toMatchObject({ status: 200, body: { email_verified: true } });
    expect(sessionOf(answer)).not.toBeNull();
    expect(await stateOf(email)).toEqual(NOTHING);
    for (const old of [token, key.secret]) expect((await server.call("/api/auth/me", { token: old })).status).toBe(401);
    const [message] = await listMessages(server, email, "password_changed");
    expect(message?.body).toContain("Sign-in providers that were disconnected: company (m@example.com)");
    expect(message?.body).toContain("The second factor was removed");
  });

  test("an account with an unconfirmed address loses its earlier credentials when it is confirmed by a link, except the session that confirms", async () => {
    const { email, token } = await unconfirmed();
    const other = await server.api.identity.auth.startSession(
      (await server.api.identity.usersRepository.findByEmail(email))?.id ?? "",
      { ip: "192.0.2.1", userAgent: undefined, language: null },
      "password",
    );
    clock.at += 1_000;
    await server.call("/api/auth/email-verification", { method: "POST", token });
    expect((await confirm(await linkTo(email), { session: token })).status).toBe(200);
    expect(await stateOf(email)).toEqual(NOTHING);
    expect((await server.call("/api/auth/me", { token: other.secret })).status).toBe(401);
  });
});

describe("an account that was made without a mail server", () => {
  test("an account that was made without a mail server counts as unconfirmed", async () => {
    const { userId } = await small.signUp(address());
    const row = await small.db.selectFrom("users").select("email_assumed").where("id", "=", userId).executeTakeFirst();
    expect(row).toEqual({ email_assumed: true });
  });

  test("an account that was made without a mail server loses what was there before at the first reset by a link that was mailed, once there is a mail server", async () => {
    const { userId, email } = await server.signUp(address());
    const set = { email_verified_at: clock.now(), email_assumed: true };
    await server.db.updateTable("users").set(set).where("id", "=", userId).execute();
    await plant(userId, server);
    expect((await reset(email)).status).toBe(200);
    expect(await stateOf(email)).toEqual(NOTHING);
  });

  test("an account that was made without a mail server keeps its second factor at a reset whose link the operator passed on", async () => {
    const { userId, email } = await small.signUp(address());
    await plant(userId, small);
    expect((await reset(email, small)).status).toBe(202);
    expect(await stateOf(email, small)).toEqual({ totp: true, providers: [], passkeys: 1, codes: 1 });
  });
});

describe("an account whose address is confirmed", () => {
  async function confirmed() {
    const account = await server.signUp(address());
    await server.db
      .updateTable("users")
      .set({ email_verified_at: clock.now() })
      .where("id", "=", account.userId)
      .execute();
    return account;
  }

  test("an account whose address is confirmed is not changed by another registration, and its owner gets a mail", async () => {
    const { email, token } = await confirmed();
    await register(email, STRANGER_PASSWORD);
    expect((await listMessages(server, email)).map(({ kind }) => kind)).toContain("account_exists");
    expect(resultOf(await login(email, STRANGER_PASSWORD))).toEqual([401, "auth.wrong_credentials"]);
    expect((await server.call("/api/auth/me", { token })).status).toBe(200);
  });

  test.each([
    ["has verified it", true, [409, "auth.email_taken"]],
    ["has not verified it", false, [403, "sign_in_providers.confirm_email"]],
  ])(
    "an account whose address is confirmed is not entered by an account at a provider that %s",
    async (_what, isVerified, expected) => {
      const { email } = await confirmed();
      const { answer } = await signIn(personWith(email, isVerified));
      expect([resultOf(answer), sessionOf(answer)]).toEqual([expected, null]);
      expect(await stateOf(email)).toEqual(NOTHING);
    },
  );

  test("an account whose address is confirmed keeps its second factors at a reset, but no passkey that signs in alone; the reset ends sessions, providers and links, and asks for the factor", async () => {
    const { userId, email, token } = await confirmed();
    await plant(userId, server);
    await server.call("/api/account", {
      method: "PUT",
      token,
      body: { email: `other-${email}`, current_password: PASSWORD },
    });
    const change = await linkTo(`other-${email}`);
    const answer = await reset(email);
    expect([answer.status, sessionOf(answer)]).toEqual([202, null]);
    expect(await stateOf(email)).toEqual({ totp: true, providers: [], passkeys: 1, codes: 1 });
    const passkeys = server.db.selectFrom("passkeys").select("signs_in_alone").where("user_id", "=", userId);
    expect(await passkeys.execute()).toEqual([{ signs_in_alone: false }]);
    expect((await server.call("/api/auth/me", { token })).status).toBe(401);
    expect(resultOf(await confirm(change, { password: PASSWORD }))).toEqual([400, "auth.invalid_token"]);
    const messages = await listMessages(server, email);
    expect(messages.find(({ kind }) => kind === "password_reset")?.body).toContain("sign-in providers (company)");
    expect(messages.find(({ kind }) => kind === "password_changed")?.body).toContain("company (m@example.com)");
  });

  test("an account with a confirmed address moves to a new address only in its own session or with its password, whoever opens the link", async () => {
    const { email, token } = await confirmed();
    const next = `next-${email}`;
    await server.call("/api/account", { method: "PUT", token, body: { email: next, current_password: PASSWORD } });
    const link = await linkTo(next);
    const stranger = await confirmed();
    for (const proof of [{}, { password: "a guess at it" }, { session: stranger.token }])
      expect(resultOf(await confirm(link, proof))).toEqual([400, "auth.wrong_password"]);
    expect((await confirm(link, { password: PASSWORD })).body).toMatchObject({ email: next });
  });
});
