/** Where the library asks; PostHog's own service answers at several names. */
function originsOf({ hostname, origin }: URL): string {
  return hostname.endsWith(".posthog.com") ? "https://*.posthog.com" : origin;
}

/** What pages of the site may load and ask: our own, and the analytics server where there is one. Its scripts never run. */
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
