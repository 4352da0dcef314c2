/** Source for requests of the analytics library; PostHog's cloud uses several host names. */
function originsOf({ hostname, origin }: URL): string {
  return hostname.endsWith(".posthog.com") ? "https://*.posthog.com" : origin;
}

/** The Content-Security-Policy of the site: same origin only, plus requests to the analytics server if there is one. */
export function contentSecurityPolicy(analyticsHost: string | undefined): string {
  const connect = analyticsHost === undefined ? "" : ` ${originsOf(new URL(analyticsHost))}`;
  return [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self'${connect}`,
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}
