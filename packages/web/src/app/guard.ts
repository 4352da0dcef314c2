import { paths } from "#/config/paths.ts";
import type { RouteSpec } from "#/config/routes.ts";

/** What the guard needs to know of the visitor; null when no user can be loaded. */
export type Visitor = { is_admin: boolean } | null;

export type Decision =
  | { action: "show" }
  | { action: "redirect"; to: string }
  | { action: "error"; status: 404; message: "Not found" };

/** Whether a route is shown, sent to the login, or does not exist for this visitor. */
export function decide(route: Pick<RouteSpec, "access">, visitor: Visitor, fullPath: string): Decision {
  const [path = "/"] = fullPath.split(/[?#]/);
  if (path.startsWith("/api") || path.startsWith("/cms")) return { action: "show" };
  const admin = path === "/admin" || path.startsWith("/admin/") || route.access === "admin";
  if (route.access === "public" && !admin) return { action: "show" };
  if (visitor === null) return { action: "redirect", to: paths.login(fullPath) };
  if (admin && !visitor.is_admin) return { action: "error", status: 404, message: "Not found" };
  return { action: "show" };
}
