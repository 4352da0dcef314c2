import { type ReactNode, StrictMode, startTransition } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { createBrowserRouter, type DataRouter, matchRoutes, RouterProvider } from "react-router-dom";
import { userQuery } from "#/entities/session/user.ts";
import { isPageWithoutSession } from "#/features/auth/page-session.ts";
import { i18n, SOURCE_LOCALE } from "#/i18n/runtime.ts";
import { createLoaders, preparePage } from "./loaders.ts";
import { importPageAt } from "./pages.ts";
import { Providers, type Services } from "./providers.tsx";
import { createRoutes } from "./router.tsx";
import { createServices } from "./services.ts";
import { syncSessions } from "./session/session-sync.ts";

/** Renders the site into `root`. Importing this module reads its messages, so the language must be active before. */
export async function renderSite(root: HTMLElement): Promise<void> {
  const services = createServices();
  if (isPageWithoutSession()) services.client.setQueryData(userQuery.queryKey, null);
  syncSessions(services.client);
  if (isHydratable(root) && (await hydrate(root, services))) return;
  const router = createBrowserRouter(createRoutes(createLoaders(services.client)));
  // The HTML from the server stays visible until the page is complete.
  if (root.hasChildNodes()) await waitUntilInitialized(router);
  startTransition(() => createRoot(root).render(toSite(services, router)));
}

/** Whether the HTML is what the site renders first: prerendered, for an address without a query, and in English. */
const isHydratable = (root: HTMLElement): boolean =>
  root.dataset.prerendered !== undefined && globalThis.location.search === "" && i18n.locale === SOURCE_LOCALE;

/** Hydrates the prerendered page. Returns false, having done nothing, if the page's chunk could not be loaded. */
async function hydrate(root: HTMLElement, services: Services): Promise<boolean> {
  const { pathname } = globalThis.location;
  const routes = createRoutes(createLoaders(services.client, { isFirstPage: false }));
  const matched = (matchRoutes(routes, pathname) ?? []).map(({ route }) => route);
  try {
    const page = await importPageAt(pathname);
    if (page) await preparePage(page, services.client, pathname);
    for (const route of matched)
      if (typeof route.lazy === "function") Object.assign(route, await route.lazy(), { lazy: undefined });
  } catch {
    return false;
  }
  // Loaders do not run at first: the page loads its data after it is hydrated.
  const loaderData = Object.fromEntries(matched.flatMap(({ id, loader }) => (id && loader ? [[id, null]] : [])));
  const router = createBrowserRouter(routes, { hydrationData: { loaderData } });
  startTransition(() => void hydrateRoot(root, toSite(services, router)));
  return true;
}

const toSite = (services: Services, router: DataRouter): ReactNode => (
  <StrictMode>
    <Providers {...services}>
      {/* Without transitions, an input whose value is part of the URL is updated as fast as one types. */}
      <RouterProvider router={router} useTransitions={false} />
    </Providers>
  </StrictMode>
);

function waitUntilInitialized(router: DataRouter): Promise<void> {
  if (router.state.initialized) return Promise.resolve();
  return new Promise((resolve) => {
    const unsubscribe = router.subscribe(({ initialized }) => {
      if (!initialized) return;
      unsubscribe();
      resolve();
    });
  });
}
