import { http } from "@feather/sdk/msw";
import { hashKey } from "@tanstack/react-query";
import { act, cleanup, render, waitFor } from "@testing-library/react";
import { createMemoryRouter, generatePath, type LoaderFunctionArgs, RouterProvider } from "react-router-dom";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createLoadingBar } from "#/components/ui/loading/loading-bar-state.ts";
import { userQuery } from "#/entities/session/user.ts";
import { createAnalytics } from "#/features/analytics/analytics.ts";
import { trialQuery } from "#/features/auth/trial.ts";
import { createConsentStore } from "#/features/consent/store.ts";
import { createReferralStore } from "#/features/referral/referral-code.ts";
import { storage } from "#/lib/browser/storage.ts";
import { createQueryClient } from "#/lib/query-client.ts";
import { siteConfigQuery } from "#/lib/site-config.ts";
import { maria, neverSettles, stubServer } from "#/testing/page.tsx";
import { createLoaders } from "./loaders.ts";
import type { PageModule } from "./page-module.ts";
import { PAGE_ROUTES } from "./pages.ts";
import { Providers } from "./providers.tsx";

beforeEach(() => {
  for (const method of ["info", "error", "warn"] as const) vi.spyOn(console, method).mockImplementation(() => {});
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** Routes whose pages read before their loader could, with the reason. */
const WITHOUT_LOADER: Readonly<Record<string, string>> = {
  "/oauth/authorize": "what the user decides on is read once, by the page, and not kept",
  "/account/private-cloud/deployments/create": "which step is first depends on a draft that the page reads",
  "/device": "what the user decides on is read once, by the page, and not kept",
  "/subscription/complete": "the page asks again and again until the payment has arrived",
};
/** Returns a cache in which an admin is signed in, and a function that lists the queries of a page in it. */
async function createCache() {
  stubServer([http.auth.me({ ...maria, is_admin: true })]);
  const client = createQueryClient();
  const user = await client.fetchQuery(userQuery);
  vi.stubGlobal("fetch", neverSettles);
  // What the site itself reads, on every page.
  const ofSite = new Set([userQuery, siteConfigQuery, trialQuery(user)].map(({ queryKey }) => hashKey(queryKey)));
  const listQueries = () =>
    client
      .getQueryCache()
      .findAll({ fetchStatus: "fetching" })
      .map(({ queryHash }) => queryHash)
      .filter((hash) => !ofSite.has(hash));
  return { client, listQueries };
}

/** Returns the queries that a page starts when it is first rendered. */
async function listFirstQueries({ default: Page }: PageModule, path: string, address: string): Promise<string[]> {
  const { client, listQueries } = await createCache();
  const router = createMemoryRouter([{ path, element: <Page /> }], { initialEntries: [address] });
  act(() => {
    render(
      <Providers
        client={client}
        analytics={createAnalytics({ load: () => new Promise(() => {}), warn: () => {} })}
        consent={createConsentStore({ storage, onSignal: () => {}, target: new EventTarget(), console })}
        referral={createReferralStore(storage)}
        loadingBar={createLoadingBar()}
      >
        <RouterProvider router={router} />
      </Providers>,
    );
  });
  return listQueries();
}

const routes = PAGE_ROUTES.filter(({ route }) => route.access !== "public" && !(route.path in WITHOUT_LOADER));

test.each(routes.map(({ route, importPage }) => [route.path, route, importPage] as const))(
  "the loader of %s loads what its page reads first",
  async (path, route, importPage) => {
    const module = await importPage();
    const params = Object.fromEntries([...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => [name, "x"]));
    const address = generatePath(path, params);
    const expected = await listFirstQueries(module, path, address);
    const { client, listQueries } = await createCache();
    const request = new Request(new URL(address, "http://localhost"));
    void createLoaders(client).page(module, route)({ request, params } as LoaderFunctionArgs);
    await waitFor(() => expect(listQueries()).toEqual(expect.arrayContaining(expected)));
  },
);
