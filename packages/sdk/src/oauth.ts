/**
 * Signs users in with their account on a Feather server, for third-party applications (OAuth 2.0 with PKCE, and the device flow).
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
import { sleep as pause } from "./fetch/send.ts";
import { toSearchParams, toSiteUrl } from "./fetch/url.ts";
import type { OAuthDeviceCode, OAuthUserinfo, Token } from "./generated/schemas.ts";
import { type FeatherOptions, resolveApiUrl } from "./options.ts";

/** The application, as registered on the server, and the options of requests to that server. */
export type OAuthOptions = Pick<
  FeatherOptions,
  "baseUrl" | "fetch" | "fetchOptions" | "headers" | "timeout" | "maxRetries" | "maxRetryAfter" | "logger" | "logLevel"
> & {
  /** Id of the application: `app_…`. */
  clientId: string;
  /** `secret_…`, for confidential applications only; never in a browser or a distributed app. */
  clientSecret?: string | undefined;
  /** Redirect URI, exactly as registered. Not needed for the device flow. */
  redirectUri?: string | undefined;
  /** Current time in milliseconds since 1970; replaceable in tests. */
  now?: (() => number) | undefined;
  /** Waits for some milliseconds; replaceable in tests. */
  sleep?: ((milliseconds: number, signal?: AbortSignal) => Promise<void>) | undefined;
};

/** Tokens of a sign-in. Plain data that can be stored as JSON. */
export type Tokens = {
  accessToken: string;
  /** Valid for one use: each refresh returns a new one. */
  refreshToken: string;
  /** Granted scopes, separated by spaces. */
  scope: string;
  /** When the access token expires, in milliseconds since 1970. */
  expiresAt: number;
};

/** The URL to send the browser to, and the values to keep until it returns. */
export type Authorization = { url: string; state: string; verifier: string };

/** A code that the user enters on another device. Show `user_code` and `verification_uri`. */
export type DeviceCode = OAuthDeviceCode;

const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";
/** Seconds that RFC 8628 adds to the polling interval after `slow_down`. */
const SLOW_DOWN_S = 5;
const MAX_POLL_INTERVAL_S = 60;
/** Access tokens are renewed this long before they expire, so that none expires in transit. */
const RENEWAL_MARGIN_MS = 60_000;

/** The OAuth flows, token renewal and revocation: see `createOAuth`. */
export type OAuth = ReturnType<typeof createOAuth>;

/** Creates an OAuth client. It holds no state: the caller keeps the `state` and `verifier` that `authorize` returns. */
export function createOAuth({
  clientId,
  clientSecret,
  redirectUri,
  now = Date.now,
  sleep = pause,
  ...server
}: OAuthOptions) {
  const { oauth } = createFeather({ ...server, apiKey: null });
  const siteUrl = toSiteUrl(resolveApiUrl(server.baseUrl));
  const client = { client_id: clientId, ...(clientSecret !== undefined && { client_secret: clientSecret }) };

  async function requestTokens(
    fields: Record<string, string>,
    signal?: AbortSignal,
    maxRetries?: number,
  ): Promise<Tokens> {
    const body = { ...client, ...fields } as Parameters<typeof oauth.token>[0];
    return toTokens(await oauth.token(body, { signal, maxRetries }), now());
  }

  async function refresh(refreshToken: string, signal?: AbortSignal): Promise<Tokens> {
    // No retries: a refresh token that is used twice revokes the whole sign-in.
    return requestTokens({ grant_type: "refresh_token", refresh_token: refreshToken }, signal, 0);
  }

  return {
    /** Returns the URL to send the browser to. Keep `state` and `verifier` in the user's session until the browser returns. */
    async authorize(
      options: { scope?: string | undefined; prompt?: "none" | "consent" | undefined } = {},
    ): Promise<Authorization> {
      const { verifier, challenge } = await createPkce();
      const state = randomText(24);
      const query = toSearchParams({
        response_type: "code",
        client_id: clientId,
        redirect_uri: requireRedirectUri(redirectUri),
        state,
        code_challenge: challenge,
        code_challenge_method: "S256",
        ...options,
      });
      return { url: `${siteUrl}/oauth/authorize?${query}`, state, verifier };
    },

    /** Exchanges the code in the redirect URL for tokens. Throws an `ApiError` when `state` or the issuer does not match, or access was denied. */
    async exchange(
      returnedTo: string | URL,
      { state, verifier, signal }: { state: string; verifier: string; signal?: AbortSignal },
    ): Promise<Tokens> {
      const answer = new URL(returnedTo).searchParams;
      refuseFailedAnswer(answer, state);
      const { issuer } = await oauth.metadata({ signal });
      const code = readCode(answer, issuer);
      const fields = { code, code_verifier: verifier, redirect_uri: requireRedirectUri(redirectUri) };
      return requestTokens({ grant_type: "authorization_code", ...fields }, signal, 0);
    },

    /** Returns new tokens for a refresh token, which becomes invalid. `tokenSource` calls it when needed. */
    refresh,

    /**
     * Creates the `token` option of `createFeather`: a function that returns a valid access token and renews it shortly
     * before it expires. Concurrent calls share one renewal. The new tokens are used once `onRefresh` has resolved;
     * when it fails, the next call gives it the same tokens again.
     */
    tokenSource(initial: Tokens, { onRefresh }: { onRefresh?: (renewed: Tokens) => void | Promise<void> } = {}) {
      return createTokenSource({ refresh, now, onRefresh }, initial);
    },

    /** Starts the device flow, for devices without a browser. */
    async startDevice({ scope, signal }: { scope?: string; signal?: AbortSignal } = {}): Promise<DeviceCode> {
      return oauth.device({ ...client, ...(scope !== undefined && { scope }) }, { signal });
    },

    /** Polls until the user has decided. Throws an `ApiError` with the code `access_denied` or `expired_token` when no tokens are granted. */
    async pollDevice({ device_code, interval, expires_in }: DeviceCode, signal?: AbortSignal): Promise<Tokens> {
      const deadline = now() + expires_in * 1000;
      for (let intervalS = interval; ; ) {
        await sleep(intervalS * 1000, signal);
        if (now() >= deadline)
          throw createOAuthError("expired_token", "The code has ended, and nobody had entered it.");
        try {
          return await requestTokens({ grant_type: DEVICE_GRANT, device_code }, signal, 0);
        } catch (error) {
          // A lost connection does not end the flow; the interval grows, as RFC 8628 requires.
          if (error instanceof ConnectionError) intervalS = Math.min(intervalS * 2, MAX_POLL_INTERVAL_S);
          else if (isApiError(error) && error.code === "slow_down") intervalS += SLOW_DOWN_S;
          else if (!isApiError(error) || error.code !== "authorization_pending") throw error;
        }
      }
    },

    /** Revokes a token. Revoking a refresh token revokes its access tokens too. */
    async revoke(token: string, signal?: AbortSignal): Promise<void> {
      await oauth.revoke({ ...client, token }, { signal });
    },

    /** Returns the user's profile. Needs the scope `user.read`. */
    async userinfo(accessToken: string, signal?: AbortSignal): Promise<OAuthUserinfo> {
      return oauth.userinfo({ signal, headers: { authorization: `Bearer ${accessToken}` } });
    },
  };
}

