/** A key-value store of strings that never throws. */
export type KeyValueStore = {
  get(key: string): string | null;
  set(key: string, value: string): boolean;
  remove(key: string): void;
};

/** Wraps a browser storage. If it is full or access is denied, `get` returns null and `set` returns false. */
function createStore(getStorage: () => Storage): KeyValueStore & { clear(): void } {
  return {
    get(key) {
      try {
        return getStorage().getItem(key);
      } catch {
        return null;
      }
    },
    set(key, value) {
      try {
        getStorage().setItem(key, value);
        return true;
      } catch {
        return false;
      }
    },
    remove(key) {
      try {
        getStorage().removeItem(key);
      } catch {
        // No access means nothing was stored.
      }
    },
    clear() {
      try {
        getStorage().clear();
      } catch {
        // No access means nothing was stored.
      }
    },
  };
}

/** Persistent storage of the browser (`localStorage`). */
export const storage = createStore(() => localStorage);

/** Storage that lasts as long as the tab (`sessionStorage`). */
export const tabStorage = createStore(() => sessionStorage);
