import { contentSecurityPolicy } from "./content-security-policy.ts";

type Settings = { publicUrl: string; analyticsHost: string | undefined };

/** An answer of the API is no page: whatever a browser takes it for, it runs, loads and frames nothing. */
const API_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const A_YEAR = 31_536_000;

/** The headers with which browsers guard the people who use them, on every answer there is. */
export function createSecurityHeaders({ publicUrl, analyticsHost }: Settings) {
  const everywhere = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "strict-origin-when-cross-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=()",
    "cross-origin-opener-policy": "same-origin",
    ...(publicUrl.startsWith("https:") && { "strict-transport-security": `max-age=${A_YEAR}; includeSubDomains` }),
  };
  const site = { ...everywhere, "content-security-policy": contentSecurityPolicy(analyticsHost) };
  const api = { ...everywhere, "content-security-policy": API_POLICY };
  return (path: string): Record<string, string> => (/^\/api(\/|\?|$)/.test(path) ? api : site);
}
