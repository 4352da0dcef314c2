import * as client from "openid-client";
import type { SignInProviderSetting } from "../../config/settings.ts";
import { AppError } from "../../shared/errors.ts";

/** A user's profile at a provider. */
export type Profile = {
  subject: string;
  email: string | null;
  emailVerified: boolean;
  name: string | null;
  username: string | null;
};

/** Values that are sent with the authorization request and verified in the callback. */
export type Checks = { codeVerifier: string; state: string; nonce: string };

/** A sign-in provider: OpenID Connect or GitHub. */
export type Provider = {
  id: string;
  name: string;
  /** Returns the authorization URL that the browser is sent to. Throws `provider_failed`. */
  start(redirectUri: string, checks: Checks): Promise<string>;
  /** Exchanges the code of the callback URL and returns the user's profile. Throws `provider_failed`. */
  finish(answer: URL, checks: Checks): Promise<Profile>;
};

const KNOWN = {
  google: { name: "Google", issuer: "https://accounts.google.com", scope: "openid email profile" },
  huggingface: { name: "Hugging Face", issuer: "https://huggingface.co", scope: "openid email profile" },
} as const;
const GITHUB = "https://github.com";
const TIMEOUT_S = 10;

/** Returns the configured providers by id. */
export function createProviders(settings: readonly SignInProviderSetting[]): ReadonlyMap<string, Provider> {
  return new Map(
    settings.map((setting) => [setting.id, setting.id === "github" ? github(setting) : openIdConnect(setting)]),
  );
}

/** A provider with OpenID Connect. Its discovery document is fetched when it is first needed. */
function openIdConnect(setting: SignInProviderSetting): Provider {
  const known = setting.id in KNOWN ? KNOWN[setting.id as keyof typeof KNOWN] : null;
  const issuer = setting.issuer ?? known?.issuer;
  if (issuer === undefined) throw new Error(`The sign-in provider ${setting.id} needs an issuer.`);
  const name = setting.name ?? known?.name ?? setting.id;
  const scope = setting.scope ?? known?.scope ?? "openid email profile";
  let discovered: Promise<client.Configuration> | undefined;

  function configuration(): Promise<client.Configuration> {
    discovered ??= client
      .discovery(new URL(issuer ?? ""), setting.client_id, setting.client_secret, undefined, {
        execute: issuer?.startsWith("http:") ? [client.allowInsecureRequests] : [],
        timeout: TIMEOUT_S,
      })
      .catch((error: unknown) => {
        discovered = undefined; // the next call fetches it again
        throw error;
      });
    return discovered;
  }

  return {
    id: setting.id,
    name,
    start: (redirectUri, checks) =>
      asking(name, async () => {
        const config = await configuration();
        const parameters = await authorizationParameters(redirectUri, scope, checks);
        return client.buildAuthorizationUrl(config, { ...parameters, nonce: checks.nonce }).href;
      }),
    finish: (answer, { codeVerifier, state, nonce }) =>
      asking(name, async () => {
        const config = await configuration();
        const expected = { pkceCodeVerifier: codeVerifier, expectedState: state, expectedNonce: nonce };
        const tokens = await client.authorizationCodeGrant(config, answer, expected);
        const claims = tokens.claims();
        if (!claims) throw new Error("The provider sent no ID token.");
        const info = await client.fetchUserInfo(config, tokens.access_token, claims.sub);
        const all = { ...claims, ...info };
        return {
          subject: claims.sub,
          email: text(all.email),
          emailVerified: all.email_verified === true,
          name: text(all.name),
          username: text(all.preferred_username) ?? text(all.nickname),
        };
      }),
  };
}

/** GitHub has OAuth 2.0 without OpenID Connect: the profile is read from its REST API. */
function github(setting: SignInProviderSetting): Provider {
  const site = (setting.issuer ?? GITHUB).replace(/\/+$/, "");
  const api = site === GITHUB ? "https://api.github.com" : `${site}/api/v3`;
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
  config.timeout = TIMEOUT_S;
  if (site.startsWith("http:")) client.allowInsecureRequests(config);

  async function ask(path: string, token: string): Promise<unknown> {
    const headers = new Headers({ accept: "application/vnd.github+json" });
    const answer = await client.fetchProtectedResource(config, token, new URL(api + path), "GET", null, headers);
    if (!answer.ok) throw new Error(`${path} answered with status ${answer.status}.`);
    return answer.json();
  }

  return {
    id: setting.id,
    name,
    start: (redirectUri, checks) =>
      asking(name, async () => {
        const parameters = await authorizationParameters(redirectUri, setting.scope ?? "read:user user:email", checks);
        return client.buildAuthorizationUrl(config, parameters).href;
      }),
    finish: (answer, { codeVerifier, state }) =>
      asking(name, async () => {
        const expected = { pkceCodeVerifier: codeVerifier, expectedState: state };
        const { access_token } = await client.authorizationCodeGrant(config, answer, expected);
        const [user, emails] = await Promise.all([ask("/user", access_token), ask("/user/emails", access_token)]);
        const { id, login, name: person } = user as { id?: unknown; login?: unknown; name?: unknown };
        if (typeof id !== "number") throw new Error("GitHub sent no user.");
        const primary = (emails as { email: string; primary: boolean; verified: boolean }[]).find((one) => one.primary);
        return {
          subject: String(id),
          email: primary?.email ?? null,
          emailVerified: primary?.verified === true,
          name: text(person),
          username: text(login),
        };
      }),
  };
}

async function authorizationParameters(redirectUri: string, scope: string, { codeVerifier, state }: Checks) {
  return {
    redirect_uri: redirectUri,
    scope,
    state,
    code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: "S256",
  };
}

async function asking<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw new AppError(
      502,
      "provider_failed",
      `Signing in with ${name} did not work. Try again, or sign in otherwise.`,
      {
        cause,
      },
    );
  }
}

function text(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
