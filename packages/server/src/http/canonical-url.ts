import { invalidRequest } from "../shared/errors.ts";

/** Location of the OAuth server metadata (RFC 8414). */
const OAUTH_METADATA = "/.well-known/oauth-authorization-server";

/** Routes with a model id in the path, and the suffixes allowed after it. A model id contains one slash. */
const MODEL_ROUTES: { prefix: string; suffixes: RegExp }[] = [
  { prefix: "/api/v1/models/", suffixes: /^$/ },
  { prefix: "/api/feather/models/", suffixes: /^(|\/(unlock|favorite|reviews(\/[^/]+(\/(helpful|report))?)?))$/ },
  { prefix: "/api/feather/private-models/", suffixes: /^(|\/(compatibility|unload))$/ },
  { prefix: "/api/admin/models/", suffixes: /^(|\/redeploy)$/ },
  { prefix: "/api/admin/base-models/", suffixes: /^\/prices$/ },
];

const OWNER = "[A-Za-z0-9][A-Za-z0-9._-]{0,95}";
// Ollama marks variants with a colon: llama3.2:3b.
const NAME = "[A-Za-z0-9][A-Za-z0-9._:-]{0,95}";
const MODEL_ID = new RegExp(`^${OWNER}/${NAME}$`);

/**
 * Whether a text has the form of a model id: `owner/name` of letters, digits, `.`, `_`, `-` and, in the name, `:`;
 * without `..` and without a dot at the end of either part.
 */
export function isModelId(id: string): boolean {
  return MODEL_ID.test(id) && !/\.(\.|\/|$)/.test(id);
}

/**
 * Rewrites a URL to the canonical form that routing and access checks see: `/v1/*` and the OAuth metadata move below
 * `/api`, and a model id becomes one segment with an encoded slash. Runs before the router, so that no other spelling
 * reaches a handler. Throws `invalid_request` for ambiguous paths: double slashes, dot segments, backslashes, control
 * characters, double encoding.
 */
export function toCanonicalUrl(url: string): string {
  const queryStart = url.indexOf("?");
  const rawPath = decodeUnreserved(queryStart < 0 ? url : url.slice(0, queryStart));
  const query = queryStart < 0 ? "" : url.slice(queryStart);
  const isRootAlias = rawPath === "/v1" || rawPath.startsWith("/v1/") || rawPath === OAUTH_METADATA;
  const path = isRootAlias ? `/api${rawPath}` : rawPath;
  if (!path.startsWith("/api/")) return path + query;
  refuseAmbiguousPath(path);
  return encodeModelId(path) + query;
}

/** Decodes unreserved characters (RFC 3986, 2.3), which mean the same encoded and decoded. */
function decodeUnreserved(path: string): string {
  return path.replaceAll(/%[2-7][\da-f]/gi, (encoded) => {
    const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : encoded;
  });
}

function refuseAmbiguousPath(path: string): void {
  const decoded = decode(path);
  const segments = decoded.split("/");
  const hasDotSegment = segments.some((segment) => segment === "." || segment === "..");
  if (
    hasDotSegment ||
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
