import { createLoadingBar } from "#/components/ui/loading/loading-bar-state.ts";
import { createAnalytics } from "#/features/analytics/analytics.ts";
import { createConsentStore } from "#/features/consent/store.ts";
import { createReferralStore } from "#/features/referral/referral-code.ts";
import { storage } from "#/lib/browser/storage.ts";
import { createQueryClient } from "#/lib/query-client.ts";
import type { Services } from "./providers.tsx";

/** Creates the services that all pages share. */
export function createServices(): Services {
  const analytics = createAnalytics({
    load: async (project) => (await import("#/features/analytics/load-client.ts")).initClient(project),
    warn: console.warn,
  });
  return {
    client: createQueryClient(),
    analytics,
    consent: createConsentStore({ storage, onSignal: (next) => void analytics.consent(next), target: window, console }),
    referral: createReferralStore(storage),
    loadingBar: createLoadingBar(),
  };
}
