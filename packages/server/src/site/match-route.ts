import type { SiteRoute } from "./manifest.ts";

/** A route that matched a path, with its decoded parameters. */
export type RouteMatch = { route: SiteRoute; params: Readonly<Record<string, string>> };

/**
 * Returns a function that finds the route of a path like the site's router: `:name` matches one segment, a trailing `*`
 * the rest; static segments take precedence.
 */
export function createRouteMatcher(
  routes: readonly SiteRoute[],
  { ignoreCase }: { ignoreCase: boolean },
): (path: string) => RouteMatch | null {
  const patterns = routes
    .map((route) => ({ route, pattern: toPattern(route.path, ignoreCase ? "i" : "") }))
    .sort((a, b) => countWildcards(a.route.path) - countWildcards(b.route.path));
  return (path) => {
    for (const { route, pattern } of patterns) {
      const matched = pattern.exec(path);
      if (matched) return { route, params: decodeParams(matched.groups ?? {}) };
    }
    return null;
  };
}

function toPattern(path: string, flags: string): RegExp {
  const segments = path.split("/").map((segment) => {
    if (segment === "*") return "(?<rest>.+)";
    if (segment.startsWith(":")) return `(?<${segment.slice(1)}>[^/]+)`;
    return segment.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  });
  return new RegExp(`^${segments.join("/")}/?$`, flags);
}

function countWildcards(path: string): number {
  return (path.match(/:/g)?.length ?? 0) + (path.endsWith("*") ? 100 : 0);
}

function decodeParams(params: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => {
      try {
        return [name, decodeURIComponent(value)];
      } catch {
        return [name, value];
      }
    }),
  );
}
