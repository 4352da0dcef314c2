import { type KeyValueStore, tabStorage } from "#/lib/browser/storage.ts";
import { toSafeReturnTo } from "#/lib/navigation/return-to.ts";

const STORAGE_KEY = "afterCard";

/** Stores the path of the page where a card was being added, to continue there after the bank's page. */
export function createCardReturnPath(store: KeyValueStore = tabStorage) {
  return {
    save: (path: string): boolean => store.set(STORAGE_KEY, path),
    /** Returns the stored path of this site; null when there is none. */
    read(): string | null {
      const stored = store.get(STORAGE_KEY);
      const path = stored === null ? "/" : toSafeReturnTo(stored);
      return path === "/" ? null : path;
    },
    clear: (): void => store.remove(STORAGE_KEY),
  };
}
