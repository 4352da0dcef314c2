/** Returns the source for requests of the analytics library. PostHog's cloud uses several host names. */
function connectSourceOf({ hostname, origin }: URL): string {
  return hostname.endsWith(".posthog.com") ? "https://*.posthog.com" : origin;
}

/**
 * Returns the Content-Security-Policy of the site: same origin only, and requests to the analytics server if there is one.
 */
export function createContentSecurityPolicy(analyticsHost: string | undefined): string {
  const connectSource = analyticsHost === undefined ? "" : ` ${connectSourceOf(new URL(analyticsHost))}`;
  return [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self'${connectSource}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}
