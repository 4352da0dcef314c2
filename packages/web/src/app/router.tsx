import { t } from "@lingui/core/macro";
import type { QueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { matchRoutes, type RouteObject } from "react-router-dom";
import { ROUTES, type RouteSpec } from "#/config/routes.ts";
import { GuardedRoute, NotFound } from "./guarded-route.tsx";
import { type LazyPage, PageBody } from "./lazy-page.tsx";
import { createPageLoader } from "./page-loader.ts";
import { createPageLookup } from "./pages.ts";
import { createPreloader } from "./preload.ts";
import { Root } from "./root.tsx";
import { createRedirectLimit } from "./route-rules.ts";
import { type SiteHistory, SiteRouter } from "./site-router.tsx";

const NOT_FOUND_ROUTE: RouteSpec = { path: "*", title: t`Page not found`, access: "public", layout: "default" };

const findPage = createPageLookup(ROUTES.map(({ path }) => path));

type SiteProps = {
  client: QueryClient;
  history: SiteHistory;
  /** Whether the first page has been prefilled, so that it renders without suspending. */
  prepared?: boolean;
};

/** The whole site: each page in its layout, behind its redirect rules and its guard. */
export function Site({ client, history, prepared = false }: SiteProps) {
  const [site] = useState(() => ({
    prepare: createPageLoader(client, findRoute),
    preload: createPreloader((path) => findRoute(path).page?.preload() ?? null),
    routes: createRoutes(),
  }));
  return (
    <SiteRouter history={history} prepare={site.prepare} prepared={prepared}>
      <Root routes={site.routes} layoutOf={(path) => findRoute(path).route.layout} preload={site.preload} />
    </SiteRouter>
  );
}

function createRoutes(): RouteObject[] {
  const mayRedirect = createRedirectLimit();
  return [...ROUTES, NOT_FOUND_ROUTE].map((route) => {
    const page = findPage(route.path);
    return {
      path: route.path,
      element: (
        <GuardedRoute route={route} mayRedirect={mayRedirect}>
          {page ? <PageBody page={page} /> : <NotFound />}
        </GuardedRoute>
      ),
    };
  });
}

/** Returns the route of a path and its page; for an unknown path the page is undefined. */
function findRoute(path: string): { route: RouteSpec; page: LazyPage | undefined } {
  const [match] =
    matchRoutes(
      [...ROUTES, NOT_FOUND_ROUTE].map((route) => ({ path: route.path, handle: route })),
      path,
    ) ?? [];
  const route = match?.route.handle ?? NOT_FOUND_ROUTE;
  return { route, page: findPage(route.path) };
}

/** Loads the chunk and the first data of the page at a location, before the site renders. */
export const prefillPage = async (client: QueryClient, location: Location): Promise<void> =>
  findRoute(location.pathname).page?.prefill(client, location);
