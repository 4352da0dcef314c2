import type { KeyValueStore } from "#/lib/browser/storage.ts";
import {
  type ConsentSignal,
  type CookiePreferences,
  readPreferences,
  STORAGE_KEY,
  toConsentSignal,
  UPDATED_EVENT,
} from "./preferences.ts";

type ConsentStoreOptions = {
  storage: KeyValueStore;
  /** Called with whether analytics may run. */
  onSignal(onSignal: ConsentSignal): void;
  /** Receives the update event, and `storage` events of other tabs. */
  target: EventTarget;
  console: Pick<Console, "log" | "warn">;
};

/** Holds the visitor's cookie choice, and stores it in the browser if possible. */
export function createConsentStore({ storage, onSignal, target, console }: ConsentStoreOptions) {
  const listeners = new Set<() => void>();
  let preferences = readStored();

  function readStored(): CookiePreferences {
    return readPreferences(storage.get(STORAGE_KEY), (...values) => console.log(...values));
  }

  function sendSignal(next: ConsentSignal): void {
    try {
      onSignal(next);
    } catch (error) {
      console.warn("The analytics consent signal could not be updated.", error);
    }
  }

  function setPreferences(next: CookiePreferences): void {
    preferences = next;
    for (const listener of listeners) listener();
    sendSignal(toConsentSignal(next));
  }

  // Another tab has saved a choice, or the storage was cleared.
  target.addEventListener("storage", (event) => {
    const { key } = event as StorageEvent;
    if (key === STORAGE_KEY || key === null) setPreferences(readStored());
  });
  if (toConsentSignal(preferences) === "granted") sendSignal("granted");

  return {
    get: () => preferences,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Stores a choice, updates analytics, and dispatches the update event. */
    save(next: CookiePreferences): void {
      storage.set(STORAGE_KEY, JSON.stringify(next));
      setPreferences(next);
      target.dispatchEvent(new CustomEvent(UPDATED_EVENT, { detail: next }));
    },
  };
}

/** The object returned by `createConsentStore`. */
export type ConsentStore = ReturnType<typeof createConsentStore>;
