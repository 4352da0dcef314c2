import { isIP } from "node:net";

/** The site as passkeys know it: they work at this origin, and are tied to the name. */
export type RelyingParty = { id: string; origin: string; name: string };

/** Returns null where browsers allow no passkeys: at addresses that are neither https nor localhost, and at bare IP addresses. */
export function relyingPartyOf(publicUrl: string, productName: string): RelyingParty | null {
  const { protocol, hostname, origin } = new URL(publicUrl);
  const isLocal = hostname === "localhost" || hostname.endsWith(".localhost");
  const isAddress = isIP(hostname.replace(/^\[(.*)\]$/, "$1")) !== 0;
  if (isAddress || (protocol !== "https:" && !isLocal)) return null;
  return { id: hostname, origin, name: productName };
}
