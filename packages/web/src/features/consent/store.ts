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
  /** Called with whether analytics may run. */
  signal(signal: Signal): void;
  /** Receives the update event, and `storage` events of other tabs. */
  target: EventTarget;
  console: Pick<Console, "log" | "warn">;
};

/** Holds the visitor's cookie choice, and stores it in the browser if possible. */
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

  // Another tab has saved a choice, or the storage was cleared.
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
    /** Stores a choice, updates analytics, and dispatches the update event. */
    save(next: CookiePreferences): void {
      storage.set(STORAGE_KEY, JSON.stringify(next));
      become(next);
      target.dispatchEvent(new CustomEvent(UPDATED_EVENT, { detail: next }));
    },
  };
}

/** The object returned by `createConsentStore`. */
export type ConsentStore = ReturnType<typeof createConsentStore>;
