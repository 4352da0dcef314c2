import { type KeyValueStore, tabStorage } from "#/lib/browser/storage.ts";

const RELOAD_WINDOW_MS = 10_000;
const STORAGE_KEY = "chunk-reload";
const CHUNK_ERROR_PATTERN =
  /dynamically imported module|Importing a module script failed|error loading dynamically|Unable to preload CSS/i;

type Deps = { storage?: KeyValueStore; now?: number; online?: boolean; reload?(): void };

/**
 * Returns whether an error means that a chunk could not be loaded: while offline, or after a new version was deployed.
 */
export const isChunkLoadError = (error: unknown): boolean =>
  error instanceof Error && CHUNK_ERROR_PATTERN.test(error.message);

/**
 * Reloads the page if a chunk could not be loaded, which happens after a new version was deployed; at most once per path
 * within ten seconds. Not while offline, because the reload would lose the page. Returns whether the page is reloading.
 */
export function reloadAfterChunkError(error: unknown, path: string, deps: Deps = {}): boolean {
  const { storage = tabStorage, now = Date.now(), online = navigator.onLine, reload = () => location.reload() } = deps;
  if (!online) return false;
  if (!isChunkLoadError(error)) return false;
  const recent = recentReloads(storage.get(STORAGE_KEY), now);
  if (path in recent) return false;
  // Without working storage the reload could loop forever.
  if (!storage.set(STORAGE_KEY, JSON.stringify({ ...recent, [path]: now }))) return false;
  reload();
  return true;
}

function recentReloads(saved: string | null, now: number): Record<string, number> {
  try {
    const value: unknown = JSON.parse(saved ?? "{}");
    if (typeof value !== "object" || value === null) return {};
    return Object.fromEntries(
      Object.entries(value).filter(([, at]) => typeof at === "number" && at <= now && now - at < RELOAD_WINDOW_MS),
    );
  } catch {
    return {};
  }
}
