import type { RouteSpec } from "#/config/routes.ts";
import { HAS_POSTS } from "#/lib/has-posts.ts";

/** Returns the routes that have something to show: while there are no posts, the blog is left out. */
export const listOfferedRoutes = (routes: readonly RouteSpec[], hasPosts = HAS_POSTS): readonly RouteSpec[] =>
  hasPosts ? routes : routes.filter(({ path }) => path !== "/blog");
