const LOOPBACK_URI = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(?::(\d{1,5}))?([/?].*)?$/;
/** Visible ASCII characters except the backslash, which some programs treat as a slash. */
const PLAIN_ASCII = /^[\x21-\x5b\x5d-\x7e]+$/;
/** Query parameters that the redirect adds. */
const RESERVED_PARAMETERS = ["code", "state", "iss", "error", "error_description"];

/** Returns why an application may not register this redirect URI, or null where it may. */
export function validateRedirectUri(uri: string): string | null {
  if (!PLAIN_ASCII.test(uri) || !URL.canParse(uri)) return "it is not an address, written with plain characters only";
  const { protocol, username, password, searchParams } = new URL(uri);
  if (uri.includes("#")) return "it has a fragment";
  if (username !== "" || password !== "") return "it has a user name in it";
  if (protocol !== "https:" && parseLoopbackUri(uri) === null)
    return "it must begin with https://, or be http on localhost, 127.0.0.1 or [::1]";
  if (RESERVED_PARAMETERS.some((name) => searchParams.has(name))) return `its query uses a name that the answer needs`;
  return null;
}

/** Returns whether `uri` is a registered redirect URI. The port of a loopback address is ignored (RFC 8252). */
export function isRegisteredRedirectUri(registered: readonly string[], uri: string): boolean {
  if (registered.includes(uri)) return true;
  const requested = parseLoopbackUri(uri);
  return (
    requested !== null &&
    validateRedirectUri(uri) === null &&
    registered.some((registeredUri) => equalsIgnoringPort(parseLoopbackUri(registeredUri), requested))
  );
}

/** Returns the address with these parameters added to its query; undefined ones are left out. */
export function addQueryParameters(uri: string, parameters: Record<string, string | undefined>): string {
  const entries = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return `${uri}${uri.includes("?") ? "&" : "?"}${new URLSearchParams(entries)}`;
}

type LoopbackUri = { host: string; rest: string };

function parseLoopbackUri(uri: string): LoopbackUri | null {
  const match = LOOPBACK_URI.exec(uri);
  if (!match) return null;
  const [, host = "", port, rest = ""] = match;
  return port !== undefined && (Number(port) < 1 || Number(port) > 65_535) ? null : { host, rest };
}

function equalsIgnoringPort(registeredUri: LoopbackUri | null, requested: LoopbackUri): boolean {
  return registeredUri !== null && registeredUri.host === requested.host && registeredUri.rest === requested.rest;
}
