const DANGEROUS_PROTOCOLS = /^(javascript|data|vbscript|blob|file):$/;

/** Removes the whitespace and control characters that browsers ignore in a URL. */
const stripIgnoredCharacters = (address: string): string =>
  [...address].filter((character) => character > " ").join("");

/** Returns the protocol of a URL if it can run code or read files, such as `javascript:`; null otherwise. */
export function findDangerousProtocol(address: string): string | null {
  const protocol = /^([a-z][a-z0-9+.-]*:)/i.exec(stripIgnoredCharacters(address))?.[1]?.toLowerCase();
  return protocol && DANGEROUS_PROTOCOLS.test(protocol) ? protocol : null;
}

/**
 * Validates the target of a scripted navigation and returns the URL to open. Throws if the URL is on another site and
 * `external` is not set, or if its protocol can run code or read files.
 */
export function checkNavigation(to: string, { external = false, origin = globalThis.location.origin } = {}): string {
  const protocol = findDangerousProtocol(to);
  if (protocol) throw new Error(`Cannot navigate to a URL with '${protocol}' protocol.`);
  const cleaned = stripIgnoredCharacters(to);
  const hasOwnOrigin = /^([a-z][a-z0-9+.-]*:|[/\\]{2})/i.test(cleaned);
  if (hasOwnOrigin && !external && !isSameOrigin(origin, cleaned))
    throw new Error(
      "Navigating to an external URL is not allowed by default. Use `navigateTo(url, { external: true })`.",
    );
  return cleaned;
}

function isSameOrigin(origin: string, address: string): boolean {
  return URL.canParse(address, origin) && new URL(address, origin).origin === origin;
}

/** Returns the URL of a page to preload. Throws if it names a host. */
export function checkPayloadUrl(url: string): string {
  const cleaned = stripIgnoredCharacters(url);
  if (/^([a-z][a-z0-9+.-]*:|[/\\]{2})/i.test(cleaned) || !isSameOrigin("http://localhost", cleaned))
    throw new Error("Payload URL must not include hostname");
  return url;
}
