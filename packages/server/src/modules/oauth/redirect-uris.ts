const LOOPBACK = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(?::(\d{1,5}))?([/?].*)?$/;
/** Visible ASCII without the backslash, which some programs read as a slash. */
const PLAIN = /^[\x21-\x5b\x5d-\x7e]+$/;
/** Query parameters that the redirect adds itself. */
const TAKEN = ["code", "state", "iss", "error", "error_description"];

/** Returns why an application may not register this redirect URI, or null where it may. */
export function faultOf(uri: string): string | null {
  if (!PLAIN.test(uri) || !URL.canParse(uri)) return "it is not an address, written with plain characters only";
  const { protocol, username, password, searchParams } = new URL(uri);
  if (uri.includes("#")) return "it has a fragment";
  if (username !== "" || password !== "") return "it has a user name in it";
  if (protocol !== "https:" && loopbackParts(uri) === null)
    return "it must begin with https://, or be http on localhost, 127.0.0.1 or [::1]";
  if (TAKEN.some((name) => searchParams.has(name))) return `its query uses a name that the answer needs`;
  return null;
}

/** Returns whether `uri` is a registered redirect URI. The port of a loopback address is ignored (RFC 8252). */
export function mayRedirectTo(registered: readonly string[], uri: string): boolean {
  if (registered.includes(uri)) return true;
  const asked = loopbackParts(uri);
  return (
    asked !== null && faultOf(uri) === null && registered.some((known) => sameButPort(loopbackParts(known), asked))
  );
}

/** Returns the address with these parameters added to its query; undefined ones are left out. */
export function withParameters(uri: string, parameters: Record<string, string | undefined>): string {
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return `${uri}${uri.includes("?") ? "&" : "?"}${new URLSearchParams(given)}`;
}

type LoopbackParts = { host: string; rest: string };

function loopbackParts(uri: string): LoopbackParts | null {
  const match = LOOPBACK.exec(uri);
  if (!match) return null;
  const [, host = "", port, rest = ""] = match;
  return port !== undefined && (Number(port) < 1 || Number(port) > 65_535) ? null : { host, rest };
}

function sameButPort(known: LoopbackParts | null, asked: LoopbackParts): boolean {
  return known !== null && known.host === asked.host && known.rest === asked.rest;
}
