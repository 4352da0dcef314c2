import { randomBytes } from "node:crypto";
import type { Context } from "../context.ts";
import { listenForCallback } from "./callback.ts";
import { CLIENT_ID, REQUESTED_SCOPES, type Tokens, toTokens, verifyIssuer } from "./client.ts";

/**
 * Signs the person in with their browser, which is redirected to a local port (RFC 8252, with PKCE). `onTokens` receives
 * the tokens; the last page in the browser waits for it and shows its outcome.
 */
export async function signInByBrowser<T extends { readonly name: string }>(
  context: Context,
  onTokens: (tokens: Tokens) => Promise<T>,
): Promise<T> {
  const { signal, now } = context;
  const { baseUrl } = context.settings();
  const client = await context.createClient(undefined);
  const issuer = await verifyIssuer(client, baseUrl, signal);
  const { verifier, challenge } = await (await import("@feather/sdk/oauth")).createPkce();
  const state = randomBytes(16).toString("base64url");
  const callback = await listenForCallback(state, issuer, signal);
  try {
    const { redirectUri } = callback;
    await showSignInAddress(context, buildAuthorizeUrl(baseUrl, redirectUri, challenge, state));
    const wait = context.output.waits.begin("Waiting for the browser");
    const { code, finish } = await callback.received.finally(wait.end);
    try {
      const fields = { grant_type: "authorization_code", code, redirect_uri: redirectUri, code_verifier: verifier };
      const answer = await client.oauth.token({ ...fields, client_id: CLIENT_ID }, { signal });
      const { access_token: accessToken, refresh_token: refreshToken, expires_in } = answer;
      const expiresAt = now().getTime() + expires_in * 1000;
      const result = await onTokens(toTokens({ accessToken, refreshToken, expiresAt }));
      finish(result);
      return result;
    } catch (error) {
      finish("failed");
      throw error;
    }
  } finally {
    await callback.close();
  }
}

async function showSignInAddress({ io, openUrl, output }: Context, address: string): Promise<void> {
  const opened = io.env.browser && (await openUrl(address));
  const { host } = new URL(address);
  output.info(opened ? `Your browser opens ${host}. If it does not, go to:` : "Go to this address to sign in:");
  output.info(`  ${address}`);
  output.info("On another device? feather login --device");
}

function buildAuthorizeUrl(site: string, redirectUri: string, challenge: string, state: string): string {
  const query = new URLSearchParams({
    client_id: CLIENT_ID,
    redirect_uri: redirectUri,
    response_type: "code",
    scope: REQUESTED_SCOPES,
    state,
    code_challenge: challenge,
    code_challenge_method: "S256",
  });
  return `${site}/oauth/authorize?${query}`;
}
