import { posthog } from "posthog-js/no-external";
import { deleteCookie } from "#/lib/browser/cookies.ts";
import type { AnalyticsClient, Project } from "./analytics.ts";
import { createLibraryOptions } from "./library-options.ts";
import { removeStoredData } from "./remove-stored-data.ts";
// Bundled, because external scripts are disabled.
import "posthog-js/dist/posthog-recorder";
import "posthog-js/dist/surveys";

/** Initializes the analytics library. Imported lazily because it is large; it does nothing before consent. */
export function initClient({ key, host }: Project): AnalyticsClient {
  posthog.init(key, createLibraryOptions(host, console.warn));
  return {
    capture: (event, properties) => posthog.capture(event, properties),
    identify: (id, properties) => posthog.identify(id, properties),
    register: (properties) => posthog.register(properties),
    alias: (alias, original) => posthog.alias(alias, original),
    reset: () => posthog.reset(),
    group: (type, name, properties) => posthog.group(type, name, properties),
    allow: () => posthog.opt_in_capturing({ captureEventName: false }),
    deny() {
      posthog.opt_out_capturing();
      removeStoredData([() => localStorage, () => sessionStorage], () => document.cookie, deleteCookie);
    },
  };
}
