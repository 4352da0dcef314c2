/**
 * Paths that are not valid targets: API routes, the login and sign-up pages, and OAuth endpoints except the consent
 * page.
 */
const NO_PAGE = /^\/(api|login|register|oauth(?!\/authorize$))(\/|$)/;

/** Returns the path to open after sign-in: the given one if it is a page of this site, otherwise "/". */
export function safeReturnTo(wanted: string | null | undefined, origin: string = globalThis.location.origin): string {
  if (!wanted?.startsWith("/") || wanted[1] === "/" || wanted[1] === "\\") return "/";
  if ([...wanted].some((character) => character < " " || character === "\\")) return "/";
  if (!URL.canParse(wanted, origin)) return "/";
  const url = new URL(wanted, origin);
  // `/.//host` has our origin here, but its normalized path `//host` would be another host.
  if (url.origin !== origin || url.pathname.startsWith("//") || NO_PAGE.test(url.pathname)) return "/";
  return url.pathname + url.search + url.hash;
}
