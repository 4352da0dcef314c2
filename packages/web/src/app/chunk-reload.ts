const WINDOW = 10_000;
const KEY = "chunk-reload";

/**
 * After a new version was put in place, pages of the old one ask for files that are gone: the page is loaded again, once
 * for each path within ten seconds. Answers whether it is being loaded again.
 */
export function reloadForLostChunk(
  error: unknown,
  path: string,
  now: number = Date.now(),
  reload: () => void = () => location.reload(),
): boolean {
  if (
    !(error instanceof Error) ||
    !/dynamically imported module|Importing a module script failed|error loading dynamically/i.test(error.message)
  )
    return false;
  try {
    const last = JSON.parse(sessionStorage.getItem(KEY) ?? "{}") as { path?: string; at?: number };
    if (last.path === path && now - (last.at ?? 0) < WINDOW) return false;
    sessionStorage.setItem(KEY, JSON.stringify({ path, at: now }));
  } catch {
    return false; // without a memory it could go on for ever
  }
  reload();
  return true;
}
