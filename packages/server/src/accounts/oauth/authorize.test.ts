import { createTestClock } from "@feather/testing/clock";
import { errorCode } from "@feather/testing/errors";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  type Application,
  CALLBACK_URL,
  CHALLENGE,
  CLI_CLIENT_ID,
  createOAuthClient,
  errorOf,
  LOOPBACK_URL,
  PKCE,
} from "../../testing/oauth.ts";
import { type Account, createTestServer, type TestServer } from "../../testing/server.ts";

const ISSUER = "https://feather.example";
const clock = createTestClock();
let server: TestServer;
let oauth: ReturnType<typeof createOAuthClient>;
let user: Account;
let app: Application;

beforeAll(async () => {
  server = await createTestServer({ clock, env: { FEATHER_PUBLIC_URL: `${ISSUER}/` } });
  oauth = createOAuthClient(server);
});
beforeEach(async () => {
  user = await server.signUp();
  app = await oauth.register(user);
});
afterAll(() => server.close());

const codes = () =>
  server.db
    .selectFrom("oauth_codes")
    .innerJoin("oauth_grants", "oauth_grants.id", "oauth_codes.grant_id")
    .select("oauth_codes.grant_id")
    .where("user_id", "=", user.userId)
    .execute();
const describeApp = (id: string, query: Record<string, string> = {}, by: Account | null = user) =>
  server.call(`/api/oauth/applications/${id}?${new URLSearchParams(query)}`, { token: by?.token });

describe("an approval", () => {
  test("an approval redirects with a code, the unchanged state and the issuer", async () => {
    const state = 'a&b=c d"é?#%20+';
    const { status, headers, body } = await oauth.authorize(user, app.id, { state });
    const { redirect_to } = body as { redirect_to: string };
    const query = new URL(redirect_to).searchParams;
    expect(status).toBe(200);
    expect(redirect_to.startsWith(`${CALLBACK_URL}?code=oac_`)).toBe(true);
    expect([query.get("state"), query.get("iss"), query.has("error")]).toEqual([state, ISSUER, false]);
    expect(headers.get("cache-control")).toBe("no-store");
  });

  test("an approval redirects without a state where none was sent", async () => {
    expect((await oauth.readRedirectQuery(oauth.authorize(user, app.id))).has("state")).toBe(false);
  });

  test("an approval keeps the query of the registered redirect URI", async () => {
    const uri = "https://roost.example/callback?from=feather";
    const other = await oauth.register(user, { redirect_uris: [uri] });
    const { body } = await oauth.authorize(user, other.id, { redirect_uri: uri });
    expect((body as { redirect_to: string }).redirect_to).toMatch(
      /^https:\/\/roost\.example\/callback\?from=feather&code=oac_/,
    );
  });

  test("an approval grants all scopes of the application where none are requested", async () => {
    const query = await oauth.readRedirectQuery(oauth.authorize(user, app.id));
    const { body } = await oauth.redeem(app, query.get("code") ?? "");
    expect((body as { scope: string }).scope).toBe("user.read api.access");
  });

  test("an approval stores only a hash of the code", async () => {
    const code = await oauth.codeFor(user, app);
    const rows = await server.db.selectFrom("oauth_codes").selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(code.slice(4, -6));
  });

  test.each(["http://127.0.0.1:51234/callback", "http://127.0.0.1/callback", "http://127.0.0.1:80/callback"])(
    "an approval redirects a program on this machine to any port: %s",
    async (redirect_uri) => {
      const query = await oauth.readRedirectQuery(oauth.authorize(user, CLI_CLIENT_ID, { redirect_uri, ...PKCE }));
      expect(query.get("code")).toMatch(/^oac_/);
    },
  );
});

