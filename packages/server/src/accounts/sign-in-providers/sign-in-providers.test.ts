import { createTestClock } from "@feather/testing/clock";
import { errorCode } from "@feather/testing/errors";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startFakeGitHub } from "../../testing/fake-github.ts";
import { CLIENT, type Person, startOidcIssuer } from "../../testing/oidc-issuer.ts";
import { listMessages } from "../../testing/outbox.ts";
import { type Account, createTestServer, PASSWORD, type TestServer } from "../../testing/server.ts";

const PUBLIC_URL = "https://feather.example";
const clock = createTestClock();
let issuer: Awaited<ReturnType<typeof startOidcIssuer>>;
let server: TestServer;
let github: Awaited<ReturnType<typeof startFakeGitHub>>;
let people = 0;

beforeAll(async () => {
  issuer = await startOidcIssuer(`${PUBLIC_URL}/auth/company/callback`);
  github = await startFakeGitHub();
  const providers = [
    { id: "company", name: "Company", issuer: issuer.url, ...CLIENT },
    { id: "github", issuer: github.url, ...CLIENT },
    { id: "gone", name: "Gone", issuer: "http://127.0.0.1:9", ...CLIENT },
  ];
  server = await createTestServer({
    clock,
    env: {
      FEATHER_PUBLIC_URL: PUBLIC_URL,
      FEATHER_SIGN_IN_PROVIDERS: JSON.stringify(providers),
      SMTP_URL: "smtp://127.0.0.1:9", // addresses have to be proved
    },
  });
});
afterAll(async () => {
  await server.close();
  issuer.close();
  github.close();
});

/** Returns a new person with an address that the issuer has verified; `more` overrides fields. */
function somebody(more: Partial<Person> = {}): Person {
  people += 1;
  const name = `person${people}`;
  return { sub: name, email: `${name}@company.example`, email_verified: true, name: `Person ${people}`, ...more };
}

type Visit = { cookie: string; back: { code: string; state: string; iss?: string } };

/** Follows the browser to the issuer and back: to sign in, or to link the person to the account of a session. */
async function visit(person: Person, session?: string): Promise<Visit> {
  issuer.signInAs(person);
  const toLink = session !== undefined && { token: session, body: { password: PASSWORD } };
  const begun = await server.call("/api/auth/company/connect", { ...toLink });
  expect(begun.status).toBe(200);
  const cookie = begun.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
  return { cookie, back: await issuer.visit((begun.body as { redirect_to: string }).redirect_to) };
}

const come = ({ cookie, back }: Visit, token?: string) =>
  server.call("/api/auth/company/callback", { token, body: back, headers: { cookie } });
const signIn = async (person: Person) => come(await visit(person));
const tokenOf = (answer: { headers: Headers }) => answer.headers.get("x-session-token") ?? "";
const userOf = async (token: string) =>
  (await server.call("/api/auth/me", { token })).body as { id: string; email: string; email_verified: boolean };

async function verified(account: Account): Promise<Account> {
  await server.db
    .updateTable("users")
    .set({ email_verified_at: clock.now() })
    .where("id", "=", account.userId)
    .execute();
  return account;
}

