import { errors } from "../platform/core/errors/index.ts";
import type { ModelPath } from "./contract.ts";

/** Location of the OAuth server metadata (RFC 8414). */
const OAUTH_METADATA = "/.well-known/oauth-authorization-server";

/** Matches a path with a model id: the part before the id, the owner, the name, and the part after. */
type ModelPathPattern = RegExp;

/**
 * Creates the function that rewrites a URL to the canonical form for routing and access checks. `/v1/*`, `/mcp` and the OAuth
 * metadata are moved below `/api`, and a model id becomes one segment with an encoded slash. It runs before the router, so
 * that no other spelling reaches a handler. It throws `invalid_request` for ambiguous paths: double slashes, dot segments,
 * backslashes, control characters, double encoding.
 */
export function createCanonicalUrl(modelPaths: readonly ModelPath[]): (url: string) => string {
  const patterns = modelPaths.map(toPattern);
  return (received) => {
    const url = toOriginForm(received);
    const queryStart = url.indexOf("?");
    const rawPath = decodeUnreserved(queryStart < 0 ? url : url.slice(0, queryStart));
    const query = queryStart < 0 ? "" : url.slice(queryStart);
    const isRootAlias =
      rawPath === "/v1" || rawPath.startsWith("/v1/") || rawPath === "/mcp" || rawPath === OAUTH_METADATA;
    const path = isRootAlias ? `/api${rawPath}` : rawPath;
    if (!path.startsWith("/api/")) return path + query;
    refuseAmbiguousPath(path);
    return encodeModelId(path, patterns) + query;
  };
}

/**
 * Returns the path and query of an absolute URL in a request, which servers must accept (RFC 9112, 3.2.2): programs that
 * use this server as their proxy send it.
 */
function toOriginForm(url: string): string {
  if (url.startsWith("/")) return url;
  const path = /^https?:\/\/[^/?#]*/i.exec(url);
  if (path === null) return url;
  const rest = url.slice(path[0].length);
  return rest.startsWith("/") ? rest : `/${rest}`;
}

/** Decodes unreserved characters (RFC 3986, 2.3), which have the same meaning encoded and decoded. */
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
    throw errors.invalidRequest("The address is not well formed. A model id is written owner/name.");
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    throw errors.invalidRequest("The address holds a percent sign that encodes nothing.");
  }
}

function hasControlCharacter(text: string): boolean {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) < 32) return true;
  return false;
}

function toPattern({ template, parameter }: ModelPath): ModelPathPattern {
  const [before = "", after = ""] = `/api${template}`.split(`{${parameter}}`);
  return new RegExp(`^(${before})([^/]+)/([^/]+)(${after.replaceAll(/{\w+}/g, "[^/]+")})$`);
}

function encodeModelId(path: string, patterns: readonly ModelPathPattern[]): string {
  const decodedPath = path.replaceAll(/%2f/gi, "/");
  for (const pattern of patterns) {
    const [, before, owner, name, after] = pattern.exec(decodedPath) ?? [];
    if (owner !== undefined) return `${before}${owner}%2F${name}${after}`;
  }
  return path;
}