describe("a redirect URI that is not exactly a registered one", () => {
  test.each([
    "https://roost.example:443/callback",
    "https://roost.example:8443/callback",
    "https://ROOST.example/callback",
    "HTTPS://roost.example/callback",
    "http://roost.example/callback",
    "https://roost.example/Callback",
    "https://roost.example/callback/",
    "https://roost.example/callback/..",
    "https://roost.example/x/../callback",
    "https://roost.example/./callback",
    "https://roost.example/%63allback",
    "https://roost.example/callback%2e",
    "https://roost.example/callback%2F..",
    "https://roost.example/callback?x=1",
    "https://roost.example/callback?",
    "https://roost.example/callback#",
    "https://roost.example/callback#x",
    "https://user@roost.example/callback",
    "https://roost.example@evil.example/callback",
    "https://roost.example.evil.example/callback",
    "https://evil.example/https://roost.example/callback",
    "https://roost.example\\@evil.example/callback",
    "https://roost.example/callback\u0000",
    " https://roost.example/callback",
    "https://roost.example/callback\n",
    "//roost.example/callback",
    "/callback",
    "javascript:alert(1)",
    "data:text/html,x",
    "",
    "https://r\u043e\u043est.example/callback",
  ])("rejects the redirect URI %j, which is not exactly a registered one", async (redirect_uri) => {
    const answer = await oauth.authorize(user, app.id, { redirect_uri });
    expect(errorOf(answer)).toEqual([400, "invalid_request"]);
    expect(await codes()).toEqual([]);
  });

  test.each([
    "http://localhost:5000/callback",
    "http://127.1:5000/callback",
    "http://2130706433:5000/callback",
    "http://0x7f.1:5000/callback",
    "http://127.0.0.2:5000/callback",
    "http://127.0.0.1:0/callback",
    "http://127.0.0.1:99999/callback",
    "http://127.0.0.1:5000/callback/",
    "http://127.0.0.1:5000/other",
    "http://127.0.0.1:5000/callback?x=1",
    "http://127.0.0.1:5000/callback#x",
    "http://127.0.0.1:5000@evil.example/callback",
    "http://127.0.0.1.evil.example/callback",
    "http://[::ffff:127.0.0.1]:5000/callback",
    "https://127.0.0.1:5000/callback",
  ])("rejects a redirect URI that is not exactly a registered one, on this machine: %s", async (redirect_uri) => {
    const answer = await oauth.authorize(user, CLI_CLIENT_ID, { redirect_uri, ...PKCE });
    expect(errorOf(answer)).toEqual([400, "invalid_request"]);
    expect(await codes()).toEqual([]);
  });
});

describe("a request that cannot be granted redirects with error, state and issuer", () => {
  const PUBLIC = { redirect_uri: LOOPBACK_URL };
  const rows: [string, string, Record<string, string>, ("own" | "public")?][] = [
    ["no response_type", "unsupported_response_type", { response_type: "" }],
    ["an implicit token", "unsupported_response_type", { response_type: "token" }],
    ["an ID token", "unsupported_response_type", { response_type: "id_token" }],
    ["a code and a token", "unsupported_response_type", { response_type: "code token" }],
    ["an answer in the fragment", "invalid_request", { response_mode: "fragment" }],
    ["an answer by form", "invalid_request", { response_mode: "form_post" }],
    ["a scope above the application's", "invalid_scope", { scope: "user.read user.write" }],
    ["the scope of admins", "invalid_scope", { scope: "admin" }],
    ["a scope that nobody knows", "invalid_scope", { scope: "user.read openid" }],
    ["a refusal", "access_denied", { decision: "deny" }],
    ["no question, where nothing was allowed before", "consent_required", { prompt: "none" }],
    ["no PKCE of a public application", "invalid_request", {}, "public"],
    ["a plain challenge", "invalid_request", { code_challenge: CHALLENGE, code_challenge_method: "plain" }, "public"],
    ["a challenge without a method, which means plain", "invalid_request", { code_challenge: CHALLENGE }, "public"],
    ["a method without a challenge", "invalid_request", { code_challenge_method: "S256" }, "public"],
    ["an empty challenge", "invalid_request", { ...PKCE, code_challenge: "" }, "public"],
    ["a challenge of 42 characters", "invalid_request", { ...PKCE, code_challenge: CHALLENGE.slice(1) }, "public"],
    ["a challenge of 44 characters", "invalid_request", { ...PKCE, code_challenge: `${CHALLENGE}A` }, "public"],
    ["a padded challenge", "invalid_request", { ...PKCE, code_challenge: `${CHALLENGE}=` }, "public"],
    ["a method in small letters", "invalid_request", { ...PKCE, code_challenge_method: "s256" }, "public"],
    ["a plain challenge of a confidential one", "invalid_request", { ...PKCE, code_challenge_method: "plain" }],
  ];

  test.each(rows)(
    "a request that cannot be granted (%s) redirects with the error %s, state and issuer",
    async (_what, error, fields, whose = "own") => {
      const id = whose === "public" ? CLI_CLIENT_ID : app.id;
      const answer = oauth.authorize(user, id, { ...(whose === "public" && PUBLIC), ...fields, state: "s&1" });
      const query = await oauth.readRedirectQuery(answer);
      expect(Object.fromEntries(query)).toEqual({
        error,
        error_description: expect.stringMatching(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/),
        state: "s&1",
        iss: ISSUER,
      });
      expect(await codes()).toEqual([]);
    },
  );
});

