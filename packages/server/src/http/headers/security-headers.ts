import { createContentSecurityPolicy } from "./content-security-policy.ts";

type Settings = {
  publicUrl: string;
  analyticsHost: string | undefined;
  /** Whether cards are entered in Stripe's form. */
  usesStripe?: boolean;
};

/** The pages of the site with a card form; the site has the same list in `stripe-document.ts`. */
const CARD_PAGES = /^\/(account\/payment-methods|subscription\/change)\/?(\?|$)/;

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
  const apiHeaders = { ...commonHeaders, "content-security-policy": API_POLICY };
  return (path: string): Record<string, string> => {
    if (/^\/api(\/|\?|$)/.test(path)) return apiHeaders;
    return CARD_PAGES.test(path) ? cardPageHeaders : siteHeaders;
  };
}
