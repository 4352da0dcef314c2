import { http } from "@feather/sdk/msw";
import type { StubHandlers } from "@feather/testing/stub";
import { act, render } from "@testing-library/react";
import { createMemoryRouter, RouterProvider } from "react-router-dom";
import { createLoaders } from "#/app/loaders.ts";
import type { PageRoute } from "#/app/pages.ts";
import { Providers } from "#/app/providers.tsx";
import { createRoutes } from "#/app/router.tsx";
import { createLoadingBar } from "#/components/ui/loading/loading-bar-state.ts";
import { createAnalytics } from "#/features/analytics/analytics.ts";
import { createConsentStore } from "#/features/consent/store.ts";
import { createReferralStore } from "#/features/referral/referral-code.ts";
import { storage } from "#/lib/browser/storage.ts";
import { createQueryClient } from "#/lib/query-client.ts";
import { stubEventSource } from "./event-source.ts";
import { type Fallback, type RecordedRequest, SITE_CONFIG, stubServer } from "./page.tsx";

const CONFIG = { ...SITE_CONFIG, version: "0" };

/** The calls that every page makes, without redirects and analytics. */
const SITE_HANDLERS: StubHandlers = [http.system.routeRules({ rules: [] }), http.system.config(CONFIG)];

/**
 * Renders the whole site at an address, with a stubbed server. Calls without a handler get `fallback`, by default the
 * contract's examples. `pages` replaces those of the site. Returns the recorded requests and analytics calls, the query
 * client, and functions to navigate and to read the address.
 */
export async function openSite(
  address: string,
  handlers: StubHandlers,
  fallback?: Fallback,
  pages?: readonly PageRoute[],
) {
  // The test environment has no streams of events; a test that feeds one has replaced it before.
  if (!("EventSource" in globalThis)) stubEventSource();
  const requests: RecordedRequest[] = stubServer([...handlers, ...SITE_HANDLERS], fallback);
  const client = createQueryClient();
  const calls: unknown[][] = [];
  const call =
    (name: string) =>
    (...args: unknown[]) =>
      void calls.push([name, ...args]);
  const analytics = createAnalytics({
    load: async () => ({
      capture: call("capture"),
      identify: call("identify"),
      register: call("register"),
      alias: call("alias"),
      reset: call("reset"),
      group: call("group"),
      allow: () => {},
      deny: () => {},
    }),
    warn: () => {},
  });
  const consent = createConsentStore({
    storage,
    onSignal: (signal) => void analytics.consent(signal),
    target: new EventTarget(),
    console,
  });
  const router = createMemoryRouter(createRoutes(createLoaders(client), pages), { initialEntries: [address] });
  await act(async () => {
    render(
      <Providers
        client={client}
        analytics={analytics}
        consent={consent}
        referral={createReferralStore(storage)}
        loadingBar={createLoadingBar()}
      >
        <RouterProvider router={router} useTransitions={false} />
      </Providers>,
    );
  });
  const at = () => router.state.location.pathname + router.state.location.search;
  const go = (to: string) => act(async () => router.navigate(to));
  return { requests, go, client, calls, at };
}