describe("a request without a trusted redirect URI fails without a redirect", () => {
  const base = () => ({ client_id: app.id, redirect_uri: CALLBACK_URL, response_type: "code", decision: "approve" });
  const send = (body: string, headers = {}) => oauth.form("/api/oauth/authorize", body, { token: user.token, headers });
  const text = (fields: Record<string, string>) => new URLSearchParams(fields).toString();

  test.each([
    ["an application that does not exist", { client_id: "app_nobody" }],
    ["an empty application", { client_id: "" }],
    ["SQL for an application", { client_id: "' or '1'='1" }],
    ["no decision", { decision: "" }],
    ["another decision", { decision: "maybe" }],
    ["a state without an end", { state: "x".repeat(2001) }],
  ])("a request with %s fails without a redirect", async (_what, fields) => {
    expect(errorOf(await send(text({ ...base(), ...fields })))).toEqual([400, "invalid_request"]);
  });

  test.each(["client_id", "redirect_uri", "decision"])("rejects a request without %s", async (name) => {
    const { [name]: _, ...rest } = base() as Record<string, string>;
    expect(errorOf(await send(text(rest)))).toEqual([400, "invalid_request"]);
  });

  test.each(["client_id", "redirect_uri", "scope", "state", "code_challenge", "decision", "unknown"])(
    "%s twice",
    async (name) => {
      const once = { ...base(), ...PKCE, scope: "user.read", state: "1", unknown: "x" } as Record<string, string>;
      const answer = await send(`${text(once)}&${name}=${encodeURIComponent(once[name] ?? "")}`);
      expect(errorOf(answer)).toEqual([400, "invalid_request"]);
      expect(await codes()).toEqual([]);
    },
  );

  test("rejects a body in JSON", async () => {
    const { status } = await server.call("/api/oauth/authorize", { token: user.token, body: base() });
    expect(status).toBe(415);
  });

  test.each(["pending", "inactive", "suspended", "rejected"])("rejects an application that is %s", async (status) => {
    await server.db.updateTable("applications").set({ status }).where("id", "=", app.id).execute();
    expect(errorOf(await oauth.authorize(user, app.id))).toEqual([400, "unauthorized_client"]);
    expect(errorCode((await describeApp(app.id)).body)).toBe("oauth.application_inactive");
  });

  test("rejects a request without a session", async () => {
    const answer = await oauth.form("/api/oauth/authorize", base());
    expect(errorOf(answer)).toEqual([401, "login_required"]);
  });

  test("rejects an API key or an access token instead of a session", async () => {
    const key = await server.createKey(user, { scopes: ["user.read", "user.write"] });
    const { access_token } = await oauth.tokensFor(user, app);
    for (const token of [key.secret, access_token])
      expect((await oauth.authorize(user, app.id, {}, { token })).status).toBe(401);
  });

  test.each([
    ["another site", { "sec-fetch-site": "cross-site" }],
    ["a neighbour", { "sec-fetch-site": "same-site" }],
    ["an old browser on another site", { origin: "https://evil.example" }],
    ["a frame without an origin", { origin: "null" }],
  ])("rejects a form sent by %s with the user's cookie", async (_what, headers) => {
    const cookie = { cookie: `session=${user.token}` };
    const answer = await oauth.form("/api/oauth/authorize", base(), { headers: { ...cookie, ...headers } });
    expect(errorOf(answer)).toEqual([403, "access_denied"]);
    expect(await codes()).toEqual([]);
  });

  test("accepts a form of the site's own page with the same cookie", async () => {
    const headers = { cookie: `session=${user.token}`, "sec-fetch-site": "same-origin" };
    expect((await oauth.form("/api/oauth/authorize", base(), { headers })).status).toBe(200);
  });
});

