import { createContext, useContext, useSyncExternalStore } from "react";
import { type Analytics, createAnalytics } from "./analytics.ts";

/** Outside of the site, as in tests of a page, there is none: every call does nothing. */
const NONE = createAnalytics({ load: async () => Promise.reject(new Error("no analytics here")), warn: () => {} });

export const AnalyticsContext = createContext<Analytics>(NONE);

export const useAnalytics = (): Analytics => useContext(AnalyticsContext);

/** Whether events are sent just now. */
export function useAnalyticsReady(): boolean {
  const analytics = useAnalytics();
  return useSyncExternalStore(analytics.subscribe, analytics.isReady, () => false);
}
