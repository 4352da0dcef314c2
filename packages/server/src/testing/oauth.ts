import type { Account, Answer, TestServer } from "./server.ts";

/** An OAuth application in responses. */
export type Application = { id: string; client_secret: string | null; redirect_uris: string[]; status: string };
/** Response of the token endpoint. */
export type TokenBody = {
  access_token: string;
  refresh_token: string;
  token_type: string;
  expires_in: number;
  scope: string;
};
type Fields = Record<string, string>;
type FormOptions = { token?: string; headers?: Record<string, string> };

/** The PKCE example in RFC 7636, appendix B. */
export const VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
/** The code challenge of `VERIFIER`. */
export const CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
/** Authorization parameters with `CHALLENGE`. */
export const PKCE = { code_challenge: CHALLENGE, code_challenge_method: "S256" };
/** Redirect URI of the test application. */
export const CALLBACK_URL = "https://roost.example/callback";
/** Loopback redirect URI of command-line applications. */
export const LOOPBACK_URL = "http://127.0.0.1/callback";
/** Client id of Feather's own CLI. */
export const CLI_CLIENT_ID = "app_feather_cli";
/** Grant type of the device flow (RFC 8628). */
export const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";

/** HTTP calls of an OAuth client and its user. */
export function createOAuthClient(server: Pick<TestServer, "call">) {
  const form = (path: string, fields: Fields | string, { token, headers }: FormOptions = {}): Promise<Answer> =>
    server.call(path, {
      method: "POST",
      body: typeof fields === "string" ? fields : new URLSearchParams(fields).toString(),
      token,
      headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    });

  async function register(owner: Account, fields: object = {}): Promise<Application> {
    const defaults = { name: "Roost", redirect_uris: [CALLBACK_URL], scopes: ["user.read", "api.access"] };
    const { status, body, text } = await server.call("/api/application", {
      token: owner.token,
      body: { ...defaults, ...fields },
    });
    if (status !== 201) throw new Error(`No application: ${status} ${text}`);
    return body as Application;
  }

  const authorize = (user: Account, clientId: string, fields: Fields = {}, options: FormOptions = {}) =>
    form(
      "/api/oauth/authorize",
      { client_id: clientId, redirect_uri: CALLBACK_URL, response_type: "code", decision: "approve", ...fields },
      { token: user.token, ...options },
    );

  /** Returns the query with which the browser returns to the application. */
  async function readRedirectQuery(answer: Promise<Answer>): Promise<URLSearchParams> {
    const { status, body, text } = await answer;
    if (status !== 200) throw new Error(`Nothing to take back: ${status} ${text}`);
    return new URL((body as { redirect_to: string }).redirect_to).searchParams;
  }

  async function codeFor(user: Account, application: { id: string }, fields: Fields = {}): Promise<string> {
    const query = await readRedirectQuery(authorize(user, application.id, fields));
    const code = query.get("code");
    if (code === null) throw new Error(`No code: ${query}`);
    return code;
  }

  const credentials = ({ id, client_secret: secret }: Pick<Application, "id" | "client_secret">): Fields =>
    secret === null ? { client_id: id } : { client_id: id, client_secret: secret };

  const token = (application: Pick<Application, "id" | "client_secret">, fields: Fields) =>
    form("/api/oauth/token", { ...credentials(application), ...fields });

  const redeem = (application: Application, code: string, fields: Fields = {}) =>
    token(application, { grant_type: "authorization_code", code, redirect_uri: CALLBACK_URL, ...fields });

  const refresh = (application: Application, refreshToken: string, fields: Fields = {}) =>
    token(application, { grant_type: "refresh_token", refresh_token: refreshToken, ...fields });

  async function tokensFor(user: Account, application: Application, fields: Fields = {}): Promise<TokenBody> {
    const { status, body, text } = await redeem(application, await codeFor(user, application, fields));
    if (status !== 200) throw new Error(`No tokens: ${status} ${text}`);
    return body as TokenBody;
  }

  return {
    form,
    register,
    authorize,
    readRedirectQuery,
    codeFor,
    token,
    redeem,
    refresh,
    tokensFor,
    userinfo: (accessToken: string) => server.call("/api/oauth/userinfo", { token: accessToken }),
    revoke: (application: Pick<Application, "id" | "client_secret">, secret: string) =>
      form("/api/oauth/revoke", { ...credentials(application), token: secret }),
    startDevice: (application: Pick<Application, "id" | "client_secret">, fields: Fields = {}) =>
      form("/api/oauth/device", { ...credentials(application), ...fields }),
  };
}

/** Status and OAuth `error` of a response. */
export const errorOf = ({ status, body }: Answer) => [status, (body as { error?: string }).error];
