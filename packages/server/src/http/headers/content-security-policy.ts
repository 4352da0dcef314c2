/** Returns the source for requests of the analytics library. PostHog's cloud uses several host names. */
function connectSourceOf({ hostname, origin }: URL): string {
  return hostname.endsWith(".posthog.com") ? "https://*.posthog.com" : origin;
}

/** What Stripe's card form needs: its script, its API, and the frames in which the card and the bank's page are. */
const STRIPE_SOURCES = {
  script: " https://js.stripe.com https://*.js.stripe.com",
  connect: " https://api.stripe.com",
  frame: ["frame-src https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com"],
};
const NO_SOURCES = { script: "", connect: "", frame: [] };

/**
 * Returns the Content-Security-Policy of the site: same origin only, requests to the analytics server if there is one, and on
 * pages with Stripe's card form what that needs.
 */
export function createContentSecurityPolicy(analyticsHost: string | undefined, allowsStripe = false): string {
  const connectSource = analyticsHost === undefined ? "" : ` ${connectSourceOf(new URL(analyticsHost))}`;
  const stripe = allowsStripe ? STRIPE_SOURCES : NO_SOURCES;
  return [
    "default-src 'self'",
    `script-src 'self'${stripe.script}`,
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self'${connectSource}${stripe.connect}`,
    ...stripe.frame,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}
