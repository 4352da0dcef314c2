import { t } from "@lingui/core/macro";
import { paths } from "#/config/paths.ts";
import type { RouteSpec } from "#/config/routes.ts";

/** What the guard needs to know of the visitor; null when no user can be loaded. */
export type Visitor = { is_admin: boolean; second_factor_required?: boolean } | null;

export type Decision =
  | { action: "show" }
  | { action: "redirect"; to: string }
  | { action: "error"; status: 404; message: string };

const SHOW: Decision = { action: "show" };
const UNGUARDED = /^\/(api|cms)/i;
const ADMIN = /^\/admin/i;

/** Whether the guard has to know who the visitor is before it can decide. */
export function needsUser(route: Pick<RouteSpec, "access">, path: string): boolean {
  return !UNGUARDED.test(path) && (route.access !== "public" || ADMIN.test(path));
}

/** Whether a route is shown, sent to the login, or does not exist for this visitor. */
export function decide(route: Pick<RouteSpec, "access">, visitor: Visitor, fullPath: string): Decision {
  const [path = "/"] = fullPath.split(/[?#]/);
  if (!needsUser(route, path)) return SHOW;
  if (visitor === null) return { action: "redirect", to: paths.login(fullPath) };
  if (visitor.second_factor_required && path !== paths.security) return { action: "redirect", to: paths.security };
  const isAdmins = route.access === "admin" || ADMIN.test(path);
  if (isAdmins && !visitor.is_admin) return { action: "error", status: 404, message: t`Not found` };
  return SHOW;
}
