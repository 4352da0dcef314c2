import type { SiteRoute } from "./manifest.ts";

/** A route that matched a path, with its decoded parameters. */
export type RouteMatch = { route: SiteRoute; params: Readonly<Record<string, string>> };

/**
 * Returns a function that finds the route of a path like the site's router: `:name` matches one segment, a trailing `*`
 * the rest; static segments take precedence.
 */
export function routeMatcher(
  routes: readonly SiteRoute[],
  { ignoreCase }: { ignoreCase: boolean },
): (path: string) => RouteMatch | null {
  const patterns = routes
    .map((route) => ({ route, pattern: patternOf(route.path, ignoreCase ? "i" : "") }))
    .sort((a, b) => vagueness(a.route.path) - vagueness(b.route.path));
  return (path) => {
    for (const { route, pattern } of patterns) {
      const found = pattern.exec(path);
      if (found) return { route, params: decoded(found.groups ?? {}) };
    }
    return null;
  };
}

function patternOf(path: string, flags: string): RegExp {
  const segments = path.split("/").map((segment) => {
    if (segment === "*") return "(?<rest>.+)";
    if (segment.startsWith(":")) return `(?<${segment.slice(1)}>[^/]+)`;
    return segment.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  });
  return new RegExp(`^${segments.join("/")}/?$`, flags);
}

function vagueness(path: string): number {
  return (path.match(/:/g)?.length ?? 0) + (path.endsWith("*") ? 100 : 0);
}

function decoded(params: Readonly<Record<string, string>>): Record<string, string> {
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
