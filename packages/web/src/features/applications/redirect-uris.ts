import { t } from "@lingui/core/macro";

const LOOPBACK_URI = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(?::(\d{1,5}))?([/?].*)?$/;
/** Visible ASCII without the backslash, which some programs read as a slash. */
const PLAIN_ASCII = /^[\x21-\x5b\x5d-\x7e]+$/;
/** Query parameters that the redirect adds itself. */
const RESERVED_PARAMETERS = ["code", "state", "iss", "error", "error_description"];
const MAX_REDIRECT_URIS = 10;

/** Returns the lines of a text without blank ones. */
export const parseRedirectUris = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

/** Returns an error message for each invalid line of a text of redirect URIs. */
export function validateRedirectUris(text: string): string[] {
  const uris = parseRedirectUris(text);
  if (uris.length === 0) return [t`Redirect addresses are not valid: there is to be one at least.`];
  if (uris.length > MAX_REDIRECT_URIS) return [t`Redirect addresses are not valid: ${MAX_REDIRECT_URIS} at most.`];
  return uris.flatMap((uri, index) => {
    const reason = validateRedirectUri(uri);
    return reason ? [t`Line ${index + 1} is not valid: ${reason}.`] : [];
  });
}

/** Returns why the server would reject a redirect URI, or null. The server checks it again. */
export function validateRedirectUri(uri: string): string | null {
  if (!PLAIN_ASCII.test(uri) || !URL.canParse(uri)) return t`it is not an address, written with plain characters only`;
  const { protocol, username, password, searchParams } = new URL(uri);
  if (uri.length > 2000) return t`it is longer than 2,000 characters`;
  if (uri.includes("#")) return t`it has a fragment`;
  if (username !== "" || password !== "") return t`it has a user name in it`;
  if (protocol !== "https:" && !isLoopback(uri))
    return t`it must begin with https://, or be http on localhost, 127.0.0.1 or [::1]`;
  if (RESERVED_PARAMETERS.some((name) => searchParams.has(name))) return t`its query uses a name that the answer needs`;
  return null;
}

function isLoopback(uri: string): boolean {
  const match = LOOPBACK_URI.exec(uri);
  if (!match) return false;
  const port = match[2];
  return port === undefined || (Number(port) >= 1 && Number(port) <= 65_535);
}
