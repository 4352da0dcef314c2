import type { RouteObject, ShouldRevalidateFunction } from "react-router-dom";
import { LoadingPlaceholder } from "#/components/ui/loading/loading-placeholder.tsx";
import type { RouteSpec } from "#/config/routes.ts";
import { NOT_FOUND_ROUTE } from "./current-route.ts";
import { FailedPage } from "./errors/failed-page.tsx";
import { FailedSite } from "./errors/failed-site.tsx";
import { NotFound } from "./errors/not-found.tsx";
import { EndOfServedMarkup } from "./frame/end-of-served-markup.tsx";
import { createRedirectLimit } from "./guard/route-rules.ts";
import type { Loaders } from "./loaders.ts";
import { PAGE_ROUTES, type PageRoute } from "./pages.ts";
import { Root } from "./root.tsx";

/** Returns the routes for React Router: each page in its own chunk, within the layout, redirect rules and guard of `Root`. */
export function createRoutes(loaders: Loaders, pages: readonly PageRoute[] = PAGE_ROUTES): RouteObject[] {
  const mayRedirect = createRedirectLimit();
  return [
    {
      element: <Root mayRedirect={mayRedirect} />,
      ErrorBoundary: FailedSite,
      children: [
        {
          id: "access",
          loader: loaders.access,
          shouldRevalidate: hasNewPath,
          HydrateFallback: LoadingPlaceholder,
          children: [
            ...pages.map(({ route, importPage }) => ({
              ...toRoute(route),
              lazy: async () => {
                const page = await importPage();
                const element = (
                  <>
                    <page.default />
                    <EndOfServedMarkup />
                  </>
                );
                return { element, loader: loaders.page(page, route) };
              },
            })),
            { ...toRoute(NOT_FOUND_ROUTE), element: <NotFound /> },
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
