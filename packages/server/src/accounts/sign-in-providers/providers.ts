import * as client from "openid-client";
import { errors } from "../../platform/core/errors/index.ts";
import { readLimited } from "../../platform/core/http/read-limited.ts";
import type { SignInProviderSetting } from "./sign-in-providers.settings.ts";

/** A user's profile at a provider. */
export type Profile = {
  subject: string;
  email: string | null;
  emailVerified: boolean;
  name: string | null;
  username: string | null;
};

/** Values that are sent with the authorization request and verified in the callback. */
export type AuthorizationChecks = { codeVerifier: string; state: string; nonce: string };

/** A sign-in provider: OpenID Connect or GitHub. */
export type Provider = {
  id: string;
  name: string;
  /** Returns the authorization URL that the browser is sent to. Throws `sign_in_providers.failed`. */
  start(redirectUri: string, checks: AuthorizationChecks): Promise<string>;
  /** Exchanges the code of the callback URL and returns the user's profile. Throws `sign_in_providers.failed`. */
  finish(callbackUrl: URL, checks: AuthorizationChecks): Promise<Profile>;
};

const PROVIDER_PRESETS = {
  google: { name: "Google", issuer: "https://accounts.google.com", scope: "openid email profile" },
  huggingface: { name: "Hugging Face", issuer: "https://huggingface.co", scope: "openid email profile" },
} as const;
const GITHUB_URL = "https://github.com";
const REQUEST_TIMEOUT_S = 10;
/** Discovery documents, keys, tokens and profiles have a few kilobytes. */
const MAX_ANSWER_BYTES = 1024 * 1024;

/** Sends a request to a provider. Rejects responses that are too long. */
const fetchLimited: client.CustomFetch = async (url, { body: sent, signal, ...options }) => {
  const bytes = sent instanceof Uint8Array ? Buffer.from(sent) : (sent ?? null);
  const init = { ...options, body: bytes, ...(signal && { signal }) };
  const { status, headers, body } = await fetch(url, init);
  return new Response(body && (await readLimited(body, MAX_ANSWER_BYTES)), { status, headers });
};

/** Returns the configured providers by id. */
export function createProviders(settings: readonly SignInProviderSetting[]): ReadonlyMap<string, Provider> {
  return new Map(
    settings.map((setting) => [
      setting.id,
      setting.id === "github" ? createGitHubProvider(setting) : createOpenIdProvider(setting),
    ]),
  );
}

/** A provider with OpenID Connect. Its discovery document is fetched when it is first needed. */
function createOpenIdProvider(setting: SignInProviderSetting): Provider {
  const preset = setting.id in PROVIDER_PRESETS ? PROVIDER_PRESETS[setting.id as keyof typeof PROVIDER_PRESETS] : null;
  const issuer = setting.issuer ?? preset?.issuer;
  if (issuer === undefined) throw new Error(`The sign-in provider ${setting.id} needs an issuer.`);
  const name = setting.name ?? preset?.name ?? setting.id;
  const scope = setting.scope ?? preset?.scope ?? "openid email profile";
  let discovery: Promise<client.Configuration> | undefined;

  function configuration(): Promise<client.Configuration> {
    discovery ??= client
      .discovery(new URL(issuer ?? ""), setting.client_id, setting.client_secret, undefined, {
        execute: issuer?.startsWith("http:") ? [client.allowInsecureRequests] : [],
        timeout: REQUEST_TIMEOUT_S,
        [client.customFetch]: fetchLimited,
      })
      .catch((error: unknown) => {
        discovery = undefined; // the next call fetches it again
        throw error;
      });
    return discovery;
  }

  return {
    id: setting.id,
    name,
    start: (redirectUri, checks) =>
      wrapProviderErrors(name, async () => {
        const config = await configuration();
        const parameters = await buildAuthorizationParameters(redirectUri, scope, checks);
        return client.buildAuthorizationUrl(config, { ...parameters, nonce: checks.nonce }).href;
      }),
    finish: (callbackUrl, { codeVerifier, state, nonce }) =>
      wrapProviderErrors(name, async () => {
        const config = await configuration();
        const expected = { pkceCodeVerifier: codeVerifier, expectedState: state, expectedNonce: nonce };
        const tokens = await client.authorizationCodeGrant(config, callbackUrl, expected);
        const claims = tokens.claims();
        if (!claims) throw new Error("The provider sent no ID token.");
        const info = await client.fetchUserInfo(config, tokens.access_token, claims.sub);
        const all = { ...claims, ...info };
        return {
          subject: claims.sub,
          email: toNonEmptyString(all.email),
          emailVerified: all.email_verified === true,
          name: toNonEmptyString(all.name),
          username: toNonEmptyString(all.preferred_username) ?? toNonEmptyString(all.nickname),
        };
      }),
  };
}

/** GitHub has OAuth 2.0 without OpenID Connect: the profile is read from its REST API. */
function createGitHubProvider(setting: SignInProviderSetting): Provider {
  const site = (setting.issuer ?? GITHUB_URL).replace(/\/+$/, "");
  const api = site === GITHUB_URL ? "https://api.github.com" : `${site}/api/v3`;
  const name = setting.name ?? "GitHub";
  const config = new client.Configuration(
    {
      issuer: site,
      authorization_endpoint: `${site}/login/oauth/authorize`,
      token_endpoint: `${site}/login/oauth/access_token`,
    },
    setting.client_id,
    setting.client_secret,
  );
  config.timeout = REQUEST_TIMEOUT_S;
  config[client.customFetch] = fetchLimited;
  if (site.startsWith("http:")) client.allowInsecureRequests(config);

  async function fetchFromApi(path: string, token: string): Promise<unknown> {
    const headers = new Headers({ accept: "application/vnd.github+json" });
    const response = await client.fetchProtectedResource(config, token, new URL(api + path), "GET", null, headers);
    if (!response.ok) throw new Error(`${path} answered with status ${response.status}.`);
    return response.json();
  }

  return {
    id: setting.id,
    name,
    start: (redirectUri, checks) =>
      wrapProviderErrors(name, async () => {
        const parameters = await buildAuthorizationParameters(
          redirectUri,
          setting.scope ?? "read:user user:email",
          checks,
        );
        return client.buildAuthorizationUrl(config, parameters).href;
      }),
    finish: (callbackUrl, { codeVerifier, state }) =>
      wrapProviderErrors(name, async () => {
        const expected = { pkceCodeVerifier: codeVerifier, expectedState: state };
        const { access_token } = await client.authorizationCodeGrant(config, callbackUrl, expected);
        const [user, emails] = await Promise.all([
          fetchFromApi("/user", access_token),
          fetchFromApi("/user/emails", access_token),
        ]);
        const { id, login, name: displayName } = user as { id?: unknown; login?: unknown; name?: unknown };
        if (typeof id !== "number") throw new Error("GitHub sent no user.");
        const primary = (emails as { email: string; primary: boolean; verified: boolean }[]).find((one) => one.primary);
        return {
          subject: String(id),
          email: primary?.email ?? null,
          emailVerified: primary?.verified === true,
          name: toNonEmptyString(displayName),
          username: toNonEmptyString(login),
        };
      }),
  };
}

async function buildAuthorizationParameters(
  redirectUri: string,
  scope: string,
  { codeVerifier, state }: AuthorizationChecks,
) {
  return {
    redirect_uri: redirectUri,
    scope,
    state,
    code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: "S256",
  };
}

async function wrapProviderErrors<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw errors.signInProviders.failed({ provider: name }, { cause });
  }
}

function toNonEmptyString(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
