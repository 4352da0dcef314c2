import { HAS_POSTS } from "#/lib/has-posts.ts";
import type { RouteSpec } from "./routes.ts";

/** Returns the routes that have something to show: while there are no posts, the blog is left out. */
export const listOfferedRoutes = (routes: readonly RouteSpec[], hasPosts = HAS_POSTS): readonly RouteSpec[] =>
  hasPosts ? routes : routes.filter(({ path }) => path !== "/blog");
