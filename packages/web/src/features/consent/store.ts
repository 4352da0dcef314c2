import type { TextStore } from "#/lib/storage.ts";
import {
  type CookiePreferences,
  readPreferences,
  type Signal,
  STORAGE_KEY,
  signalOf,
  UPDATED_EVENT,
} from "./preferences.ts";

type Deps = {
  storage: TextStore;
  /** Told whether analytics may run. */
  signal(signal: Signal): void;
  /** Where the event goes, and where the news of other tabs come from. */
  target: EventTarget;
  console: Pick<Console, "log" | "warn">;
};

/** The visitor's choice about cookies, for as long as the page is open, kept in the browser as far as it lets us. */
export function createConsentStore({ storage, signal, target, console }: Deps) {
  const listeners = new Set<() => void>();
  let preferences = read();

  function read(): CookiePreferences {
    return readPreferences(storage.get(STORAGE_KEY), (...words) => console.log(...words));
  }

  function send(next: Signal): void {
    try {
      signal(next);
    } catch (error) {
      console.warn("The analytics consent signal could not be updated.", error);
    }
  }

  function become(next: CookiePreferences): void {
    preferences = next;
    for (const listener of listeners) listener();
    send(signalOf(next));
  }

  // Another tab has chosen, or all that we keep was cleared.
  target.addEventListener("storage", (event) => {
    const { key } = event as StorageEvent;
    if (key === STORAGE_KEY || key === null) become(read());
  });
  if (signalOf(preferences) === "granted") send("granted");

  return {
    get: () => preferences,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Keeps a choice, tells analytics, and announces it to the page. */
    save(next: CookiePreferences): void {
      storage.set(STORAGE_KEY, JSON.stringify(next));
      become(next);
      target.dispatchEvent(new CustomEvent(UPDATED_EVENT, { detail: next }));
    },
  };
}

export type ConsentStore = ReturnType<typeof createConsentStore>;
