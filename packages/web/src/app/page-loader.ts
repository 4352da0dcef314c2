import type { QueryClient } from "@tanstack/react-query";
import type { RouteSpec } from "#/config/routes.ts";
import { userQuery } from "#/features/auth/user.ts";
import { needsUser } from "./guard.ts";
import type { LazyPage } from "./lazy-page.tsx";
import { routeRulesQuery } from "./route-rules.ts";

type RouteMatch = { route: Pick<RouteSpec, "access">; page: LazyPage | undefined };

/**
 * Returns a function that loads in parallel what a page needs before it is shown: its chunk, the user and the redirect
 * rules. The first page of a visit, if public, loads its chunk only.
 */
export function createPageLoader(client: QueryClient, find: (path: string) => RouteMatch) {
  let isFirstPage = true;

  async function fetchRules(path: string): Promise<void> {
    const user = await client.ensureQueryData(userQuery).catch(() => null);
    await client.prefetchQuery({ ...routeRulesQuery(path, user?.id ?? null), staleTime: 0 });
  }

  return async (path: string): Promise<void> => {
    const { route, page } = find(path);
    const needsRules = !isFirstPage || needsUser(route, path);
    isFirstPage = false;
    await Promise.all([page?.prepare(client, path), needsRules ? fetchRules(path) : undefined]);
  };
}
