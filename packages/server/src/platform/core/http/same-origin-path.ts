const BASE_ORIGIN = "http://site.invalid";
/** Endpoints for programs, not pages. */
const API_PATHS = /^\/(api|v1|oauth\/token)(\/|$)/i;

/** Returns a path of this site that is safe to redirect to. Null for other origins, other protocols and malformed paths. */
export function toSameOriginPath(text: string | null): string | null {
  if (text === null || text.length > 2000) return null;
  // Browsers read a backslash as a slash and skip tabs and line breaks, so paths with any of them are rejected.
  if (!/^\/(?![/\\])/.test(text) || /[\\\p{Cc}\p{Zl}\p{Zp}]/u.test(text)) return null;
  if (!URL.canParse(text, BASE_ORIGIN)) return null;
  const url = new URL(text, BASE_ORIGIN);
  if (url.origin !== BASE_ORIGIN || url.pathname.startsWith("//") || API_PATHS.test(url.pathname)) return null;
  return url.pathname + url.search + url.hash;
}