describe("signing in with a provider", () => {
  test("signing in with a provider lists the providers", async () => {
    const { body } = await server.call("/api/auth/providers");
    expect(body).toEqual({
      items: [
        { id: "company", name: "Company" },
        { id: "github", name: "GitHub" },
        { id: "gone", name: "Gone" },
      ],
    });
  });

  test("signing in with a provider creates an account at the first sign-in, and finds it at the next, even after the address changed", async () => {
    const person = somebody({ preferred_username: "ada" });
    const first = await signIn(person);
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({ email: person.email, name: person.name, email_verified: true });
    const second = await signIn({ ...person, email: "moved@elsewhere.example" });
    expect(second.body).toMatchObject({ email: person.email });
    expect(tokenOf(second)).not.toBe(tokenOf(first));
    expect((await userOf(tokenOf(second))).id).toBe((await userOf(tokenOf(first))).id);
  });

  test("signing in with a provider ends the previous session, as logging in with a password does", async () => {
    const person = somebody();
    const former = tokenOf(await signIn(person));
    const again = await come(await visit(person), former);
    expect(again.status).toBe(200);
    expect((await server.call("/api/auth/me", { token: former })).status).toBe(401);
    expect((await server.call("/api/auth/me", { token: tokenOf(again) })).status).toBe(200);
  });

  test.each([
    ["has no account", false],
    ["has an account", true],
  ])(
    "signing in with a provider sends a message and creates no session if the provider has not verified an address that %s",
    async (_what, taken) => {
      const person = somebody({ email_verified: false });
      if (taken) await verified(await server.signUp(person.email));
      const answer = await signIn(person);
      await server.api.registration.registration.settled();
      expect([answer.status, errorCode(answer.body)]).toEqual([403, "sign_in_providers.confirm_email"]);
      expect(tokenOf(answer)).toBe("");
      const kinds = (await listMessages(server, person.email ?? "")).map(({ kind }) => kind);
      expect(kinds).toContain(taken ? "account_exists" : "email_verification");
    },
  );

  test.each([
    ["with a second address behind a line break", "ada@example.com\r\nRCPT TO:<eve@example.com>"],
    ["with a line break at its end", "admin@example.com\n"],
    ["with markup", "<b>ada@example.com</b>"],
    ["that is a group of addresses", "friends: ada@example.com, eve@example.com;"],
    ["that is no address", "ada"],
    ["that is too long", `${"a".repeat(250)}@example.com`],
  ])("signing in with a provider refuses an address of the provider %s, as registering does", async (_what, email) => {
    const before = await server.db.selectFrom("users").select("id").execute();
    const answer = await signIn(somebody({ email }));
    expect([answer.status, errorCode(answer.body)]).toEqual([400, "sign_in_providers.email_invalid"]);
    expect(await server.db.selectFrom("users").select("id").execute()).toHaveLength(before.length);
    const { token } = await verified(await server.signUp());
    const linked = await come(await visit(somebody({ email }), token), token);
    expect(errorCode(linked.body)).toBe("sign_in_providers.email_invalid");
  });

  test("signing in with a provider does not use a name with invisible characters", async () => {
    const { body } = await signIn(somebody({ name: "Ada\u001b[31m\nAdmin", email: "plain@company.example" }));
    expect(body).toMatchObject({ name: "plain" });
  });

  test("signing in with a provider shortens a long name, and never within a character", async () => {
    const name = `${"x".repeat(63)}😀 of the Company`;
    expect((await signIn(somebody({ name }))).body).toMatchObject({ name: "x".repeat(63) });
    expect((await signIn(somebody({ name: `${"x".repeat(62)}😀` }))).body).toMatchObject({
      name: `${"x".repeat(62)}😀`,
    });
  });

  test.each(["true", 1, "yes", null])(
    "signing in with a provider takes email_verified %j for an address that is not proved",
    async (said) => {
      const answer = await signIn(somebody({ email_verified: said as never }));
      expect([answer.status, errorCode(answer.body)]).toEqual([403, "sign_in_providers.confirm_email"]);
      expect(tokenOf(answer)).toBe("");
    },
  );

  test.each([
    ["proved on both sides", true, true],
    ["that was not proved here", true, false],
  ])("signing in with a provider is not let into the account of an address %s", async (_what, there, here) => {
    const account = await server.signUp();
    if (here) await verified(account);
    const answer = await signIn(somebody({ email: account.email, email_verified: there }));
    expect([answer.status, errorCode(answer.body)]).toEqual([409, "auth.email_taken"]);
    expect(answer.headers.get("x-session-token")).toBeNull();
    expect(await userOf(account.token)).toMatchObject({ providers: [] });
  });

  test("signing in with a provider requires an e-mail address", async () => {
    const { email: _, ...nameless } = somebody();
    const answer = await signIn(nameless);
    expect([answer.status, errorCode(answer.body)]).toEqual([400, "sign_in_providers.email_missing"]);
  });

  test("signing in with a provider rejects a suspended user", async () => {
    const person = somebody();
    const { id } = await userOf(tokenOf(await signIn(person)));
    await server.db.updateTable("users").set({ suspended_at: clock.now() }).where("id", "=", id).execute();
    expect(errorCode((await signIn(person)).body)).toBe("account_suspended");
  });

  test("signing in with a provider asks for the second factor where there is one", async () => {
    const person = somebody();
    const { id } = await userOf(tokenOf(await signIn(person)));
    await server.db.updateTable("users").set({ totp_enabled_at: clock.now() }).where("id", "=", id).execute();
    const answer = await signIn(person);
    expect(answer.status).toBe(202);
    expect(answer.headers.get("x-session-token")).toBeNull();
  });
});

