import type { QueryClient } from "@tanstack/react-query";
import type { RouteSpec } from "#/config/routes.ts";
import { userQuery } from "#/features/auth/user.ts";
import { needsUser } from "./guard.ts";
import type { Page } from "./load.tsx";
import { routeRulesQuery } from "./route-rules.ts";

type Found = { route: Pick<RouteSpec, "access">; page: Page | undefined };

/**
 * Returns a function that loads in parallel what a page needs before it is shown: its chunk, the user and the redirect
 * rules. The first page of a visit, if public, loads its chunk only.
 */
export function createPageLoader(client: QueryClient, find: (path: string) => Found) {
  let begins = true;

  async function fetchRules(path: string): Promise<void> {
    const user = await client.ensureQueryData(userQuery).catch(() => null);
    await client.prefetchQuery({ ...routeRulesQuery(path, user?.id ?? null), staleTime: 0 });
  }

  return async (path: string): Promise<void> => {
    const { route, page } = find(path);
    const waits = !begins || needsUser(route, path);
    begins = false;
    await Promise.all([page?.prepare(client, path), waits ? fetchRules(path) : undefined]);
  };
}
