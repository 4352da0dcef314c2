import { t } from "@lingui/core/macro";
import { paths } from "#/config/paths.ts";
import { ACCESS_BY_PREFIX, type Access, type RouteSpec } from "#/config/routes.ts";

/** What the guard needs to know about the user; null if signed out or not loadable. */
export type Visitor = { is_admin: boolean; second_factor_required?: boolean } | null;

/** What the guard decides about a route. */
export type Decision =
  | { action: "show" }
  | { action: "redirect"; to: string }
  | { action: "error"; status: 404; message: string };

const SHOW: Decision = { action: "show" };

/** Returns who may open a path: what its prefix says, otherwise its route. */
function accessOf(path: string, route: Pick<RouteSpec, "access">): Access {
  const lowerCasePath = path.toLowerCase();
  return ACCESS_BY_PREFIX.find(({ prefix }) => lowerCasePath.startsWith(prefix))?.access ?? route.access;
}

/** Returns whether the guard needs the user to decide about a route. */
export function needsUser(route: Pick<RouteSpec, "access">, path: string): boolean {
  return accessOf(path, route) !== "public";
}

/** Returns whether a route is shown, redirects (to the login or the security page), or is a 404 for this visitor. */
export function decideAccess(route: Pick<RouteSpec, "access">, visitor: Visitor, fullPath: string): Decision {
  const [path = "/"] = fullPath.split(/[?#]/);
  if (!needsUser(route, path)) return SHOW;
  if (visitor === null) return { action: "redirect", to: paths.login(fullPath) };
  if (visitor.second_factor_required && path !== paths.security) return { action: "redirect", to: paths.security };
  if (accessOf(path, route) === "admin" && !visitor.is_admin)
    return { action: "error", status: 404, message: t`Not found` };
  return SHOW;
}
