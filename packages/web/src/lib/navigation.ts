const DANGEROUS = /^(javascript|data|vbscript|blob|file):$/;

/**
 * Checks where a script wants to go. Addresses of other sites need `external`; protocols that run code or read files are
 * refused always. Answers the address to go to.
 */
export function checkNavigation(to: string, { external = false, origin = globalThis.location.origin } = {}): string {
  const cleaned = [...to].filter((character) => character > " ").join("");
  const protocol = /^([a-z][a-z0-9+.-]*:)/i.exec(cleaned)?.[1]?.toLowerCase();
  if (protocol && DANGEROUS.test(protocol)) throw new Error(`Cannot navigate to a URL with '${protocol}' protocol.`);
  const outside = protocol !== undefined || /^[/\\]{2}/.test(cleaned);
  if (outside && new URL(cleaned, origin).origin !== origin && !external)
    throw new Error(
      "Navigating to an external URL is not allowed by default. Use `navigateTo(url, { external: true })`.",
    );
  return cleaned;
}

/** Refuses a payload address that names a host. */
export function checkPayloadUrl(url: string): string {
  if (/^([a-z][a-z0-9+.-]*:)?[/\\]{2}/i.test(url.trim())) throw new Error("Payload URL must not include hostname");
  return url;
}
