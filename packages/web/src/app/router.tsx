import { t } from "@lingui/core/macro";
import type { ReactNode } from "react";
import type { RouteObject, ShouldRevalidateFunction } from "react-router-dom";
import type { RouteSpec } from "#/config/routes.ts";
import { FailedPage, FailedSite } from "./failed-page.tsx";
import { GuardedRoute, NotFound } from "./guarded-route.tsx";
import type { Loaders } from "./loaders.ts";
import { PAGE_ROUTES, type PageRoute } from "./pages.ts";
import { InitialPage, Root } from "./root.tsx";
import { createRedirectLimit } from "./route-rules.ts";

const NOT_FOUND_ROUTE: RouteSpec = { path: "*", title: t`Page not found`, access: "public", layout: "default" };

/** Returns the routes for React Router: each page in its own chunk, behind its redirect rules and its guard. */
export function createRoutes(loaders: Loaders, pages: readonly PageRoute[] = PAGE_ROUTES): RouteObject[] {
  const mayRedirect = createRedirectLimit();
  const guard = (route: RouteSpec, page: ReactNode) => (
    <GuardedRoute route={route} mayRedirect={mayRedirect}>
      {page}
    </GuardedRoute>
  );
  return [
    {
      Component: Root,
      ErrorBoundary: FailedSite,
      children: [
        {
          id: "access",
          loader: loaders.access,
          shouldRevalidate: hasNewPath,
          HydrateFallback: InitialPage,
          children: [
            ...pages.map(({ route, importPage }) => ({
              ...toRoute(route),
              lazy: async () => {
                const page = await importPage();
                return { element: guard(route, <page.default />), loader: loaders.page(page) };
              },
            })),
            { ...toRoute(NOT_FOUND_ROUTE), element: guard(NOT_FOUND_ROUTE, <NotFound />) },
          ],
        },
      ],
    },
  ];
}

const toRoute = (route: RouteSpec) => ({
  id: route.path,
  path: route.path,
  handle: route,
  shouldRevalidate: hasNewPath,
  ErrorBoundary: FailedPage,
});

/** State of the same page in the URL, such as a filter, loads nothing. */
const hasNewPath: ShouldRevalidateFunction = ({ currentUrl, nextUrl }) => currentUrl.pathname !== nextUrl.pathname;
