import { t } from "@lingui/core/macro";

const LOOPBACK = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(?::(\d{1,5}))?([/?].*)?$/;
/** Visible ASCII without the backslash, which some programs read as a slash. */
const PLAIN = /^[\x21-\x5b\x5d-\x7e]+$/;
/** Query parameters that the redirect adds itself. */
const TAKEN = ["code", "state", "iss", "error", "error_description"];
const MOST_ADDRESSES = 10;

/** Returns the lines of a text without blank ones. */
export const addressesOf = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

/** Returns an error message for each invalid line of a text of redirect URIs. */
export function addressFaults(text: string): string[] {
  const uris = addressesOf(text);
  if (uris.length === 0) return [t`Redirect addresses are not valid: there is to be one at least.`];
  if (uris.length > MOST_ADDRESSES) return [t`Redirect addresses are not valid: ${MOST_ADDRESSES} at most.`];
  return uris.flatMap((uri, index) => {
    const fault = faultOf(uri);
    return fault ? [t`Line ${index + 1} is not valid: ${fault}.`] : [];
  });
}

/** Returns why the server would reject a redirect URI, or null. The server checks it again. */
export function faultOf(uri: string): string | null {
  if (!PLAIN.test(uri) || !URL.canParse(uri)) return t`it is not an address, written with plain characters only`;
  const { protocol, username, password, searchParams } = new URL(uri);
  if (uri.length > 2000) return t`it is longer than 2,000 characters`;
  if (uri.includes("#")) return t`it has a fragment`;
  if (username !== "" || password !== "") return t`it has a user name in it`;
  if (protocol !== "https:" && !isLoopback(uri))
    return t`it must begin with https://, or be http on localhost, 127.0.0.1 or [::1]`;
  if (TAKEN.some((name) => searchParams.has(name))) return t`its query uses a name that the answer needs`;
  return null;
}

function isLoopback(uri: string): boolean {
  const match = LOOPBACK.exec(uri);
  if (!match) return false;
  const port = match[2];
  return port === undefined || (Number(port) >= 1 && Number(port) <= 65_535);
}
