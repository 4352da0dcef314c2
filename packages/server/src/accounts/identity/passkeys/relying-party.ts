import { isIP } from "node:net";

/** The site in terms of WebAuthn. Passkeys work at `origin` and are bound to the domain `id`. */
export type RelyingParty = { id: string; origin: string; name: string };

/**
 * Returns the relying party of a URL. Null if browsers allow no passkeys there: without https except at localhost, and at
 * IP addresses.
 */
export function createRelyingParty(publicUrl: string, productName: string): RelyingParty | null {
  const { protocol, hostname, origin } = new URL(publicUrl);
  const isLocal = hostname === "localhost" || hostname.endsWith(".localhost");
  const isAddress = isIP(hostname.replace(/^\[(.*)\]$/, "$1")) !== 0;
  if (isAddress || (protocol !== "https:" && !isLocal)) return null;
  return { id: hostname, origin, name: productName };
}
