import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createProviders } from "./providers.ts";

const CHECKS = { codeVerifier: "v".repeat(43), state: "state", nonce: "nonce" };
/** The challenge of the verifier above, by RFC 7636. */
const CHALLENGE = /^[\w-]{43}$/;
const RETURN_TO = "https://feather.example/auth/company/callback";
const FAILED = { code: "sign_in_providers.failed" };

/** What the issuer answers to the next requests for its discovery document; the last one is repeated. */
let answers: { status: number; body: unknown }[] = [];
let requests: string[] = [];
let server: Server;
let issuer = "";

beforeEach(async () => {
  requests = [];
  server = createServer((request, response) => {
    requests.push(request.url ?? "");
    const { status, body } = (answers.length > 1 ? answers.shift() : answers[0]) ?? { status: 404, body: {} };
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const discovery = (more: object = {}) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/keys`,
  userinfo_endpoint: `${issuer}/userinfo`,
  ...more,
});

function createCompany(more: object = {}) {
  const setting = { id: "company", issuer, client_id: "feather", client_secret: "secret", ...more };
  const company = createProviders([setting]).get("company");
  if (company === undefined) throw new Error("The provider is missing.");
  return company;
}

const start = (company: ReturnType<typeof createCompany>) => company.start(RETURN_TO, CHECKS);

test("the browser is sent to the provider with PKCE, state, nonce and the return address", async () => {
  answers = [{ status: 200, body: discovery() }];
  const url = new URL(await start(createCompany()));
  expect(url.origin + url.pathname).toBe(`${issuer}/authorize`);
  expect(Object.fromEntries(url.searchParams)).toEqual({
    client_id: "feather",
    code_challenge: expect.stringMatching(CHALLENGE),
    code_challenge_method: "S256",
    nonce: "nonce",
    redirect_uri: RETURN_TO,
    response_type: "code",
    scope: "openid email profile",
    state: "state",
  });
  expect(url.href).not.toContain(CHECKS.codeVerifier);
});

test("the scope and the name of a setting come before those that are known", async () => {
  answers = [{ status: 200, body: discovery() }];
  const company = createCompany({ scope: "openid email groups", name: "The Company" });
  expect(company.name).toBe("The Company");
  expect(new URL(await start(company)).searchParams.get("scope")).toBe("openid email groups");
});

test("the discovery document is read once for all sign-ins, and again after it could not be read", async () => {
  answers = [
    { status: 503, body: {} },
    { status: 200, body: discovery() },
  ];
  const company = createCompany();
  await expect(start(company)).rejects.toMatchObject(FAILED);
  await Promise.all([start(company), start(company)]);
  await start(company);
  expect(requests).toEqual(Array(2).fill("/.well-known/openid-configuration"));
});

test.each<[string, { status: number; body: unknown }]>([
  ["says that it is another issuer", { status: 200, body: { issuer: "https://other.example" } }],
  ["is longer than a megabyte", { status: 200, body: { padding: "x".repeat(1024 * 1024) } }],
  ["is no object", { status: 200, body: ["issuer"] }],
  ["is a redirect", { status: 302, body: {} }],
  ["is not found", { status: 404, body: {} }],
])("a sign-in is refused when the discovery document %s", async (_what, answer) => {
  answers = [answer];
  await expect(start(createCompany())).rejects.toMatchObject(FAILED);
});

test("a callback with another state than the one of the sign-in asks the provider for nothing", async () => {
  answers = [{ status: 200, body: discovery() }];
  const company = createCompany();
  await start(company);
  const back = new URL(`${RETURN_TO}?code=c&state=other`);
  await expect(company.finish(back, CHECKS)).rejects.toMatchObject(FAILED);
  expect(requests).toHaveLength(1);
});

test.each([
  ["is refused", { status: 400, body: { error: "invalid_grant" } }],
  ["gets a token without an ID token", { status: 200, body: { access_token: "a", token_type: "bearer" } }],
])("a sign-in fails when the exchange of its code %s", async (_what, answer) => {
  answers = [{ status: 200, body: discovery() }, answer];
  const company = createCompany();
  await expect(company.finish(new URL(`${RETURN_TO}?code=c&state=state`), CHECKS)).rejects.toMatchObject(FAILED);
  expect(requests).toEqual(["/.well-known/openid-configuration", "/token"]);
});

test("an OpenID Connect provider that is neither known nor has an issuer is refused at the start", () => {
  const setting = { id: "company", client_id: "feather", client_secret: "secret" };
  expect(() => createProviders([setting])).toThrow("The sign-in provider company needs an issuer.");
});

test("GitHub needs no discovery, and an installation of GitHub Enterprise is reached at its own address", async () => {
  const setting = { id: "github", client_id: "feather", client_secret: "secret" };
  const github = createProviders([setting]).get("github");
  expect(await github?.start(RETURN_TO, CHECKS)).toMatch(/^https:\/\/github\.com\/login\/oauth\/authorize\?/);
  const own = createProviders([{ ...setting, issuer: `${issuer}//` }]).get("github");
  const url = new URL((await own?.start(RETURN_TO, CHECKS)) ?? "");
  expect(url.origin + url.pathname).toBe(`${issuer}/login/oauth/authorize`);
  expect(url.searchParams.get("scope")).toBe("read:user user:email");
  expect(requests).toEqual([]);
});
