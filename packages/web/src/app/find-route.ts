import { matchRoutes } from "react-router-dom";
import { ROUTES, type RouteSpec } from "#/config/routes.ts";

const MATCHERS = ROUTES.map((handle) => ({ path: handle.path, handle }));

/** Returns the route of the specification for a path; undefined for an unknown path. */
export const findRoute = (path: string): RouteSpec | undefined => matchRoutes(MATCHERS, path)?.[0]?.route.handle;
