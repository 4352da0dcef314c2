import type { QueryClient } from "@tanstack/react-query";
import type { LoaderFunction } from "react-router-dom";
import type { RouteSpec } from "#/config/routes.ts";
import { userQuery } from "#/entities/session/user.ts";
import { findRoute } from "./find-route.ts";
import { decideAccess, needsUser } from "./guard/guard.ts";
import { routeRulesQuery } from "./guard/route-rules.ts";
import type { PageLocation, PageModule } from "./page-module.ts";

/** How long a navigation waits for the data of the next page before that page is shown without it, in milliseconds. */
const PREFETCH_TIMEOUT_MS = 1_000;

/** The loaders of the routes. They fill the query cache and never throw: a page shows its own errors. */
export type Loaders = {
  /** Loads the user and the redirect rules, in parallel with the chunk of the page. */
  access: LoaderFunction;
  /** Returns the loader of a page. It loads no data for those who may not see the page. */
  page(module: PageModule, route: RouteSpec): LoaderFunction;
};

/**
 * Creates the loaders of the site. The first page of a visit, if public, waits for neither the user nor the rules;
 * `isFirstPage` is false when that page is on the screen already.
 */
export function createLoaders(client: QueryClient, { isFirstPage = true } = {}): Loaders {
  let isFirst = isFirstPage;

  async function fetchRules(path: string): Promise<void> {
    const user = await client.ensureQueryData(userQuery).catch(() => null);
    await client.prefetchQuery({ ...routeRulesQuery(path, user?.id ?? null), staleTime: 0 });
  }

  return {
    async access({ request }) {
      const { pathname } = new URL(request.url);
      const isNeeded = !isFirst || needsUser(findRoute(pathname) ?? { access: "public" }, pathname);
      isFirst = false;
      if (isNeeded) await fetchRules(pathname);
      return null;
    },
    page:
      (module, route) =>
      async ({ request, params }) => {
        const { pathname, search } = new URL(request.url);
        const location = { pathname, search, params };
        await Promise.all([preparePage(module, client, pathname), prefetchPage(module, route, client, location)]);
        return null;
      },
  };
}

/** Creates the loaders of the build, which load the content of pages but nothing from the server. */
export const createContentLoaders = (client: QueryClient): Loaders => ({
  access: () => null,
  page:
    (module) =>
    async ({ request }) => {
      await preparePage(module, client, new URL(request.url).pathname);
      return null;
    },
});

/** Runs a page's `prepare`. Never rejects: the page shows the error. */
export async function preparePage(module: PageModule, client: QueryClient, path: string): Promise<void> {
  await module.prepare?.(client, path).catch(() => undefined);
}

async function prefetchPage(
  module: PageModule,
  route: RouteSpec,
  client: QueryClient,
  location: PageLocation,
): Promise<void> {
  if (!module.prefetch) return;
  const timeout = new Promise((resolve) => setTimeout(resolve, PREFETCH_TIMEOUT_MS));
  await Promise.race([prefetchFor(module, route, client, location).catch(() => undefined), timeout]);
}

async function prefetchFor(
  module: PageModule,
  route: RouteSpec,
  client: QueryClient,
  location: PageLocation,
): Promise<void> {
  const { pathname } = location;
  const user = needsUser(route, pathname) ? await client.ensureQueryData(userQuery) : null;
  if (decideAccess(route, user, pathname).action === "show") await module.prefetch?.(client, location, user);
}