describe("a callback of a provider", () => {
  test("a callback of a provider signs in once when fifty arrive with the same state at once", async () => {
    const startedVisit = await visit(somebody());
    const answers = await Promise.all(Array.from({ length: 50 }, () => come(startedVisit)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body }) => errorCode(body) === "sign_in_providers.ended")).toHaveLength(49);
  });

  test.each<[string, (startedVisit: Visit) => Promise<Visit>]>([
    ["in another browser", async (startedVisit) => ({ ...startedVisit, cookie: "" })],
    [
      "with the cookie of another visit",
      async (startedVisit) => ({ ...startedVisit, cookie: (await visit(somebody())).cookie }),
    ],
    [
      "with a state that was never given",
      async (startedVisit) => ({ ...startedVisit, back: { ...startedVisit.back, state: "made-up" } }),
    ],
    [
      "after ten minutes",
      async (startedVisit) => {
        clock.at += 10 * 60_000;
        return startedVisit;
      },
    ],
  ])("a callback of a provider fails with sign_in_ended %s", async (_what, change) => {
    const answer = await come(await change(await visit(somebody())));
    expect([answer.status, errorCode(answer.body)]).toEqual([400, "sign_in_providers.ended"]);
  });

  test.each<[string, Partial<Visit["back"]>]>([
    ["a code that the provider did not give", { code: "made-up" }],
    ["the name of another issuer", { iss: "https://other.example" }],
  ])("a callback of a provider fails with %s, and cannot be repeated", async (_what, more) => {
    const startedVisit = await visit(somebody());
    const answer = await come({ ...startedVisit, back: { ...startedVisit.back, ...more } });
    expect([answer.status, errorCode(answer.body)]).toEqual([502, "sign_in_providers.failed"]);
    expect(errorCode((await come(startedVisit)).body)).toBe("sign_in_providers.ended");
  });

  test("a callback of a provider links a provider only for the user who started it", async () => {
    const startedVisit = await visit(somebody(), (await verified(await server.signUp())).token);
    for (const token of [undefined, (await server.signUp()).token])
      expect(errorCode((await come(startedVisit, token)).body)).toBe("sign_in_providers.ended");
  });
});

describe("a provider", () => {
  test("a provider that does not respond fails with sign_in_providers.failed", async () => {
    const answer = await server.call("/api/auth/gone/connect");
    expect([answer.status, errorCode(answer.body)]).toEqual([502, "sign_in_providers.failed"]);
  });

  test("a provider that is not configured is not found", async () => {
    const answer = await server.call("/api/auth/nobody/connect");
    expect([answer.status, errorCode(answer.body)]).toEqual([404, "sign_in_providers.not_found"]);
  });

  test("a provider can be linked to the signed-in account and unlinked again", async () => {
    const account = await verified(await server.signUp());
    const person = somebody();
    expect((await come(await visit(person, account.token), account.token)).status).toBe(200);
    expect((await userOf(tokenOf(await signIn(person)))).id).toBe(account.userId);
    const disconnect = () =>
      server.call("/api/auth/company", { method: "DELETE", token: account.token, body: { password: PASSWORD } });
    expect((await disconnect()).status).toBe(204);
    expect(errorCode((await disconnect()).body)).toBe("sign_in_providers.not_connected");
    expect((await userOf(tokenOf(await signIn(person)))).id).not.toBe(account.userId);
  });

  test("a provider cannot be linked to two accounts", async () => {
    const person = somebody();
    await signIn(person);
    const { token } = await verified(await server.signUp());
    const answer = await come(await visit(person, token), token);
    expect([answer.status, errorCode(answer.body)]).toEqual([409, "sign_in_providers.linked"]);
  });

  test("a provider stays linked while it is the only way to sign in", async () => {
    const person = somebody();
    const token = tokenOf(await signIn(person));
    const answer = await server.call("/api/auth/company", { method: "DELETE", token });
    expect([answer.status, errorCode(answer.body)]).toEqual([409, "auth.last_login_method"]);
    const login = await server.call("/api/auth/login", { body: { email: person.email, password: PASSWORD } });
    expect(login.status).toBe(401);
  });
});

