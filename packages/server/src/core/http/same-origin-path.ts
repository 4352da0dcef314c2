const BASE_ORIGIN = "http://site.invalid";
/** Endpoints for programs, not pages. */
const API_PATHS = /^\/(api|v1|oauth\/token)(\/|$)/i;

/**
 * A path of this site that is safe to redirect to, or null: other origins, other protocols and malformed paths are
 * rejected.
 */
export function toSameOriginPath(text: string | null): string | null {
  if (text === null || text.length > 2000) return null;
  // Browsers read a backslash as a slash and skip tabs and line breaks, so none of them may be there.
  if (!/^\/(?![/\\])/.test(text) || /[\\\p{Cc}\p{Zl}\p{Zp}]/u.test(text)) return null;
  if (!URL.canParse(text, BASE_ORIGIN)) return null;
  const url = new URL(text, BASE_ORIGIN);
  if (url.origin !== BASE_ORIGIN || url.pathname.startsWith("//") || API_PATHS.test(url.pathname)) return null;
  return url.pathname + url.search + url.hash;
}
