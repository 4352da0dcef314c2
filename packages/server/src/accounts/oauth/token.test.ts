import { createHash } from "node:crypto";
import { createTestClock } from "@feather/testing/clock";
import { waitFor } from "@feather/testing/wait-for";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { HOUR_MS } from "../../platform/core/time.ts";
import {
  type Application,
  CALLBACK_URL,
  CHALLENGE,
  CLI_CLIENT_ID,
  createOAuthClient,
  errorOf,
  LOOPBACK_URL,
  PKCE,
  type TokenBody,
  VERIFIER,
} from "../../testing/oauth.ts";
import { type Account, type Answer, createTestServer, type TestServer } from "../../testing/server.ts";

const CLIENT = { id: CLI_CLIENT_ID, client_secret: null };
const clock = createTestClock();
let server: TestServer;
let oauth: ReturnType<typeof createOAuthClient>;
let user: Account;
let app: Application;

beforeAll(async () => {
  server = await createTestServer({ clock });
  oauth = createOAuthClient(server);
});
beforeEach(async () => {
  user = await server.signUp();
  app = await oauth.register(user);
});
afterAll(() => server.close());

const holds = async ({ access_token }: Pick<TokenBody, "access_token">) =>
  (await oauth.userinfo(access_token)).status === 200;
const tokensOf = (answer: Answer) => answer.body as TokenBody;
const REFUSED = [400, "invalid_grant"];

