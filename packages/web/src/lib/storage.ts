/** Where the browser keeps texts. */
export type TextStore = {
  get(key: string): string | null;
  set(key: string, value: string): boolean;
  remove(key: string): void;
};

/** A storage of the browser, which may be full, closed to us, or hold anything: reading gives null then, writing false. */
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
        // Nothing was kept, so nothing has to go.
      }
    },
  };
}

/** Outlives the visit. */
export const storage = over(() => localStorage);

/** Lives as long as the tab. */
export const tabStorage = over(() => sessionStorage);
