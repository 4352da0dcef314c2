import { posthog } from "posthog-js/no-external";
import { forgetCookie } from "#/lib/cookies.ts";
import type { AnalyticsClient, Project } from "./analytics.ts";
import { removeLeftovers } from "./leftovers.ts";
import { libraryOptions } from "./library-options.ts";
// From here, as nothing is fetched from elsewhere.
import "posthog-js/dist/posthog-recorder";
import "posthog-js/dist/surveys";

/** Sets up the analytics library, which is large, so this file is fetched late; it does nothing until it is allowed. */
export function loadClient({ key, host }: Project): AnalyticsClient {
  posthog.init(key, libraryOptions(host, console.warn));
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
      removeLeftovers([() => localStorage, () => sessionStorage], () => document.cookie, forgetCookie);
    },
  };
}
