import type { Schemas } from "@feather/sdk";
import { queryOptions } from "@tanstack/react-query";
import { feather } from "#/lib/feather.ts";
import { checkNavigation } from "#/lib/navigation.ts";

type Rule = Pick<Schemas["RouteRule"], "redirect_to" | "external">;

/** Where a page's rules send the visitor; null when the page is to be shown. */
export type Forced = { to: string; external: boolean };

/** The first of the rules counts. One that leads to another site without saying so, or would run code, is refused. */
export function forcedBy(
  rules: readonly Rule[],
  warn: (...words: unknown[]) => void,
  origin: string = globalThis.location.origin,
): Forced | null {
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

const PATIENCE = 3000;

/**
 * What the server's rules say of a path for whoever is signed in just now. Asked anew for each visit of a page; a server
 * that does not answer keeps no page from being shown.
 */
export const routeRulesQuery = (path: string, who: string | null) =>
  queryOptions({
    queryKey: ["route-rules", path, who],
    queryFn: async ({ signal }): Promise<Forced | null> => {
      try {
        const { rules } = await feather.system.routeRules({ path }, { signal, timeout: PATIENCE, maxRetries: 0 });
        return forcedBy(rules, console.warn);
      } catch (error) {
        if (signal.aborted) throw error;
        console.warn("The rules of this page could not be read.", error);
        return null;
      }
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 10_000,
  });

export const MOST_REDIRECTS = 5;
const WITHIN = 3000;

/** Rules that send a visitor round in circles are broken off: so many in so short a time are no answer. */
export function createRedirectLimit(now: () => number = Date.now) {
  let times: number[] = [];
  return (): boolean => {
    const time = now();
    times = [...times.filter((at) => time - at < WITHIN), time];
    return times.length <= MOST_REDIRECTS;
  };
}
