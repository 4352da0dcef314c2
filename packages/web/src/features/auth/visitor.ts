/** Says in the page that nobody was signed in when the server sent it. */
const MARK = 'meta[name="session"][content="none"]';

/**
 * Whether the server has said that this browser has no session, so that there is nobody to ask for. A page from the
 * browser's own memory may be older than a session, and does not count.
 */
export function arrivedAsVisitor(root: Pick<Document, "querySelector"> = document, way: string = wayHere()): boolean {
  return way !== "back_forward" && root.querySelector(MARK) !== null;
}

function wayHere(): string {
  const [entry] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  return entry?.type ?? "navigate";
}
