import { invalidRequest } from "../shared/errors.ts";

/** Where RFC 8414 looks for the description of the OAuth provider. */
const OAUTH_METADATA = "/.well-known/oauth-authorization-server";

/** Routes whose path carries a model id, with what may follow it. The id holds one slash. */
const MODEL_ROUTES: { prefix: string; suffixes: RegExp }[] = [
  { prefix: "/api/v1/models/", suffixes: /^$/ },
  { prefix: "/api/feather/models/", suffixes: /^(|\/(unlock|favorite|reviews(\/[^/]+(\/(helpful|report))?)?))$/ },
  { prefix: "/api/feather/private-models/", suffixes: /^(|\/(compatibility|unload))$/ },
  { prefix: "/api/admin/models/", suffixes: /^(|\/redeploy)$/ },
  { prefix: "/api/admin/base-models/", suffixes: /^\/prices$/ },
];

const OWNER = "[A-Za-z0-9][A-Za-z0-9._-]{0,95}";
// Local programs mark variants with a colon: llama3.2:3b.
const NAME = "[A-Za-z0-9][A-Za-z0-9._:-]{0,95}";
const MODEL_ID = new RegExp(`^${OWNER}/${NAME}$`);

/**
 * Whether a text is a possible model id: `owner/name`, letters, digits, `.`, `_`, `-` and, in the name, `:`; never `..`,
 * and no dot at an end.
 */
export function isModelId(id: string): boolean {
  return MODEL_ID.test(id) && !/\.(\.|\/|$)/.test(id);
}

/**
 * Brings an address to the one form that routing and access checks see: `/v1/*` and what is well known stand below `/api`, and a model id is
 * one segment with its slash encoded. It runs before the router, so that no other spelling ever reaches a handler.
 * Throws `invalid_request` for addresses that have no honest reading: doubled slashes, dot segments, backslashes, NUL.
 */
export function canonicalUrl(url: string): string {
  const at = url.indexOf("?");
  const rawPath = withoutNeedlessEncoding(at < 0 ? url : url.slice(0, at));
  const query = at < 0 ? "" : url.slice(at);
  const atRoot = rawPath === "/v1" || rawPath.startsWith("/v1/") || rawPath === OAUTH_METADATA;
  const path = atRoot ? `/api${rawPath}` : rawPath;
  if (!path.startsWith("/api/")) return path + query;
  refuseAmbiguity(path);
  return encodeModelId(path) + query;
}

/** Letters, digits and `-._~` mean the same encoded and not (RFC 3986, 2.3), so they are never left encoded. */
function withoutNeedlessEncoding(path: string): string {
  return path.replaceAll(/%[2-7][\da-f]/gi, (encoded) => {
    const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : encoded;
  });
}

function refuseAmbiguity(path: string): void {
  const decoded = decode(path);
  const segments = decoded.split("/");
  const dotted = segments.some((segment) => segment === "." || segment === "..");
  if (
    dotted ||
    decoded.includes("//") ||
    decoded.includes("\\") ||
    hasControlCharacter(decoded) ||
    /%[0-9a-f]{2}/i.test(decoded)
  )
    throw invalidRequest("The address is not well formed. A model id is written owner/name.");
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    throw invalidRequest("The address holds a percent sign that encodes nothing.");
  }
}

function hasControlCharacter(text: string): boolean {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) < 32) return true;
  return false;
}

function encodeModelId(path: string): string {
  const route = MODEL_ROUTES.find(({ prefix }) => path.startsWith(prefix));
  if (!route) return path;
  const segments = path.slice(route.prefix.length).replaceAll(/%2f/gi, "/").split("/");
  const [owner, name, ...rest] = segments;
  const suffix = rest.length > 0 ? `/${rest.join("/")}` : "";
  if (owner === undefined || name === undefined || !route.suffixes.test(suffix)) return path;
  return `${route.prefix}${owner}%2F${name}${suffix}`;
}
