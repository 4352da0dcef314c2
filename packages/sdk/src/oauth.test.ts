import { sendJson, startHttpServer } from "@feather/testing/http-server";
import { expect, test } from "vitest";
import { createOAuth, createPkce, type OAuthOptions, type Tokens } from "./oauth.ts";

const START = 1_800_000_000_000;
const token = (n: number, expires_in = 3600) => ({
  access_token: `oat_${n}`,
  refresh_token: `ort_${n}`,
  token_type: "Bearer",
  expires_in,
  scope: "user.read",
});
const tokens = (n: number, expiresAt = START + 3_600_000): Tokens => ({
  accessToken: `oat_${n}`,
  refreshToken: `ort_${n}`,
  scope: "user.read",
  expiresAt,
});

async function serveOAuth(
  answer: (fields: URLSearchParams, nth: number) => [number, unknown],
  options: Partial<OAuthOptions> = {},
) {
  let requestCount = 0;
  const server = await startHttpServer((request, response) => {
    if (request.url.endsWith("/oauth-authorization-server")) return sendJson(response, 200, { issuer: server.url });
    requestCount += 1;
    sendJson(response, ...answer(new URLSearchParams(request.body), requestCount));
  });
  const waits: number[] = [];
  const oauth = createOAuth({
    baseUrl: server.url,
    clientId: "app_1",
    redirectUri: "https://roost.example/callback",
    now: () => START + waits.reduce((sum, wait) => sum + wait, 0),
    sleep: async (milliseconds) => void waits.push(milliseconds),
    ...options,
  });
  const findPosts = () =>
    server.requests
      .filter(({ method }) => method === "POST")
      .map(({ body }) => Object.fromEntries(new URLSearchParams(body)));
  return { server, oauth, waits, findPosts, [Symbol.dispose]: () => server.close() };
}

test("createPkce returns the challenge of RFC 7636's example", async () => {
  expect(await createPkce("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")).toMatchObject({
    challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
  });
});

test("the code flow sends a PKCE challenge and exchanges the code with its verifier", async () => {
  using stand = await serveOAuth(() => [200, token(1)]);
  const { url, state, verifier } = await stand.oauth.authorize({ scope: "user.read", prompt: "consent" });
  const requestCount = new URL(url);
  expect(requestCount.origin + requestCount.pathname).toBe(`${stand.server.url}/oauth/authorize`);
  expect(Object.fromEntries(requestCount.searchParams)).toEqual({
    response_type: "code",
    client_id: "app_1",
    redirect_uri: "https://roost.example/callback",
    state,
    code_challenge: (await createPkce(verifier)).challenge,
    code_challenge_method: "S256",
    scope: "user.read",
    prompt: "consent",
  });
  const callbackUrl = `https://roost.example/callback?${new URLSearchParams({ code: "oac_1", state, iss: stand.server.url })}`;
  expect(await stand.oauth.exchange(callbackUrl, { state, verifier })).toEqual(tokens(1));
  expect(stand.findPosts()).toEqual([
    {
      client_id: "app_1",
      grant_type: "authorization_code",
      code: "oac_1",
      code_verifier: verifier,
      redirect_uri: "https://roost.example/callback",
    },
  ]);
});

test.each<[string, Record<string, string>, string]>([
  ["another state", { code: "x", state: "other" }, "invalid_state"],
  ["no state", { code: "x" }, "invalid_state"],
  ["a refusal", { state: "s", error: "access_denied" }, "access_denied"],
  ["another server", { code: "x", state: "s", iss: "https://evil.example" }, "invalid_issuer"],
  ["no server", { code: "x", state: "s" }, "invalid_issuer"],
])("exchange rejects a redirect with %s", async (_, query, code) => {
  using stand = await serveOAuth(() => [200, token(1)]);
  const callbackUrl = `https://roost.example/callback?${new URLSearchParams(query)}`;
  await expect(stand.oauth.exchange(callbackUrl, { state: "s", verifier: "v" })).rejects.toMatchObject({ code });
  expect(stand.findPosts()).toEqual([]);
});

test("tokenSource renews once for concurrent calls, and stores the tokens before it returns one", async () => {
  using stand = await serveOAuth(() => [200, token(2)], { clientSecret: "secret_1" });
  const stored: Tokens[] = [];
  const source = stand.oauth.tokenSource(tokens(1, START + 59_000), {
    onRefresh: (renewed) => void stored.push(renewed),
  });
  expect(await Promise.all([source(), source(), source()])).toEqual(["oat_2", "oat_2", "oat_2"]);
  expect(await source()).toBe("oat_2");
  expect(stored).toEqual([tokens(2)]);
  expect(stand.findPosts()).toEqual([
    { client_id: "app_1", client_secret: "secret_1", grant_type: "refresh_token", refresh_token: "ort_1" },
  ]);
});

test("tokenSource returns a valid token unchanged, and retries a failed refresh only on the next call", async () => {
  using stand = await serveOAuth((_, nth) => (nth === 1 ? [503, {}] : [200, token(2)]));
  expect(await stand.oauth.tokenSource(tokens(1))()).toBe("oat_1");
  const source = stand.oauth.tokenSource(tokens(1, START));
  await expect(source()).rejects.toMatchObject({ status: 503 });
  expect(stand.findPosts()).toHaveLength(1);
  expect(await source()).toBe("oat_2");
});

