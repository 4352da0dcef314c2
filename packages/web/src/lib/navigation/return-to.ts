/**
 * Paths that are not valid targets: API routes, the login and sign-up pages, and OAuth endpoints except the consent
 * page.
 */
const NOT_A_PAGE = /^\/(api|login|register|oauth(?!\/authorize$))(\/|$)/;

/** Returns the path to open after sign-in: the given one if it is a page of this site, otherwise "/". */
export function toSafeReturnTo(target: string | null | undefined, origin: string = globalThis.location.origin): string {
  if (!target?.startsWith("/") || target[1] === "/" || target[1] === "\\") return "/";
  if ([...target].some((character) => character < " " || character === "\\")) return "/";
  if (!URL.canParse(target, origin)) return "/";
  const url = new URL(target, origin);
  // `/.//host` has our origin here, but its normalized path `//host` would be another host.
  if (url.origin !== origin || url.pathname.startsWith("//") || NOT_A_PAGE.test(url.pathname)) return "/";
  return url.pathname + url.search + url.hash;
}
