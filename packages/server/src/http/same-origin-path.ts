const BASE = "http://site.invalid";
/** Endpoints for programs, not pages. */
const NO_PAGES = /^\/(api|v1|oauth\/token)(\/|$)/i;

/**
 * A path of this site that is safe to redirect to, or null: other origins, other protocols and malformed paths are
 * rejected.
 */
export function sameOriginPath(text: string | null): string | null {
  if (text === null || text.length > 2000) return null;
  // Browsers read a backslash as a slash and skip tabs and line breaks, so none of them may be there.
  if (!/^\/(?![/\\])/.test(text) || /[\\\p{Cc}\p{Zl}\p{Zp}]/u.test(text)) return null;
  if (!URL.canParse(text, BASE)) return null;
  const url = new URL(text, BASE);
  if (url.origin !== BASE || url.pathname.startsWith("//") || NO_PAGES.test(url.pathname)) return null;
  return url.pathname + url.search + url.hash;
}
