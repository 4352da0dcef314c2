import type { RouteSpec } from "#/config/routes.ts";
/** What the guard needs to know of the visitor; null when no user can be loaded. */
export type Visitor = {
    is_admin: boolean;
} | null;
export type Decision = {
    action: "show";
} | {
    action: "redirect";
    to: string;
} | {
    action: "error";
    status: 404;
    message: "Not found";
};
/** Whether a route is shown, sent to the login, or does not exist for this visitor. */
export declare function decide(route: Pick<RouteSpec, "access">, visitor: Visitor, fullPath: string): Decision;