describe("consent", () => {
  const granted = async (scope = "user.read", id = app.id) =>
    ((await describeApp(id, { scope })).body as { granted: boolean }).granted;

  test("the consent page shows the application and the requested scopes, and no other fields of it", async () => {
    const { status, body } = await describeApp(app.id, { scope: "api.access user.read", redirect_uri: CALLBACK_URL });
    expect(status).toBe(200);
    expect(body).toEqual({
      id: app.id,
      name: "Roost",
      description: "",
      homepage_url: null,
      logo_url: null,
      verified: false,
      scopes: [
        expect.objectContaining({ id: "user.read", name: "Read User Profile", category: "User Data" }),
        expect.objectContaining({ id: "api.access", name: "API Access", category: "API" }),
      ],
      granted: false,
    });
  });

  test("consent is remembered for granted scopes, and requested again for more", async () => {
    await oauth.codeFor(user, app, { scope: "user.read" });
    expect(await granted("user.read")).toBe(true);
    expect(await granted("user.read api.access")).toBe(false);
    await oauth.codeFor(user, app, { scope: "api.access" });
    expect(await granted("user.read api.access")).toBe(true);
    const silent = await oauth.readRedirectQuery(oauth.authorize(user, app.id, { prompt: "none" }));
    expect(silent.get("code")).toMatch(/^oac_/);
  });

  test("consent does not count for other users, or in other organizations", async () => {
    await oauth.codeFor(user, app);
    const other = await server.signUp();
    expect(((await describeApp(app.id, {}, other)).body as { granted: boolean }).granted).toBe(false);
    await server.db
      .insertInto("memberships")
      .values({ user_id: user.userId, organization_id: other.organizationId, role: "viewer" })
      .execute();
    const body = { organization_id: other.organizationId };
    expect((await server.call("/api/organization/switch", { token: user.token, body })).status).toBe(200);
    expect(await granted()).toBe(false);
  });

  test("consent is always requested for public applications, because anybody can pretend to be one", async () => {
    await oauth.codeFor(user, { id: CLI_CLIENT_ID }, { redirect_uri: LOOPBACK_URL, ...PKCE });
    expect(await granted("user.read", CLI_CLIENT_ID)).toBe(false);
    const fields = { redirect_uri: LOOPBACK_URL, ...PKCE, prompt: "none" };
    expect((await oauth.readRedirectQuery(oauth.authorize(user, CLI_CLIENT_ID, fields))).get("error")).toBe(
      "consent_required",
    );
  });

  test("consent is not stored where the user denies it", async () => {
    await oauth.readRedirectQuery(oauth.authorize(user, app.id, { decision: "deny" }));
    expect(await granted()).toBe(false);
  });

  test.each([
    ["an unknown application", "app_nobody", {}, 404],
    ["a scope that it may not ask for", null, { scope: "user.write" }, 400],
    ["an address that is not registered", null, { redirect_uri: "https://evil.example" }, 400],
  ])("the consent page shows nothing of %s", async (_what, id, query, status) => {
    expect((await describeApp(id ?? app.id, query as Record<string, string>)).status).toBe(status);
  });

  test("consent is recorded in the audit log without the code", async () => {
    const code = await oauth.codeFor(user, app);
    const rows = await server.db
      .selectFrom("audit_log")
      .selectAll()
      .where("target", "=", app.id)
      .orderBy("sequence")
      .execute();
    expect(rows.map(({ action }) => action)).toEqual(["applications.create", "oauth.authorize"]);
    expect(JSON.stringify(rows)).not.toContain(code.slice(4, 20));
  });
});
