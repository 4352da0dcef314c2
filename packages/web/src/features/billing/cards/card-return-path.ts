import { type KeyValueStore, tabStorage } from "#/lib/browser/storage.ts";
import { toSafeReturnTo } from "#/lib/navigation/return-to.ts";

const STORAGE_KEY = "afterCard";
const INTENT_KEY = "cardIntent";

/** Stores the path of the page where a card was being added, to continue there after the page of the bank or the payment service. */
export function createCardReturnPath(store: KeyValueStore = tabStorage) {
  return {
    save: (path: string): boolean => store.set(STORAGE_KEY, path),
    /** Stores the setup intent of a card that is entered on another page, which says nothing about it here. */
    saveIntent: (id: string): boolean => store.set(INTENT_KEY, id),
    /** Returns the stored setup intent; null when there is none. */
    readIntent: (): string | null => store.get(INTENT_KEY),
    /** Returns the stored path of this site; null when there is none. */
    read(): string | null {
      const stored = store.get(STORAGE_KEY);
      const path = stored === null ? "/" : toSafeReturnTo(stored);
      return path === "/" ? null : path;
    },
    clear(): void {
      store.remove(STORAGE_KEY);
      store.remove(INTENT_KEY);
    },
  };
}
