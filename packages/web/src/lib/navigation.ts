const DANGEROUS = /^(javascript|data|vbscript|blob|file):$/;

/** An address as a browser reads it: without the blanks and control characters that it ignores. */
const clean = (address: string): string => [...address].filter((character) => character > " ").join("");

/** The protocol of an address if it names one that runs code or reads files; null otherwise. */
export function dangerousProtocol(address: string): string | null {
  const protocol = /^([a-z][a-z0-9+.-]*:)/i.exec(clean(address))?.[1]?.toLowerCase();
  return protocol && DANGEROUS.test(protocol) ? protocol : null;
}

/**
 * Checks where a script wants to go. Addresses of other sites need `external`; protocols that run code or read files are
 * refused always. Answers the address to go to.
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

/** Refuses the address of a page to load ahead that names a host. */
export function checkPayloadUrl(url: string): string {
  const cleaned = clean(url);
  if (/^([a-z][a-z0-9+.-]*:|[/\\]{2})/i.test(cleaned) || !isOf("http://localhost", cleaned))
    throw new Error("Payload URL must not include hostname");
  return url;
}
