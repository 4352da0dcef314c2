import type { QueryClient } from "@tanstack/react-query";
import type { LoaderFunction } from "react-router-dom";
import { userQuery } from "#/entities/session/user.ts";
import { findRoute } from "./find-route.ts";
import { needsUser } from "./guard.ts";
import type { PageModule } from "./page-module.ts";
import { routeRulesQuery } from "./route-rules.ts";

/** How long a navigation waits for the data of the next page before that page is shown without it, in milliseconds. */
const PREFETCH_TIMEOUT_MS = 1_000;

/** The loaders of the routes. They fill the query cache and never throw: a page shows its own errors. */
export type Loaders = {
  /** Loads the user and the redirect rules, in parallel with the chunk of the page. */
  access: LoaderFunction;
  /** Returns the loader of a page. */
  page(module: PageModule): LoaderFunction;
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
      (module) =>
      async ({ request }) => {
        const { pathname, search } = new URL(request.url);
        await Promise.all([preparePage(module, client, pathname), prefetchPage(module, client, { pathname, search })]);
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
  client: QueryClient,
  location: { pathname: string; search: string },
): Promise<void> {
  if (!module.prefetch) return;
  const timeout = new Promise((resolve) => setTimeout(resolve, PREFETCH_TIMEOUT_MS));
  await Promise.race([module.prefetch(client, location).catch(() => undefined), timeout]);
}
