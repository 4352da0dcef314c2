/**
 * Typical entry pages. The page of prices is for signed-in users only and asks search engines not to list it, so
 * Lighthouse gives it no score for search engines.
 */
export const ENTRY_PAGES = [
  { path: "/", signedIn: false },
  { path: "/models", signedIn: false },
  { path: "/models/Qwen/Qwen3-32B", signedIn: false },
  { path: "/docs/quickstart", signedIn: false },
  { path: "/pricing", signedIn: true },
] as const;
