import { createContext, useContext, useSyncExternalStore } from "react";
import { type CookiePreferences, UNSET } from "./preferences.ts";
import type { ConsentStore } from "./store.ts";

const NOTHING: ConsentStore = { get: () => UNSET, subscribe: () => () => {}, save: () => {} };

export const ConsentContext = createContext<ConsentStore>(NOTHING);

/** What the visitor allows, as it changes. */
export function useConsent(): {
  preferences: CookiePreferences;
  save(next: CookiePreferences): void;
} {
  const store = useContext(ConsentContext);
  const preferences = useSyncExternalStore(store.subscribe, store.get, store.get);
  return { preferences, save: store.save };
}
