import { createContentSecurityPolicy } from "./content-security-policy.ts";

type Settings = {
  publicUrl: string;
  analyticsHost: string | undefined;
  /** Whether cards are entered in Stripe's form. */
  usesStripe?: boolean;
};

/** The pages of the site with a card form; the site has the same list in `stripe-document.ts`. */
const CARD_PAGES = /^\/(account\/payment-methods|subscription\/change)\/?(\?|$)/;

/** Pages whose address is a secret, which no link and no request from them tells. */
const SECRET_PAGES = /^\/shared-chats(\/|\?|$)/;

/** API responses are not pages: a browser must not run, load or frame anything from them. */
const API_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const YEAR_SECONDS = 31_536_000;

/** Returns a function from path to the security headers of its response. */
export function createSecurityHeaders({ publicUrl, analyticsHost, usesStripe = false }: Settings) {
  const commonHeaders = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "strict-origin-when-cross-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=()",
    "cross-origin-opener-policy": "same-origin",
    ...(publicUrl.startsWith("https:") && {
      "strict-transport-security": `max-age=${YEAR_SECONDS}; includeSubDomains`,
    }),
  };
  const siteHeaders = { ...commonHeaders, "content-security-policy": createContentSecurityPolicy(analyticsHost) };
  const cardPageHeaders = {
    ...commonHeaders,
    "content-security-policy": createContentSecurityPolicy(analyticsHost, usesStripe),
  };
  const secretPageHeaders = { ...siteHeaders, "referrer-policy": "no-referrer", "x-robots-tag": "noindex" };
  const apiHeaders = { ...commonHeaders, "content-security-policy": API_POLICY };
  return (path: string): Record<string, string> => {
    if (/^\/api(\/|\?|$)/.test(path)) return apiHeaders;
    if (SECRET_PAGES.test(path)) return secretPageHeaders;
    return CARD_PAGES.test(path) ? cardPageHeaders : siteHeaders;
  };
}
