import { t } from "@lingui/core/macro";
import { useMatches } from "react-router-dom";
import type { RouteSpec } from "#/config/routes.ts";

/** The route of all unknown paths. */
export const NOT_FOUND_ROUTE: RouteSpec = { path: "*", title: t`Page not found`, access: "public", layout: "default" };

/** Returns the route of the current page, also while its chunk is loading. */
export function useCurrentRoute(): RouteSpec {
  // Only the routes of pages have a handle, which `createRoutes` sets.
  const handle = useMatches().at(-1)?.handle as RouteSpec | undefined;
  return handle ?? NOT_FOUND_ROUTE;
}