type TokenSourceOptions = {
  refresh(refreshToken: string): Promise<Tokens>;
  now(): number;
  onRefresh: ((renewed: Tokens) => void | Promise<void>) | undefined;
};

/** Returns a function that returns a valid access token, which it renews when needed. */
function createTokenSource({ refresh, now, onRefresh }: TokenSourceOptions, initial: Tokens): () => Promise<string> {
  let current = initial;
  let pendingRefresh: Promise<void> | undefined;
  /** Renewed tokens that `onRefresh` has not stored yet. The refresh token before them is used and must not be sent again. */
  let unstored: Tokens | undefined;
  const renew = async () => {
    unstored ??= await refresh(current.refreshToken);
    await onRefresh?.(unstored);
    current = unstored;
    unstored = undefined;
  };
  return async () => {
    if (current.expiresAt - now() < RENEWAL_MARGIN_MS) {
      pendingRefresh ??= renew().finally(() => {
        pendingRefresh = undefined;
      });
      await pendingRefresh;
    }
    return current.accessToken;
  };
}

/** Throws an `ApiError` when the answer belongs to another sign-in, or access was denied. */
function refuseFailedAnswer(answer: URLSearchParams, state: string): void {
  if (answer.get("state") !== state) throw createOAuthError("invalid_state", "The answer belongs to another sign-in.");
  const error = answer.get("error");
  if (error) throw createOAuthError(error, answer.get("error_description") ?? "The sign-in was refused.");
}

/** Returns the code of an answer. Throws an `ApiError` when another server sent it, or there is none. */
function readCode(answer: URLSearchParams, issuer: string): string {
  if (answer.get("iss") !== issuer) throw createOAuthError("invalid_issuer", "The answer comes from another server.");
  const code = answer.get("code");
  if (!code) throw createOAuthError("invalid_request", "The answer holds no code.");
  return code;
}

/** Creates a PKCE verifier and its S256 challenge (RFC 7636). */
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

function toTokens(answer: Token, now: number): Tokens {
  const { access_token, refresh_token, scope, expires_in } = answer;
  return { accessToken: access_token, refreshToken: refresh_token, scope, expiresAt: now + expires_in * 1000 };
}

function requireRedirectUri(redirectUri: string | undefined): string {
  if (redirectUri === undefined) throw new TypeError("This flow needs a redirectUri.");
  return redirectUri;
}

/** Creates the error for a failed redirect, with the error code of RFC 6749. */
const createOAuthError = (code: string, message: string): ApiError =>
  new ApiError({ status: 400, message, code, requestId: null });
