import { createContext, useContext, useSyncExternalStore } from "react";
import { type CookiePreferences, UNSET } from "./preferences.ts";
import type { ConsentStore } from "./store.ts";

const NOTHING: ConsentStore = { get: () => UNSET, subscribe: () => () => {}, save: () => {} };

/** The store of the visitor's cookie choice. */
export const ConsentContext = createContext<ConsentStore>(NOTHING);

/** Returns the visitor's cookie choice and follows its changes. */
export function useConsent(): {
  preferences: CookiePreferences;
  save(next: CookiePreferences): void;
} {
  const store = useContext(ConsentContext);
  const preferences = useSyncExternalStore(store.subscribe, store.get, store.get);
  return { preferences, save: store.save };
}