describe("an authorization code", () => {
  test("an authorization code gives tokens in the form of RFC 6749", async () => {
    const answer = await oauth.redeem(app, await oauth.codeFor(user, app, { scope: "user.read" }));
    expect(answer.status).toBe(200);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.body).toEqual({
      access_token: expect.stringMatching(/^oat_\w{49}$/),
      refresh_token: expect.stringMatching(/^ort_\w{49}$/),
      token_type: "Bearer",
      expires_in: 3600,
      scope: "user.read",
    });
    expect(await holds(tokensOf(answer))).toBe(true);
  });

  test("an authorization code is redeemed with the secret in a form-encoded Basic header too", async () => {
    const code = await oauth.codeFor(user, app);
    const basic = Buffer.from(`${encodeURIComponent(app.id)}:${app.client_secret}`).toString("base64");
    const fields = { grant_type: "authorization_code", code, redirect_uri: CALLBACK_URL };
    const answer = await oauth.form("/api/oauth/token", fields, { headers: { authorization: `Basic ${basic}` } });
    expect(answer.status).toBe(200);
  });

  test("an authorization code is redeemed with the verifier where a PKCE challenge was sent", async () => {
    const code = await oauth.codeFor(user, CLIENT, { redirect_uri: LOOPBACK_URL, ...PKCE });
    const fields = { grant_type: "authorization_code", code, redirect_uri: LOOPBACK_URL, code_verifier: VERIFIER };
    expect((await oauth.token(CLIENT, fields)).status).toBe(200);
  });

  test("an authorization code works once: redeeming it again revokes all tokens that came from it", async () => {
    const code = await oauth.codeFor(user, app);
    const first = tokensOf(await oauth.redeem(app, code));
    const renewed = tokensOf(await oauth.refresh(app, first.refresh_token));
    const other = await oauth.tokensFor(user, app);
    expect(errorOf(await oauth.redeem(app, code))).toEqual(REFUSED);
    expect([await holds(first), await holds(renewed), await holds(other)]).toEqual([false, false, true]);
    expect(errorOf(await oauth.refresh(app, renewed.refresh_token))).toEqual(REFUSED);
  });

  test("an authorization code is recorded in the audit log when it is redeemed twice", async () => {
    const code = await oauth.codeFor(user, app);
    await oauth.redeem(app, code);
    await oauth.redeem(app, code);
    const row = await server.db
      .selectFrom("audit_log")
      .selectAll()
      .where("target", "=", app.id)
      .where("action", "=", "oauth.reuse_detected")
      .executeTakeFirst();
    expect(row).toMatchObject({ actor_user_id: user.userId, details: { what: "code" } });
  });

  test("an authorization code gives tokens once when it is redeemed fifty times at once", async () => {
    const code = await oauth.codeFor(user, app);
    const answers = await Promise.all(Array.from({ length: 50 }, () => oauth.redeem(app, code)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(new Set(answers.filter(({ status }) => status !== 200).map((answer) => errorOf(answer).join()))).toEqual(
      new Set(["400,invalid_grant"]),
    );
  });

  test("an authorization code lasts 60 seconds", async () => {
    const [early, late] = [await oauth.codeFor(user, app), await oauth.codeFor(user, app)];
    clock.at += 59_999;
    expect((await oauth.redeem(app, early)).status).toBe(200);
    clock.at += 1;
    expect(errorOf(await oauth.redeem(app, late))).toEqual(REFUSED);
  });

  test("an authorization code cannot be redeemed any more after a wrong attempt", async () => {
    const code = await oauth.codeFor(user, app, PKCE);
    expect(errorOf(await oauth.redeem(app, code, { code_verifier: "x".repeat(43) }))).toEqual(REFUSED);
    expect(errorOf(await oauth.redeem(app, code, { code_verifier: VERIFIER }))).toEqual(REFUSED);
  });

  test("an authorization code stays valid when another application tries to redeem it", async () => {
    const code = await oauth.codeFor(user, app);
    const other = await oauth.register(user);
    expect(errorOf(await oauth.redeem(other, code))).toEqual(REFUSED);
    expect((await oauth.redeem(app, code)).status).toBe(200);
  });

  describe("is rejected with", () => {
    const plain = "plain-verifier-that-is-its-own-challenge-0123";
    const rows: [string, Record<string, string>, Record<string, string>][] = [
      ["no verifier", PKCE, {}],
      ["an empty verifier", PKCE, { code_verifier: "" }],
      ["another verifier", PKCE, { code_verifier: `${VERIFIER.slice(0, -1)}A` }],
      ["a verifier of 42 characters", challengeOf("a".repeat(42)), { code_verifier: "a".repeat(42) }],
      ["a verifier of 129 characters", challengeOf("a".repeat(129)), { code_verifier: "a".repeat(129) }],
      ["characters no verifier has", challengeOf(`${"a".repeat(43)}+`), { code_verifier: `${"a".repeat(43)}+` }],
      ["the challenge for a verifier", PKCE, { code_verifier: CHALLENGE }],
      ["a verifier of its own, where none was announced", {}, { code_verifier: plain }],
      ["another redirect address", {}, { redirect_uri: "https://roost.example/other" }],
      ["a redirect address spelt otherwise", {}, { redirect_uri: "https://roost.example:443/callback" }],
      ["an empty redirect address", {}, { redirect_uri: "" }],
    ];
    test.each(rows)("redeeming a code with %s is rejected", async (_what, parameters, sent) => {
      expect(errorOf(await oauth.redeem(app, await oauth.codeFor(user, app, parameters), sent))).toEqual(REFUSED);
    });

    test("redeeming a code whose challenge was swapped in transit is rejected", async () => {
      const code = await oauth.codeFor(user, app, challengeOf("attackers-verifier-".padEnd(43, "x")));
      expect(errorOf(await oauth.redeem(app, code, { code_verifier: VERIFIER }))).toEqual(REFUSED);
    });

    test.each([
      ["a code that never was", `oac_${"x".repeat(49)}`],
      ["nonsense", "' or '1'='1"],
    ])("redeeming %s is rejected", async (_what, code) => {
      expect(errorOf(await oauth.redeem(app, code))).toEqual(REFUSED);
    });

    test("redeeming a NUL is rejected as a malformed request", async () => {
      expect(errorOf(await oauth.redeem(app, "\u0000"))).toEqual([400, "invalid_request"]);
    });

    test("redeeming a code of a suspended account is rejected", async () => {
      const code = await oauth.codeFor(user, app);
      await server.db.updateTable("users").set({ suspended_at: clock.now() }).where("id", "=", user.userId).execute();
      expect(errorOf(await oauth.redeem(app, code))).toEqual(REFUSED);
    });

    test("redeeming a code whose permission was revoked meanwhile is rejected", async () => {
      const code = await oauth.codeFor(user, app);
      await withdraw();
      expect(errorOf(await oauth.redeem(app, code))).toEqual(REFUSED);
    });
  });
});

describe("a refresh token", () => {
  test("a refresh token gives new tokens and is replaced, while the earlier access token stays valid for its hour", async () => {
    const first = await oauth.tokensFor(user, app);
    const answer = await oauth.refresh(app, first.refresh_token);
    expect(answer.status).toBe(200);
    const second = tokensOf(answer);
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect([await holds(first), await holds(second)]).toEqual([true, true]);
    clock.at += HOUR_MS;
    expect([await holds(first), await holds(second)]).toEqual([false, false]);
    expect((await oauth.refresh(app, second.refresh_token)).status).toBe(200);
  });

  test("a refresh token revokes its whole family, and no other, when it is used again after it was replaced", async () => {
    const first = await oauth.tokensFor(user, app);
    const other = await oauth.tokensFor(user, app);
    const second = tokensOf(await oauth.refresh(app, first.refresh_token));
    const third = tokensOf(await oauth.refresh(app, second.refresh_token));
    expect(errorOf(await oauth.refresh(app, first.refresh_token))).toEqual(REFUSED);
    expect([await holds(first), await holds(second), await holds(third)]).toEqual([false, false, false]);
    expect(errorOf(await oauth.refresh(app, third.refresh_token))).toEqual(REFUSED);
    expect(await holds(other)).toBe(true);
  });

  test("a refresh token gives tokens once when it is redeemed fifty times at once", async () => {
    const { refresh_token } = await oauth.tokensFor(user, app);
    const answers = await Promise.all(Array.from({ length: 50 }, () => oauth.refresh(app, refresh_token)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const [winner] = answers.filter(({ status }) => status === 200).map(tokensOf);
    expect(winner && (await holds(winner))).toBe(false); // it was in more than one hand
  });

  test("a refresh token is renewed for 90 days at most, then the user must sign in again", async () => {
    const day = 86_400_000;
    const first = await oauth.tokensFor(user, app);
    let tokens = first;
    for (let days = 0; days < 75; days += 25) {
      clock.at += 25 * day;
      tokens = tokensOf(await oauth.refresh(app, tokens.refresh_token));
    }
    clock.at += 15 * day - 60_000;
    tokens = tokensOf(await oauth.refresh(app, tokens.refresh_token));
    expect(tokens.expires_in).toBe(60);
    clock.at += 60_000;
    expect((await oauth.userinfo(tokens.access_token)).status).toBe(401);
    expect(errorOf(await oauth.refresh(app, tokens.refresh_token))).toEqual(REFUSED);
  });

  test("a refresh token lasts 30 days", async () => {
    const { refresh_token } = await oauth.tokensFor(user, app);
    clock.at += 30 * 24 * HOUR_MS - 1;
    const renewed = await oauth.refresh(app, refresh_token);
    expect(renewed.status).toBe(200);
    clock.at += 30 * 24 * HOUR_MS;
    expect(errorOf(await oauth.refresh(app, tokensOf(renewed).refresh_token))).toEqual(REFUSED);
  });

  test("a refresh token gives fewer scopes when asked to, and all of them the next time", async () => {
    const first = await oauth.tokensFor(user, app);
    const second = tokensOf(await oauth.refresh(app, first.refresh_token, { scope: "user.read" }));
    expect(second.scope).toBe("user.read");
    const third = tokensOf(await oauth.refresh(app, second.refresh_token));
    expect(third.scope).toBe("user.read api.access");
  });

  test.each(["user.write", "user.read user.write", "admin", "everything"])(
    "a refresh token gives no %s that it lacks",
    async (scope) => {
      const { refresh_token } = await oauth.tokensFor(user, app);
      expect(errorOf(await oauth.refresh(app, refresh_token, { scope }))).toEqual([400, "invalid_scope"]);
      expect((await oauth.refresh(app, refresh_token)).status).toBe(200);
    },
  );

  test("a refresh token is unknown to another application, and stays valid", async () => {
    const other = await oauth.register(user);
    const { refresh_token } = await oauth.tokensFor(user, app);
    expect(errorOf(await oauth.refresh(other, refresh_token))).toEqual(REFUSED);
    expect((await oauth.refresh(app, refresh_token)).status).toBe(200);
  });

  test("a refresh token does not work as an access token, nor an access token as a refresh token", async () => {
    const { access_token, refresh_token } = await oauth.tokensFor(user, app);
    expect((await oauth.userinfo(refresh_token)).status).toBe(401);
    expect(errorOf(await oauth.refresh(app, access_token))).toEqual(REFUSED);
  });

  test.each([
    ["one that never was", `ort_${"x".repeat(49)}`],
    ["nonsense", "%00' --"],
    ["a session", "ses_x"],
  ])("a refresh token is not %s", async (_what, secret) => {
    expect(errorOf(await oauth.refresh(app, secret))).toEqual(REFUSED);
  });

  test("a refresh token stops working when its user leaves the organization", async () => {
    const { access_token, refresh_token } = await oauth.tokensFor(user, app);
    await server.db.deleteFrom("memberships").where("user_id", "=", user.userId).execute();
    expect((await oauth.userinfo(access_token)).status).toBe(401);
    expect(errorOf(await oauth.refresh(app, refresh_token))).toEqual(REFUSED);
  });

  test("a refresh token does not work while its application is switched off", async () => {
    const first = await oauth.tokensFor(user, app);
    const set = (status: string) =>
      server.call(`/api/application/${app.id}/status`, { method: "PUT", token: user.token, body: { status } });
    await set("inactive");
    expect(errorOf(await oauth.refresh(app, first.refresh_token))).toEqual([400, "unauthorized_client"]);
    expect(await holds(first)).toBe(false);
    await set("active");
    expect(await holds(first)).toBe(true);
    expect((await oauth.refresh(app, first.refresh_token)).status).toBe(200);
  });
});

describe("client authentication of RFC 6749, section 2.3", () => {
  const basic = (id: string, secret: string) => ({
    authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`,
  });
  const INVALID_CLIENT = [401, "invalid_client"];
  const send = async (body: Record<string, string>, headers: Record<string, string> = {}, query = "") =>
    oauth.form(
      `/api/oauth/token${query}`,
      { grant_type: "authorization_code", code: await oauth.codeFor(user, app), redirect_uri: CALLBACK_URL, ...body },
      { headers },
    );

  test.each<[string, () => [Record<string, string>, Record<string, string>?]]>([
    ["nothing", () => [{}]],
    ["an unknown id", () => [{ client_id: "app_nobody", client_secret: app.client_secret ?? "" }]],
    ["no secret", () => [{ client_id: app.id }]],
    ["an empty secret", () => [{ client_id: app.id, client_secret: "" }]],
    ["a wrong secret", () => [{ client_id: app.id, client_secret: `${app.client_secret}x` }]],
    ["a wrong secret in the header", () => [{}, basic(app.id, "secret_x")]],
    ["a secret for a public application", () => [{ client_id: CLI_CLIENT_ID, client_secret: "secret_x" }]],
    ["a header that is no Basic", () => [{}, { authorization: "Basic !!!" }]],
    ["a header without a colon", () => [{}, { authorization: `Basic ${Buffer.from("abc").toString("base64")}` }]],
    ["a header that encodes nothing", () => [{}, basic("%zz", "x")]],
    ["a session in the header", () => [{ client_id: app.id }, { authorization: `Bearer ${user.token}` }]],
  ])("client authentication of RFC 6749, section 2.3 rejects %s", async (_what, getParts) => {
    const answer = await send(...getParts());
    expect(errorOf(answer)).toEqual(INVALID_CLIENT);
    expect(answer.headers.get("www-authenticate")).toContain("Basic");
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });

  test("client authentication of RFC 6749, section 2.3 rejects a secret that is sent twice", async () => {
    const secret = app.client_secret ?? "";
    const answer = await send({ client_id: app.id, client_secret: secret }, basic(app.id, secret));
    expect(errorOf(answer)).toEqual([400, "invalid_request"]);
  });

  test("client authentication of RFC 6749, section 2.3 rejects a request that names two applications", async () => {
    const answer = await send({ client_id: CLI_CLIENT_ID }, basic(app.id, app.client_secret ?? ""));
    expect(errorOf(answer)).toEqual([400, "invalid_request"]);
  });

  test.each([
    ["the secret", () => `?client_secret=${app.client_secret}`],
    ["the application", () => `?client_id=${app.id}`],
    ["the grant", () => "?grant_type=authorization_code"],
    ["anything", () => "?x=1"],
  ])(
    "client authentication of RFC 6749, section 2.3 rejects %s in the address, where it would be logged",
    async (_what, query) => {
      const answer = await send({ client_id: app.id, client_secret: app.client_secret ?? "" }, {}, query());
      expect(errorOf(answer)).toEqual([400, "invalid_request"]);
    },
  );

  test.each(["grant_type", "code", "client_id", "client_secret", "redirect_uri", "code_verifier"])(
    "client authentication of RFC 6749, section 2.3 rejects %s twice, and leaves the code valid",
    async (name) => {
      const code = await oauth.codeFor(user, app, PKCE);
      const fields: Record<string, string> = {
        grant_type: "authorization_code",
        code,
        redirect_uri: CALLBACK_URL,
        code_verifier: VERIFIER,
        client_id: app.id,
        client_secret: app.client_secret ?? "",
      };
      const twice = `${new URLSearchParams(fields)}&${name}=${encodeURIComponent(fields[name] ?? "")}`;
      expect(errorOf(await oauth.form("/api/oauth/token", twice))).toEqual([400, "invalid_request"]);
      expect((await oauth.form("/api/oauth/token", fields)).status).toBe(200);
    },
  );

  test.each([
    "password",
    "client_credentials",
    "implicit",
    "urn:ietf:params:oauth:grant-type:jwt-bearer",
    "",
    "Refresh_Token",
  ])("client authentication of RFC 6749, section 2.3 rejects the grant type %j as unsupported", async (grant_type) => {
    const answer = await oauth.token(app, { grant_type, username: user.email, password: "feathers-are-light" });
    expect(errorOf(answer)).toEqual([400, "unsupported_grant_type"]);
  });

  test.each([
    ["no grant_type", {}],
    ["no code", { grant_type: "authorization_code", redirect_uri: CALLBACK_URL }],
    ["no refresh token", { grant_type: "refresh_token" }],
    ["no device code", { grant_type: "urn:ietf:params:oauth:grant-type:device_code" }],
  ])("client authentication of RFC 6749, section 2.3 rejects a request with %s", async (_what, fields) => {
    expect(errorOf(await oauth.token(app, fields as Record<string, string>))).toEqual([400, "invalid_request"]);
  });

  test("client authentication of RFC 6749, section 2.3 rejects a body in JSON", async () => {
    const { status } = await server.call("/api/oauth/token", { body: { grant_type: "authorization_code" } });
    expect(status).toBe(415);
  });

  test("client authentication of RFC 6749, section 2.3 ignores the cookie of a user", async () => {
    const answer = await send({}, { cookie: `session=${user.token}` });
    expect(errorOf(answer)).toEqual(INVALID_CLIENT);
  });
});

describe("revoking a token", () => {
  test("revoking a token ends an access token alone", async () => {
    const tokens = await oauth.tokensFor(user, app);
    const { status, body } = await oauth.revoke(app, tokens.access_token);
    expect([status, body]).toEqual([200, {}]);
    expect(await holds(tokens)).toBe(false);
    expect((await oauth.refresh(app, tokens.refresh_token)).status).toBe(200);
  });

  test("revoking a token ends the whole family of a refresh token, also of one that was replaced", async () => {
    const first = await oauth.tokensFor(user, app);
    const second = tokensOf(await oauth.refresh(app, first.refresh_token));
    expect((await oauth.revoke(app, first.refresh_token)).status).toBe(200);
    expect([await holds(first), await holds(second)]).toEqual([false, false]);
    expect(errorOf(await oauth.refresh(app, second.refresh_token))).toEqual(REFUSED);
  });

  test("revoking a token succeeds for unknown tokens and for ones revoked before", async () => {
    const { access_token } = await oauth.tokensFor(user, app);
    for (const secret of [access_token, access_token, "nonsense", `oat_${"x".repeat(49)}`, user.token])
      expect(await oauth.revoke(app, secret)).toMatchObject({ status: 200, body: {} });
    expect((await server.call("/api/auth/me", { token: user.token })).status).toBe(200);
  });

  test("revoking a token leaves tokens of other applications valid", async () => {
    const tokens = await oauth.tokensFor(user, app);
    const other = await oauth.register(user);
    expect((await oauth.revoke(other, tokens.access_token)).status).toBe(200);
    expect((await oauth.revoke(CLIENT, tokens.refresh_token)).status).toBe(200);
    expect(await holds(tokens)).toBe(true);
  });

  test("revoking a token works while the application is switched off", async () => {
    const tokens = await oauth.tokensFor(user, app);
    const off = server.db.updateTable("applications").where("id", "=", app.id);
    await off.set({ status: "inactive" }).execute();
    expect((await oauth.revoke(app, tokens.refresh_token)).status).toBe(200);
    await off.set({ status: "active" }).execute();
    expect(await holds(tokens)).toBe(false);
  });

  test("revoking a token requires the application to authenticate", async () => {
    const { access_token } = await oauth.tokensFor(user, app);
    expect(errorOf(await oauth.revoke({ id: app.id, client_secret: "secret_x" }, access_token))).toEqual([
      401,
      "invalid_client",
    ]);
    expect(errorOf(await oauth.form("/api/oauth/revoke", { client_id: app.id }))).toEqual([400, "invalid_request"]);
  });
});

describe("the database of the OAuth provider", () => {
  test("the database of the OAuth provider stores no codes or tokens in plain text", async () => {
    const { access_token, refresh_token } = await oauth.tokensFor(user, app);
    const rows = JSON.stringify(await server.db.selectFrom("oauth_tokens").selectAll().execute());
    for (const secret of [access_token, refresh_token]) expect(rows).not.toContain(secret.slice(4, -6));
  });

  test("the database of the OAuth provider revokes a grant after a redemption that is in progress", async () => {
    const code = await oauth.codeFor(user, app);
    const shut = Promise.withResolvers<void>();
    const opened = Promise.withResolvers<void>();
    const gate = server.db.transaction().execute(async (trx) => {
      await sql`lock table oauth_families in share mode`.execute(trx);
      shut.resolve();
      await opened.promise;
    });
    await shut.promise;
    const redeemed = oauth.redeem(app, code);
    await waiting(1);
    const withdrawn = withdraw();
    await waiting(2);
    opened.resolve();
    const [token, { status }] = await Promise.all([redeemed, withdrawn, gate]);
    expect([token.status, status, await holds(tokensOf(token))]).toEqual([200, 204, false]);
  });

  test("the database of the OAuth provider deletes expired codes and tokens, but keeps used ones whose reuse must be detected", async () => {
    const first = await oauth.tokensFor(user, app);
    const second = tokensOf(await oauth.refresh(app, first.refresh_token));
    clock.at += 26 * HOUR_MS;
    await server.runJob("delete ended OAuth codes and tokens");
    expect(errorOf(await oauth.refresh(app, first.refresh_token))).toEqual(REFUSED);
    expect(errorOf(await oauth.refresh(app, second.refresh_token))).toEqual(REFUSED); // by the reuse of the first
    clock.at += 32 * 24 * HOUR_MS;
    await server.runJob("delete ended OAuth codes and tokens");
    const left = await Promise.all(
      (["oauth_codes", "oauth_tokens", "oauth_families", "oauth_device_codes"] as const).map((table) =>
        server.db.selectFrom(table).selectAll().execute(),
      ),
    );
    expect(left.flat()).toEqual([]);
  });
});

/** Waits until `count` statements wait for each other in this database. */
const waiting = (count: number) =>
  waitFor(async () => {
    const { rows } = await sql<{ pid: number }>`
      select distinct pid from pg_locks join pg_stat_activity using (pid)
      where not granted and datname = current_database()`.execute(server.db);
    expect(rows).toHaveLength(count);
  });

async function withdraw(applicationId = app.id): Promise<Answer> {
  const { id } = await server.db
    .selectFrom("oauth_grants")
    .select("id")
    .where("application_id", "=", applicationId)
    .where("user_id", "=", user.userId)
    .executeTakeFirstOrThrow();
  return server.call(`/api/account/authorizations/${id}`, { method: "DELETE", token: user.token });
}

function challengeOf(verifier: string) {
  return {
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
  };
}
