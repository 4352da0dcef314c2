import { safeReturnTo } from "#/lib/return-to.ts";
import { type TextStore, tabStorage } from "#/lib/storage.ts";

const KEY = "afterCard";

/** Stores the path of the page where a card was being added, to continue there after the bank's page. */
export function createAfterCard(store: TextStore = tabStorage) {
  return {
    remember: (path: string): boolean => store.set(KEY, path),
    /** Returns the stored path of this site; null when there is none. */
    read(): string | null {
      const kept = store.get(KEY);
      const path = kept === null ? "/" : safeReturnTo(kept);
      return path === "/" ? null : path;
    },
    forget: (): void => store.remove(KEY),
  };
}