describe("linking a provider", () => {
  test("linking a provider is refused while the address of the account is unconfirmed", async () => {
    const { token } = await server.signUp();
    const body = { password: PASSWORD };
    const answer = await server.call("/api/auth/company/connect", { token, body });
    expect([answer.status, errorCode(answer.body)]).toEqual([403, "email_not_verified"]);
  });

  const link = (token: string, body: object) => server.call("/api/auth/company/connect", { token, body });
  const unlink = (token: string, body?: object) =>
    server.call("/api/auth/company", { method: "DELETE", token, body: body ?? {} });

  test("linking a provider is rejected for API keys, whatever their scopes, at each step", async () => {
    const account = await verified(await server.signUp());
    const scopes = ["user.read", "user.write", "api.access"];
    const { secret } = await server.createKey(account, { scopes });
    expect((await link(secret, { password: PASSWORD })).status).toBe(401);
    expect((await unlink(secret, { password: PASSWORD })).status).toBe(401);
    const startedVisit = await visit(somebody(), account.token);
    const finished = await come(startedVisit, secret);
    expect(finished.status).toBeGreaterThanOrEqual(400);
    expect(await userOf(account.token)).toMatchObject({ providers: [] });
  });

  test("linking a provider is rejected without the password", async () => {
    const { token } = await verified(await server.signUp());
    for (const body of [{}, { password: "a guess at it" }])
      expect(errorCode((await link(token, body)).body)).toBe("auth.wrong_password");
    const person = somebody();
    await come(await visit(person, token), token);
    expect(errorCode((await unlink(token)).body)).toBe("auth.wrong_password");
    expect(await userOf(token)).toMatchObject({ providers: ["company"] });
  });

  test("linking a provider is rejected for an account without a password once its sign-in is more than 15 minutes old", async () => {
    const token = tokenOf(await signIn(somebody()));
    clock.at += 15 * 60_000 + 1;
    expect(errorCode((await link(token, {})).body)).toBe("recent_sign_in_required");
  });

  test("linking a provider is mailed to the owner, and recorded in the audit log with credential and address", async () => {
    const account = await verified(await server.signUp());
    await come(await visit(somebody(), account.token), account.token);
    await unlink(account.token, { password: PASSWORD });
    const subjects = (await listMessages(server, account.email, "account_security")).map(({ subject }) => subject);
    expect(subjects.sort()).toEqual([
      "Company was connected to your account at Feather",
      "Company was disconnected from your account at Feather",
    ]);
    const rows = await server.db
      .selectFrom("audit_log")
      .select(["action", "actor_user_id", "credential", "ip"])
      .where("target", "=", account.userId)
      .where("action", "like", "account.%link_provider")
      .orderBy("sequence")
      .execute();
    const by = { actor_user_id: account.userId, credential: expect.stringMatching(/^session:/), ip: "127.0.0.1" };
    expect(rows).toEqual([
      { action: "account.link_provider", ...by },
      { action: "account.unlink_provider", ...by },
    ]);
  });
});

describe("the GitHub provider", () => {
  async function come(person: Parameters<typeof github.signInAs>[0]) {
    github.signInAs(person);
    const begun = await server.call("/api/auth/github/connect");
    const cookie = (begun.headers.getSetCookie()[0] ?? "").split(";")[0] ?? "";
    const back = await github.visit((begun.body as { redirect_to: string }).redirect_to);
    return server.call("/api/auth/github/callback", { body: back, headers: { cookie } });
  }
  const octocat = {
    id: 583231,
    login: "octocat",
    name: null,
    emails: [] as { email: string; primary: boolean; verified: boolean }[],
  };

  test("the GitHub provider returns the profile and the primary address from the API", async () => {
    const emails = [
      { email: "second@github.example", primary: false, verified: true },
      { email: "first@github.example", primary: true, verified: true },
    ];
    const answer = await come({ ...octocat, emails });
    expect(answer.body).toMatchObject({ email: "first@github.example", name: "octocat", email_verified: true });
    expect((await userOf(tokenOf(await come({ ...octocat, emails: [] })))).email).toBe("first@github.example");
  });

  test("the GitHub provider fails with provider_failed where the API returns too much to be parsed at once", async () => {
    const emails = [{ email: "first@github.example", primary: true, verified: true }];
    const answer = await come({ ...octocat, name: "x".repeat(2 * 1024 * 1024), emails });
    expect([answer.status, errorCode(answer.body)]).toEqual([502, "sign_in_providers.failed"]);
  });

  test("the GitHub provider fails with provider_failed where the API returns nothing usable", async () => {
    const answer = await come({ ...octocat, id: "none" });
    expect([answer.status, errorCode(answer.body)]).toEqual([502, "sign_in_providers.failed"]);
  });
});
