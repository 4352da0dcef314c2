/**
 * Signing users in with their account on a Feather server, for programs of others (OAuth 2.0 with PKCE, and the device flow).
 *
 * ```ts
 * import { createOAuth } from "@feather/sdk/oauth";
 *
 * const oauth = createOAuth({ baseUrl: "https://feather.example", clientId: "app_…", redirectUri: "https://roost.example/callback" });
 * const { url, state, verifier } = await oauth.authorize({ scope: "user.read api.access" });
 * // … the browser goes to `url` and comes back to `currentUrl`
 * const tokens = await oauth.exchange(currentUrl, { state, verifier });
 * const feather = createFeather({ baseUrl: "https://feather.example", token: oauth.tokenSource(tokens, { onRefresh: store }) });
 * ```
 */
import { createFeather } from "./client.ts";
import { ApiError, ConnectionError, isApiError } from "./errors.ts";
import { apiAddress, type FeatherOptions } from "./options.ts";
import { sleep as pause } from "./transport.ts";
import type { Result, Schemas } from "./types.ts";

/** Who asks: an application as it is registered on the server. */
export type OAuthOptions = Pick<
  FeatherOptions,
  "baseUrl" | "fetch" | "timeout" | "maxRetries" | "logger" | "logLevel"
> & {
  /** `app_…` */
  clientId: string;
  /** `secret_…`, of confidential applications; never in a browser or an app that is handed out. */
  clientSecret?: string | undefined;
  /** Where the browser comes back to: exactly as registered. Not needed for devices. */
  redirectUri?: string | undefined;
  /** The clock, for tests. */
  now?: (() => number) | undefined;
  /** How to wait, for tests. */
  sleep?: ((milliseconds: number, signal?: AbortSignal) => Promise<void>) | undefined;
};

/** What a sign-in gives. Plain data: store it as it is. */
export type Tokens = {
  accessToken: string;
  /** Is replaced each time it is used. */
  refreshToken: string;
  /** Scopes that were allowed, by space. */
  scope: string;
  /** When the access token ends, in milliseconds since 1970. */
  expiresAt: number;
};

/** Where to send the browser, and what to keep until it comes back. */
export type Authorization = { url: string; state: string; verifier: string };

/** A code that the user types in on another device. Show `user_code` and `verification_uri`. */
export type DeviceCode = Result<"oauth.device">;

const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";
/** Seconds that RFC 8628 adds to the pause when the server says `slow_down`. */
const SLOWER = 5;
const LONGEST_PAUSE = 60;
/** Access tokens are renewed this long before they end, so that none ends on its way. */
const MARGIN = 60_000;

/** The ways to sign a person in, and what keeps them so: see `createOAuth`. */
export type OAuth = ReturnType<typeof createOAuth>;

