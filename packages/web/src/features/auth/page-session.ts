/** A meta tag that the server adds to pages sent without a session. */
const NO_SESSION_META = 'meta[name="session"][content="none"]';

/**
 * Returns whether the server has sent this page without a session, so that the user need not be loaded. A page restored
 * by back or forward may be older than the session and does not count.
 */
export function isPageWithoutSession(
  root: Pick<Document, "querySelector"> = document,
  navigationType: string = readNavigationType(),
): boolean {
  return navigationType !== "back_forward" && root.querySelector(NO_SESSION_META) !== null;
}

function readNavigationType(): string {
  const [entry] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  return entry?.type ?? "navigate";
}
