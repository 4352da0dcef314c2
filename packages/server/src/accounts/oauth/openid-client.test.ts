import { createTestClock } from "@feather/testing/clock";
import * as client from "openid-client";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Application, CALLBACK_URL, CLI_CLIENT_ID, createOAuthClient, LOOPBACK_URL } from "../../testing/oauth.ts";
import { type Account, createTestServer, type TestServer } from "../../testing/server.ts";

/** A certified client of another vendor, which knows only the address of the provider. */
const ISSUER = "https://feather.example";
const clock = createTestClock();
let server: TestServer;
let oauth: ReturnType<typeof createOAuthClient>;
let user: Account;
let app: Application;

beforeAll(async () => {
  server = await createTestServer({ clock, env: { FEATHER_PUBLIC_URL: ISSUER } });
  oauth = createOAuthClient(server);
});
beforeEach(async () => {
  user = await server.signUp();
  app = await oauth.register(user, { scopes: ["user.read", "user.write", "api.access"], device_flow: true });
});
afterAll(() => server.close());

/** Sends requests for the public address to the server of the test. */
const throughTheProxy: client.CustomFetch = (url, options) =>
  fetch(url.replace(ISSUER, server.url), options as RequestInit);
const discover = (id: string, auth: client.ClientAuth) =>
  client.discovery(new URL(ISSUER), id, {}, auth, { algorithm: "oauth2", [client.customFetch]: throughTheProxy });
const confidential = () => discover(app.id, client.ClientSecretBasic(app.client_secret ?? ""));
const publicOne = () => discover(CLI_CLIENT_ID, client.None());

/**
 * Does what the browser does: opens the page and sends the user's decision. Returns the address to which the browser is
 * redirected.
 */
async function visit(address: URL, decision = "approve"): Promise<URL> {
  expect(address.href.startsWith(`${ISSUER}/oauth/authorize?`)).toBe(true);
  const { body } = await oauth.form(
    "/api/oauth/authorize",
    { ...Object.fromEntries(address.searchParams), decision },
    { token: user.token },
  );
  return new URL((body as { redirect_to: string }).redirect_to);
}

async function signIn(config: client.Configuration, redirect_uri: string, scope: string) {
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const expectedState = client.randomState();
  const address = client.buildAuthorizationUrl(config, {
    redirect_uri,
    scope,
    state: expectedState,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: "S256",
  });
  return client.authorizationCodeGrant(config, await visit(address), { pkceCodeVerifier, expectedState });
}

const CLIENTS: [string, () => Promise<client.Configuration>, string][] = [
  ["a confidential application, its secret in the header", confidential, CALLBACK_URL],
  [
    "a confidential application, its secret in the body",
    () => discover(app.id, client.ClientSecretPost(app.client_secret ?? "")),
    CALLBACK_URL,
  ],
  ["a public application", publicOne, LOOPBACK_URL],
];

describe.each(CLIENTS)("%s", (_what, configure, redirectUri) => {
  test("openid-client signs a user in, reads the profile, refreshes its tokens and revokes them", async () => {
    const config = await configure();
    const tokens = await signIn(config, redirectUri, "user.read api.access");
    expect([tokens.token_type, tokens.scope, tokens.expires_in]).toEqual(["bearer", "user.read api.access", 3600]);
    expect(await client.fetchUserInfo(config, tokens.access_token, user.userId)).toMatchObject({ email: user.email });

    const renewed = await client.refreshTokenGrant(config, tokens.refresh_token ?? "");
    await client.tokenRevocation(config, renewed.refresh_token ?? "");
    await expect(client.fetchUserInfo(config, renewed.access_token, user.userId)).rejects.toMatchObject({
      status: 401,
    });
    await expect(client.refreshTokenGrant(config, renewed.refresh_token ?? "")).rejects.toMatchObject({
      error: "invalid_grant",
    });
  });

  test("openid-client signs a user in on a device without a browser", async () => {
    const config = await configure();
    const started = await client.initiateDeviceAuthorization(config, { scope: "user.read" });
    expect(started.verification_uri).toBe(`${ISSUER}/device`);
    clock.at += 60_000;
    const polled = client.pollDeviceAuthorizationGrant(config, { ...started, interval: 0.05 }, undefined, undefined);
    const body = { user_code: started.user_code, decision: "approve" };
    expect((await server.call("/api/oauth/device/verify", { token: user.token, body })).status).toBe(204);
    const tokens = await polled;
    expect(await client.fetchUserInfo(config, tokens.access_token, user.userId)).toMatchObject({ sub: user.userId });
  });
});

