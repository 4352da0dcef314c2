import { createContext, useContext, useSyncExternalStore } from "react";
import { type CookiePreferences, DEFAULT_PREFERENCES } from "./preferences.ts";
import type { ConsentStore } from "./store.ts";

const NO_CONSENT: ConsentStore = { get: () => DEFAULT_PREFERENCES, subscribe: () => () => {}, save: () => {} };

/** The store of the visitor's cookie choice. */
export const ConsentContext = createContext<ConsentStore>(NO_CONSENT);

/** Returns the visitor's cookie choice and follows its changes. */
export function useConsent(): {
  preferences: CookiePreferences;
  save(next: CookiePreferences): void;
} {
  const store = useContext(ConsentContext);
  const preferences = useSyncExternalStore(store.subscribe, store.get, NO_CONSENT.get);
  return { preferences, save: store.save };
}
