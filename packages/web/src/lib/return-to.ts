/** What is for programs, and the pages that lead here. Only one page of OAuth is for people. */
const NO_PAGE = /^\/(api|login|register|oauth(?!\/authorize$))(\/|$)/;

/** The page to go to after signing in: a path of this site, or the home page for everything else. */
export function safeReturnTo(wanted: string | null | undefined, origin: string = globalThis.location.origin): string {
  if (!wanted?.startsWith("/") || wanted[1] === "/" || wanted[1] === "\\") return "/";
  if ([...wanted].some((character) => character < " " || character === "\\")) return "/";
  if (!URL.canParse(wanted, origin)) return "/";
  const url = new URL(wanted, origin);
  // `/.//host` is a path of ours only until it is written down.
  if (url.origin !== origin || url.pathname.startsWith("//") || NO_PAGE.test(url.pathname)) return "/";
  return url.pathname + url.search + url.hash;
}
