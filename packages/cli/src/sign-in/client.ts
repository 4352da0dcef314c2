import { APPLICATION_SCOPES, type Feather } from "@feather/sdk";
import type { Tokens as OAuthTokens } from "@feather/sdk/oauth";
import { UsageError } from "../errors.ts";

/** Client id of this program, which every server knows. */
export const CLIENT_ID = "app_feather_cli";
/** All scopes that the commands need: all that an application can request. */
export const REQUESTED_SCOPES = APPLICATION_SCOPES.join(" ");

/** The tokens of a sign-in: access token, refresh token, and expiry in RFC 3339. */
export type Tokens = { readonly secret: string; readonly refreshToken: string; readonly expiresAt: string };

/** Returns tokens in the form in which they are stored. */
export function toTokens({ accessToken, refreshToken, expiresAt }: Omit<OAuthTokens, "scope">): Tokens {
  return { secret: accessToken, refreshToken, expiresAt: new Date(expiresAt).toISOString() };
}

/**
 * Returns the issuer of the server's tokens. Throws `UsageError` when it is not the server's own URL: such a server could
 * send the person to another server, and receive a code for that one here.
 */
export async function verifyIssuer(client: Feather, baseUrl: string, signal: AbortSignal): Promise<string> {
  const { issuer } = await client.oauth.metadata({ signal });
  if (!isSameAddress(issuer, baseUrl))
    throw new UsageError(
      `this server calls itself ${issuer}, and signs people in under that name only`,
      `feather login --base-url ${issuer}, or by --email`,
    );
  return issuer;
}

/** Returns whether two URLs are the same; the names of this machine count as one. */
export function isSameAddress(one: string, other: string): boolean {
  const normalize = (address: string) => {
    const url = new URL(address);
    if (/^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname)) url.hostname = "localhost";
    return url.href.replace(/\/+$/, "");
  };
  return URL.canParse(one) && normalize(one) === normalize(other);
}