/** Makes a client of the OAuth calls. It keeps no state: what `authorize` gives is yours to keep. */
export function createOAuth({
  clientId,
  clientSecret,
  redirectUri,
  now = Date.now,
  sleep = pause,
  ...server
}: OAuthOptions) {
  const { oauth } = createFeather({ ...server, apiKey: null });
  const site = apiAddress(server.baseUrl).replace(/\/api$/, "");
  const client = { client_id: clientId, ...(clientSecret !== undefined && { client_secret: clientSecret }) };

  async function tokens(fields: Record<string, string>, signal?: AbortSignal, maxRetries?: number): Promise<Tokens> {
    const body = { ...client, ...fields } as Parameters<typeof oauth.token>[0];
    return tokensFrom(await oauth.token(body, { signal, maxRetries }), now());
  }

  async function refresh(refreshToken: string, signal?: AbortSignal): Promise<Tokens> {
    // Never twice: a refresh token that is seen a second time ends the whole sign-in.
    return tokens({ grant_type: "refresh_token", refresh_token: refreshToken }, signal, 0);
  }

  return {
    /** Where to send the browser. Keep `state` and `verifier` with the user's session until it comes back. */
    async authorize(options: { scope?: string; prompt?: "none" | "consent" } = {}): Promise<Authorization> {
      const { verifier, challenge } = await createPkce();
      const state = randomText(24);
      const query = new URLSearchParams({
        response_type: "code",
        client_id: clientId,
        redirect_uri: needed(redirectUri),
        state,
        code_challenge: challenge,
        code_challenge_method: "S256",
        ...options,
      });
      return { url: `${site}/oauth/authorize?${query}`, state, verifier };
    },

    /** Trades the code that came back in the address for tokens. Refuses an answer to another question, and one of another server. */
    async exchange(
      returnedTo: string | URL,
      { state, verifier, signal }: { state: string; verifier: string; signal?: AbortSignal },
    ): Promise<Tokens> {
      const answer = new URL(returnedTo).searchParams;
      if (answer.get("state") !== state) throw refusal("invalid_state", "The answer belongs to another sign-in.");
      const error = answer.get("error");
      if (error) throw refusal(error, answer.get("error_description") ?? "The sign-in was refused.");
      const { issuer } = await oauth.metadata({ signal });
      if (answer.get("iss") !== issuer) throw refusal("invalid_issuer", "The answer comes from another server.");
      const code = answer.get("code");
      if (!code) throw refusal("invalid_request", "The answer holds no code.");
      const fields = { code, code_verifier: verifier, redirect_uri: needed(redirectUri) };
      return tokens({ grant_type: "authorization_code", ...fields }, signal, 0);
    },

    /** New tokens for a refresh token, which ends with it. `tokenSource` does this by itself. */
    refresh,

    /**
     * The `token` of `createFeather`: gives an access token that holds, renewed when it is about to end. Asked several
     * times at once it renews once. `onRefresh` has stored the new tokens before any of them is used.
     */
    tokenSource(first: Tokens, { onRefresh }: { onRefresh?: (tokens: Tokens) => void | Promise<void> } = {}) {
      let current = first;
      let renewing: Promise<void> | undefined;
      return async (): Promise<string> => {
        if (current.expiresAt - now() < MARGIN) {
          renewing ??= refresh(current.refreshToken)
            .then(async (renewed) => {
              await onRefresh?.(renewed);
              current = renewed;
            })
            .finally(() => {
              renewing = undefined;
            });
          await renewing;
        }
        return current.accessToken;
      };
    },

    /** Begins a sign-in where there is no browser. */
    async startDevice({ scope, signal }: { scope?: string; signal?: AbortSignal } = {}): Promise<DeviceCode> {
      return oauth.device({ ...client, ...(scope !== undefined && { scope }) }, { signal });
    },

    /** Waits until the user has decided. Throws an `ApiError` with the code `access_denied` or `expired_token` when nothing comes of it. */
    async pollDevice({ device_code, interval, expires_in }: DeviceCode, signal?: AbortSignal): Promise<Tokens> {
      const end = now() + expires_in * 1000;
      for (let wait = interval; ; ) {
        await sleep(wait * 1000, signal);
        if (now() >= end) throw refusal("expired_token", "The code has ended, and nobody had entered it.");
        try {
          return await tokens({ grant_type: DEVICE_GRANT, device_code }, signal, 0);
        } catch (error) {
          // A connection that is away for a while is no reason to begin anew; the pause grows, as the RFC asks.
          if (error instanceof ConnectionError) wait = Math.min(wait * 2, LONGEST_PAUSE);
          else if (isApiError(error) && error.code === "slow_down") wait += SLOWER;
          else if (!isApiError(error) || error.code !== "authorization_pending") throw error;
        }
      }
    },

    /** Gives a token back. With the refresh token its access tokens end too. */
    async revoke(token: string, signal?: AbortSignal): Promise<void> {
      await oauth.revoke({ ...client, token }, { signal });
    },

    /** Who the user is. Needs the scope `user.read`. */
    async userinfo(accessToken: string, signal?: AbortSignal): Promise<Result<"oauth.userinfo">> {
      return oauth.userinfo({ signal, headers: { authorization: `Bearer ${accessToken}` } });
    },
  };
}

/** A proof that who trades the code is who asked for it (RFC 7636). */
export async function createPkce(verifier = randomText(32)): Promise<{ verifier: string; challenge: string }> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  return { verifier, challenge: base64url(new Uint8Array(digest)) };
}

const randomText = (bytes: number): string => base64url(crypto.getRandomValues(new Uint8Array(bytes)));

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}

function tokensFrom(answer: Schemas["Token"], now: number): Tokens {
  const { access_token, refresh_token, scope, expires_in } = answer;
  return { accessToken: access_token, refreshToken: refresh_token, scope, expiresAt: now + expires_in * 1000 };
}

function needed(redirectUri: string | undefined): string {
  if (redirectUri === undefined) throw new TypeError("This flow needs a redirectUri.");
  return redirectUri;
}

/** A refusal that came with the browser instead of an answer, with the code of the RFC. */
const refusal = (code: string, message: string): ApiError =>
  new ApiError({ status: 400, message, code, requestId: null });
