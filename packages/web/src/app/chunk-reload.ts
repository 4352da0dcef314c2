import { type TextStore, tabStorage } from "#/lib/storage.ts";

const WINDOW = 10_000;
const KEY = "chunk-reload";
const LOST =
  /dynamically imported module|Importing a module script failed|error loading dynamically|Unable to preload CSS/i;

type Deps = { storage?: TextStore; now?: number; online?: boolean; reload?(): void };

/** Whether a file of the site could not be fetched: without a network, or after a new version took its place. */
export const isLostFile = (error: unknown): boolean => error instanceof Error && LOST.test(error.message);

/**
 * After a new version was put in place, pages of the old one ask for files that are gone: the page is loaded again, once
 * for each path within ten seconds. Not without a network: files are not gone then, and the page would be. Answers whether
 * it is being loaded again.
 */
export function reloadForLostChunk(error: unknown, path: string, deps: Deps = {}): boolean {
  const { storage = tabStorage, now = Date.now(), online = navigator.onLine, reload = () => location.reload() } = deps;
  if (!online) return false;
  if (!isLostFile(error)) return false;
  const recent = recentReloads(storage.get(KEY), now);
  if (path in recent) return false;
  // Without a memory it could go on for ever.
  if (!storage.set(KEY, JSON.stringify({ ...recent, [path]: now }))) return false;
  reload();
  return true;
}

function recentReloads(saved: string | null, now: number): Record<string, number> {
  try {
    const value: unknown = JSON.parse(saved ?? "{}");
    if (typeof value !== "object" || value === null) return {};
    return Object.fromEntries(
      Object.entries(value).filter(([, at]) => typeof at === "number" && at <= now && now - at < WINDOW),
    );
  } catch {
    return {};
  }
}
