import { createContext, useContext, useSyncExternalStore } from "react";
import { type Analytics, createAnalytics } from "./analytics.ts";

/** Default without a provider, as in page tests: all calls are ignored. */
const NO_ANALYTICS = createAnalytics({
  load: async () => Promise.reject(new Error("no analytics here")),
  warn: () => {},
});

/** The analytics of the site. */
export const AnalyticsContext = createContext<Analytics>(NO_ANALYTICS);

/** Returns the analytics of the site. */
export const useAnalytics = (): Analytics => useContext(AnalyticsContext);

/** Whether events are being sent. */
export function useAnalyticsReady(): boolean {
  const analytics = useAnalytics();
  return useSyncExternalStore(analytics.subscribe, analytics.isReady, () => false);
}