describe("openid-client, when something fails", () => {
  const buildRequest = async (config: client.Configuration, fields: Record<string, string> = {}) => {
    const pkceCodeVerifier = client.randomPKCECodeVerifier();
    const challenge = await client.calculatePKCECodeChallenge(pkceCodeVerifier);
    const address = client.buildAuthorizationUrl(config, {
      redirect_uri: CALLBACK_URL,
      scope: "user.read",
      state: "s",
      code_challenge: challenge,
      code_challenge_method: "S256",
      ...fields,
    });
    return { address, checks: { pkceCodeVerifier, expectedState: "s" } };
  };

  test.each([
    ["a refusal", {}, "deny", "access_denied"],
    ["a scope that it may not have", { scope: "admin" }, "approve", "invalid_scope"],
    ["an implicit token", { response_type: "token" }, "approve", "unsupported_response_type"],
    ["no question, where one is needed", { prompt: "none" }, "approve", "consent_required"],
  ])(
    "openid-client, when something fails receives the provider's error for %s",
    async (_what, fields, decision, error) => {
      const config = await confidential();
      const { address, checks } = await buildRequest(config, fields as Record<string, string>);
      await expect(client.authorizationCodeGrant(config, await visit(address, decision), checks)).rejects.toMatchObject(
        {
          error,
        },
      );
    },
  );

  test.each([
    ["state", "state", "another"],
    ["issuer", "iss", "https://evil.example"],
  ])("openid-client, when something fails rejects a callback whose %s was changed", async (_what, name, value) => {
    const config = await confidential();
    const { address, checks } = await buildRequest(config);
    const callbackUrl = await visit(address);
    callbackUrl.searchParams.set(name, value);
    await expect(client.authorizationCodeGrant(config, callbackUrl, checks)).rejects.toThrow();
  });

  test("openid-client, when something fails is refused tokens for a code that is used twice, and for a wrong verifier", async () => {
    const config = await confidential();
    const { address, checks } = await buildRequest(config);
    const callbackUrl = await visit(address);
    await client.authorizationCodeGrant(config, callbackUrl, checks);
    await expect(client.authorizationCodeGrant(config, callbackUrl, checks)).rejects.toMatchObject({
      error: "invalid_grant",
    });
    const other = await buildRequest(config);
    await expect(client.authorizationCodeGrant(config, await visit(other.address), checks)).rejects.toMatchObject({
      error: "invalid_grant",
    });
  });

  test("openid-client, when something fails receives access_denied for a device whose request was denied", async () => {
    const config = await publicOne();
    const started = await client.initiateDeviceAuthorization(config, { scope: "user.read" });
    const body = { user_code: started.user_code, decision: "deny" };
    await server.call("/api/oauth/device/verify", { token: user.token, body });
    await expect(client.pollDeviceAuthorizationGrant(config, { ...started, interval: 0.01 })).rejects.toMatchObject({
      error: "access_denied",
    });
  });
});

describe("the provider's metadata", () => {
  test.each(["/.well-known/oauth-authorization-server", "/api/.well-known/oauth-authorization-server"])(
    "the provider's metadata stands at %s, for programs in browsers too",
    async (path) => {
      const { status, headers, body } = await server.call(path);
      expect([status, headers.get("access-control-allow-origin")]).toEqual([200, "*"]);
      expect(body).toMatchObject({
        issuer: ISSUER,
        authorization_endpoint: `${ISSUER}/oauth/authorize`,
        token_endpoint: `${ISSUER}/api/oauth/token`,
        code_challenge_methods_supported: ["S256"],
        response_types_supported: ["code"],
        authorization_response_iss_parameter_supported: true,
      });
    },
  );

  test("the provider's metadata contains the public address, whatever host a request names", async () => {
    const headers = { host: "evil.example", "x-forwarded-host": "evil.example", forwarded: "host=evil.example" };
    const { text } = await server.call("/.well-known/oauth-authorization-server", { headers });
    expect(text).not.toContain("evil.example");
    const query = await oauth.readRedirectQuery(oauth.authorize(user, app.id, {}, { token: user.token, headers }));
    expect(query.get("iss")).toBe(ISSUER);
    const started = await oauth.form("/api/oauth/device", { client_id: CLI_CLIENT_ID }, { headers });
    expect(started.text).not.toContain("evil.example");
  });

  test("the provider's metadata contains only addresses that exist", async () => {
    const { body } = await server.call("/.well-known/oauth-authorization-server");
    const endpoints = Object.entries(body as Record<string, string>).filter(
      ([name]) => name.endsWith("_endpoint") && name !== "authorization_endpoint",
    );
    expect(endpoints).toHaveLength(4);
    for (const [name, address] of endpoints) {
      const method = name === "userinfo_endpoint" ? "GET" : "POST";
      const { status } = await server.call(address.replace(ISSUER, ""), { method });
      expect([name, status]).toEqual([name, expect.toSatisfy((code: number) => [400, 401].includes(code))]);
    }
  });
});
