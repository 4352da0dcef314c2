/**
 * Typical entry pages. Prices are only shown to signed-in users: search engines are told not to list that page, so Lighthouse
 * does not score how they would find it.
 */
export const ENTRY_PAGES = [
  { path: "/", signedIn: false },
  { path: "/models", signedIn: false },
  { path: "/models/Qwen/Qwen3-32B", signedIn: false },
  { path: "/docs/quickstart", signedIn: false },
  { path: "/pricing", signedIn: true },
] as const;