const device = { device_code: "odc_1", user_code: "ABCD-EFGH", interval: 5, expires_in: 600 } as never;
const error = (code: string): [number, unknown] => [400, { error: code, error_description: "x" }];

test("pollDevice polls at the interval that the server sets", async () => {
  const answers = [
    error("authorization_pending"),
    error("slow_down"),
    error("authorization_pending"),
    [200, token(1)] as [number, unknown],
  ];
  using stand = await serveOAuth((_, nth) => answers[nth - 1] ?? [500, {}]);
  expect(await stand.oauth.pollDevice(device)).toMatchObject({ accessToken: "oat_1" });
  expect(stand.waits).toEqual([5_000, 5_000, 10_000, 10_000]);
});

test.each(["access_denied", "expired_token"])("pollDevice throws %s", async (code) => {
  using stand = await serveOAuth(() => error(code));
  await expect(stand.oauth.pollDevice(device)).rejects.toMatchObject({ code });
});

test("pollDevice throws when the code has expired", async () => {
  using stand = await serveOAuth(() => error("authorization_pending"));
  await expect(stand.oauth.pollDevice(device)).rejects.toMatchObject({ code: "expired_token" });
  expect(stand.waits).toHaveLength(120);
});

test("pollDevice doubles the interval while the server is unreachable, and continues afterwards", async () => {
  const { url, close } = await startHttpServer(() => {});
  close();
  const waits: number[] = [];
  const oauth = createOAuth({
    baseUrl: url,
    clientId: "app_1",
    now: () => 0,
    sleep: async (wait) => {
      if (waits.push(wait) > 5) throw new Error("enough");
    },
  });
  await expect(oauth.pollDevice(device)).rejects.toThrow("enough");
  expect(waits).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000]);
});

test("startDevice, revoke and userinfo send the right requests", async () => {
  using stand = await serveOAuth(() => [200, { id: "usr_1" }]);
  await stand.oauth.startDevice({ scope: "user.read" });
  await stand.oauth.revoke("ort_1");
  await stand.oauth.userinfo("oat_1");
  expect(stand.findPosts()).toEqual([
    { client_id: "app_1", scope: "user.read" },
    { client_id: "app_1", token: "ort_1" },
  ]);
  expect(stand.server.requests.at(-1)?.headers.authorization).toBe("Bearer oat_1");
});

test("the given headers are sent with every request", async () => {
  using stand = await serveOAuth(() => [200, token(1)], { headers: { "user-agent": "roost/2" } });
  const { state, verifier } = await stand.oauth.authorize();
  const callback = `https://roost.example/callback?code=c&state=${state}&iss=${encodeURIComponent(stand.server.url)}`;
  await stand.oauth.exchange(callback, { state, verifier });
  expect(stand.server.requests.map(({ headers }) => headers["user-agent"])).toEqual(["roost/2", "roost/2"]);
});

test("authorize omits a scope and a prompt of undefined", async () => {
  using stand = await serveOAuth(() => [200, token(1)]);
  const { url } = await stand.oauth.authorize({ scope: undefined, prompt: undefined });
  const { searchParams } = new URL(url);
  expect([searchParams.has("scope"), searchParams.has("prompt")]).toEqual([false, false]);
});

test("each authorize has its own state and verifier", async () => {
  using stand = await serveOAuth(() => [200, token(1)]);
  const [one, other] = await Promise.all([stand.oauth.authorize(), stand.oauth.authorize()]);
  expect(one.state).not.toBe(other.state);
  expect(one.verifier).not.toBe(other.verifier);
  expect(one.verifier).toMatch(/^[\w-]{43}$/);
});

test("authorize and exchange without a redirect URI throw", async () => {
  using stand = await serveOAuth(() => [200, token(1)], { redirectUri: undefined });
  await expect(stand.oauth.authorize()).rejects.toThrow("needs a redirectUri");
});

test("tokenSource keeps renewed tokens whose storing failed, and never sends a refresh token twice", async () => {
  using stand = await serveOAuth((_, nth) => [200, token(nth + 1)]);
  const stored: Tokens[] = [];
  let isDown = true;
  const getToken = stand.oauth.tokenSource(tokens(1, START), {
    onRefresh: (renewed) => {
      if (isDown) throw new Error("The database is down.");
      stored.push(renewed);
    },
  });
  await expect(getToken()).rejects.toThrow("The database is down.");
  isDown = false;
  expect(await getToken()).toBe("oat_2");
  expect(stored.map(({ refreshToken }) => refreshToken)).toEqual(["ort_2"]);
  expect(stand.findPosts().map(({ refresh_token }) => refresh_token)).toEqual(["ort_1"]);
});

test("a refresh is never repeated, because a refresh token that is used twice ends the sign-in", async () => {
  using stand = await serveOAuth(() => [503, { error: "temporarily_unavailable" }], { maxRetries: 3 });
  await expect(stand.oauth.refresh("ort_1")).rejects.toMatchObject({ status: 503, code: "temporarily_unavailable" });
  expect(stand.findPosts()).toHaveLength(1);
});

test("tokenSource renews a token a minute before it expires, and not earlier", async () => {
  using stand = await serveOAuth(() => [200, token(2)]);
  expect(await stand.oauth.tokenSource(tokens(1, START + 60_000))()).toBe("oat_1");
  expect(await stand.oauth.tokenSource(tokens(1, START + 59_999))()).toBe("oat_2");
});
