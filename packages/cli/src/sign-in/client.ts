import type { Feather, Schemas } from "@feather/sdk";
import { UsageError } from "../errors.ts";

/** This program, as every server knows it without being set up. */
export const CLIENT_ID = "app_feather_cli";
/** All that the commands need; the person confirms the last two by themselves. */
export const SCOPE = "user.read user.write api.access keys.write deployments.write members.write billing.write";

/** What a sign-in gives: an access token, what renews it, and when it ends. */
export type Tokens = { readonly secret: string; readonly refreshToken: string; readonly expiresAt: string };

/** The tokens of an answer that came at this moment. */
export function tokensFrom(answer: Schemas["Token"], now: Date): Tokens {
  return {
    secret: answer.access_token,
    refreshToken: answer.refresh_token,
    expiresAt: new Date(now.getTime() + answer.expires_in * 1000).toISOString(),
  };
}

/**
 * The name under which the server gives tokens. It must be the one it was called by: a server that names another could
 * have the person allow something there, and take the code for it here.
 */
export async function issuerOf(client: Feather, baseUrl: string, signal: AbortSignal): Promise<string> {
  const { issuer } = await client.oauth.metadata({ signal });
  if (!isSame(issuer, siteOf(baseUrl)))
    throw new UsageError(
      `this server calls itself ${issuer}, and signs people in under that name only`,
      `feather login --base-url ${issuer}, or by --email`,
    );
  return issuer;
}

/** The address of the site, whether its API was named or itself. */
export function siteOf(baseUrl: string): string {
  return baseUrl.replace(/\/+$/, "").replace(/\/api$/, "");
}

/** Whether two addresses are one; this machine has several names. */
export function isSame(one: string, other: string): boolean {
  const plain = (address: string) => {
    const url = new URL(address);
    if (/^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname)) url.hostname = "localhost";
    return url.href.replace(/\/+$/, "");
  };
  return URL.canParse(one) && plain(one) === plain(other);
}
