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

/** The document in which the chat draws what models wrote; `packages/web/public` has it. */
const PREVIEW_FRAME = /^\/preview-frame\.html(\?|$)/;
/**
 * What is drawn there is hostile. The document has no origin, wherever it is opened: so it reads no cookies, no storage, and no answers
 * of the API. It loads our own scripts and nothing else, runs none of what is drawn, and sends nothing.
 */
const PREVIEW_POLICY = [
  "sandbox allow-scripts",
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "img-src data:",
  "font-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join("; ");

/** API responses are not pages: a browser must not run, load or frame anything from them. */
const API_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const YEAR_SECONDS = 31_536_000;

/** Returns a function from path to the security headers of its response. */
export function createSecurityHeaders({ publicUrl, analyticsHost, usesStripe = false }: Settings) {
  const commonHeaders = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "strict-origin-when-cross-origin",
    // The chat takes dictation.
    "permissions-policy": "camera=(), geolocation=(), microphone=(self), payment=()",
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
  const { "x-frame-options": _, ...framedHeaders } = commonHeaders;
  const previewHeaders = {
    ...framedHeaders,
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=()",
    "content-security-policy": PREVIEW_POLICY,
    "x-robots-tag": "noindex",
  };
  return (path: string): Record<string, string> => {
    if (/^\/api(\/|\?|$)/.test(path)) return apiHeaders;
    if (PREVIEW_FRAME.test(path)) return previewHeaders;
    if (SECRET_PAGES.test(path)) return secretPageHeaders;
    return CARD_PAGES.test(path) ? cardPageHeaders : siteHeaders;
  };
}
