/** A key-value store of strings that never throws. */
export type TextStore = {
  get(key: string): string | null;
  set(key: string, value: string): boolean;
  remove(key: string): void;
};

/** Wraps a browser storage. If it is full or access is denied, `get` returns null and `set` returns false. */
function over(area: () => Storage): TextStore {
  return {
    get(key) {
      try {
        return area().getItem(key);
      } catch {
        return null;
      }
    },
    set(key, value) {
      try {
        area().setItem(key, value);
        return true;
      } catch {
        return false;
      }
    },
    remove(key) {
      try {
        area().removeItem(key);
      } catch {
        // No access means nothing was stored.
      }
    },
  };
}

/** Persistent storage of the browser (`localStorage`). */
export const storage = over(() => localStorage);

/** Storage that lasts as long as the tab (`sessionStorage`). */
export const tabStorage = over(() => sessionStorage);
