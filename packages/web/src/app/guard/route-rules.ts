import type { RouteRule } from "@feather/sdk";
import { queryOptions } from "@tanstack/react-query";
import { feather } from "#/lib/feather.ts";
import { checkNavigation } from "#/lib/navigation/navigation.ts";
import { queries } from "#/lib/queries.ts";

type Rule = Pick<RouteRule, "redirect_to" | "external">;

/** The redirect that the rules of a page demand. */
export type ForcedRedirect = { to: string; external: boolean };

/**
 * Returns the redirect of the first rule; null if there is none, or if it is unsafe or external without being marked
 * so.
 */
export function toForcedRedirect(
  rules: readonly Rule[],
  warn: (...args: unknown[]) => void,
  origin: string = globalThis.location.origin,
): ForcedRedirect | null {
  const [rule] = rules;
  if (!rule) return null;
  const external = rule.external === true;
  try {
    return { to: checkNavigation(rule.redirect_to, { external, origin }), external };
  } catch (error) {
    warn(error);
    return null;
  }
}

const RULES_TIMEOUT_MS = 3000;

/**
 * Query for the redirect rules of a path for the current user. It is fetched again for each visit of a page; null if the
 * rules cannot be loaded within the time limit, so that the page is shown anyway.
 */
export const routeRulesQuery = (path: string, userId: string | null) =>
  queryOptions({
    queryKey: [...queries.system.routeRules.key({ path }), userId],
    queryFn: async ({ signal }): Promise<ForcedRedirect | null> => {
      try {
        const { rules } = await feather.system.routeRules(
          { path },
          { signal, timeout: RULES_TIMEOUT_MS, maxRetries: 0 },
        );
        return toForcedRedirect(rules, console.warn);
      } catch (error) {
        if (signal.aborted) throw error;
        console.warn("The rules of this page could not be read.", error);
        return null;
      }
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 10_000,
  });

/** How many redirects by rules are allowed within the time window. */
export const MAX_REDIRECTS = 5;
const REDIRECT_WINDOW_MS = 3000;

/** Returns a function that counts a redirect and returns whether it is still allowed; it stops redirect loops. */
export function createRedirectLimit(now: () => number = Date.now) {
  let times: number[] = [];
  return (): boolean => {
    const time = now();
    times = [...times.filter((at) => time - at < REDIRECT_WINDOW_MS), time];
    return times.length <= MAX_REDIRECTS;
  };
}
