import { safeReturnTo } from "#/lib/return-to.ts";
import { type TextStore, tabStorage } from "#/lib/storage.ts";

const KEY = "afterCard";

/** Where a card was being added, so that the reader goes on there after the page of their bank. */
export function createAfterCard(store: TextStore = tabStorage) {
  return {
    remember: (path: string): boolean => store.set(KEY, path),
    /** A path of this site; null when nothing was under way. */
    read(): string | null {
      const kept = store.get(KEY);
      const path = kept === null ? "/" : safeReturnTo(kept);
      return path === "/" ? null : path;
    },
    forget: (): void => store.remove(KEY),
  };
}
