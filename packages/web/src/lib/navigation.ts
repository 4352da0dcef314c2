const DANGEROUS = /^(javascript|data|vbscript|blob|file):$/;

/** Removes the whitespace and control characters that browsers ignore in a URL. */
const clean = (address: string): string => [...address].filter((character) => character > " ").join("");

/** Returns the protocol of a URL if it can run code or read files, such as `javascript:`; null otherwise. */
export function dangerousProtocol(address: string): string | null {
  const protocol = /^([a-z][a-z0-9+.-]*:)/i.exec(clean(address))?.[1]?.toLowerCase();
  return protocol && DANGEROUS.test(protocol) ? protocol : null;
}

/**
 * Validates the target of a scripted navigation and returns the URL to open. Throws if the URL is on another site and
 * `external` is not set, or if its protocol can run code or read files.
 */
export function checkNavigation(to: string, { external = false, origin = globalThis.location.origin } = {}): string {
  const protocol = dangerousProtocol(to);
  if (protocol) throw new Error(`Cannot navigate to a URL with '${protocol}' protocol.`);
  const cleaned = clean(to);
  const outside = /^([a-z][a-z0-9+.-]*:|[/\\]{2})/i.test(cleaned);
  if (outside && !external && !isOf(origin, cleaned))
    throw new Error(
      "Navigating to an external URL is not allowed by default. Use `navigateTo(url, { external: true })`.",
    );
  return cleaned;
}

function isOf(origin: string, address: string): boolean {
  return URL.canParse(address, origin) && new URL(address, origin).origin === origin;
}

/** Returns the URL of a page to preload. Throws if it names a host. */
export function checkPayloadUrl(url: string): string {
  const cleaned = clean(url);
  if (/^([a-z][a-z0-9+.-]*:|[/\\]{2})/i.test(cleaned) || !isOf("http://localhost", cleaned))
    throw new Error("Payload URL must not include hostname");
  return url;
}
