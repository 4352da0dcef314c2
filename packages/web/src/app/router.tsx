import { t } from "@lingui/core/macro";
import type { QueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { matchRoutes, type RouteObject } from "react-router-dom";
import { ROUTES, type RouteSpec } from "#/config/routes.ts";
import { Guarded, NotFound } from "./guarded.tsx";
import { type Page, PageBody } from "./load.tsx";
import { createPageLoader } from "./page-loader.ts";
import { createPages } from "./pages.ts";
import { createPreloader } from "./preload.ts";
import { Root } from "./root.tsx";
import { createRedirectLimit } from "./route-rules.ts";
import { type SiteHistory, SiteRouter } from "./site-router.tsx";

const UNKNOWN: RouteSpec = { path: "*", title: t`Page not found`, access: "public", layout: "default" };

const pageOf = createPages(ROUTES.map(({ path }) => path));

type SiteProps = {
  client: QueryClient;
  history: SiteHistory;
  /** Whether the first page has been prefilled, so that it renders without suspending. */
  prepared?: boolean;
};

/** The whole site: each page in its layout, behind its redirect rules and its guard. */
export function Site({ client, history, prepared = false }: SiteProps) {
  const [site] = useState(() => ({
    prepare: createPageLoader(client, find),
    preload: createPreloader((path) => find(path).page?.preload() ?? null),
    routes: createRoutes(),
  }));
  return (
    <SiteRouter history={history} prepare={site.prepare} prepared={prepared}>
      <Root routes={site.routes} layoutOf={(path) => find(path).route.layout} preload={site.preload} />
    </SiteRouter>
  );
}

function createRoutes(): RouteObject[] {
  const mayRedirect = createRedirectLimit();
  return [...ROUTES, UNKNOWN].map((route) => {
    const page = pageOf(route.path);
    return {
      path: route.path,
      element: (
        <Guarded route={route} mayRedirect={mayRedirect}>
          {page ? <PageBody page={page} /> : <NotFound />}
        </Guarded>
      ),
    };
  });
}

/** Returns the route of a path and its page; for an unknown path the page is undefined. */
function find(path: string): { route: RouteSpec; page: Page | undefined } {
  const [match] =
    matchRoutes(
      [...ROUTES, UNKNOWN].map((route) => ({ path: route.path, handle: route })),
      path,
    ) ?? [];
  const route = match?.route.handle ?? UNKNOWN;
  return { route, page: pageOf(route.path) };
}

/** Loads the chunk and the first data of the page at a location, before the site renders. */
export const prefillPage = async (client: QueryClient, place: Location): Promise<void> =>
  find(place.pathname).page?.prefill(client, place);
