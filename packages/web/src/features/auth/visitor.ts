/** A meta tag that the server adds to pages sent without a session. */
const MARK = 'meta[name="session"][content="none"]';

/**
 * Returns whether the server has sent this page without a session, so that the user need not be loaded. A page restored
 * by back or forward may be older than the session and does not count.
 */
export function arrivedAsVisitor(root: Pick<Document, "querySelector"> = document, way: string = wayHere()): boolean {
  return way !== "back_forward" && root.querySelector(MARK) !== null;
}

function wayHere(): string {
  const [entry] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  return entry?.type ?? "navigate";
}
