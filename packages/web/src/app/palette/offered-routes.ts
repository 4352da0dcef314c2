import type { RouteSpec } from "#/config/routes.ts";
import { hasPosts } from "#/lib/has-posts.ts";

/** Returns the routes that have something to show: while there are no posts, the blog is left out. */
export const listOfferedRoutes = (routes: readonly RouteSpec[], offersBlog = hasPosts()): readonly RouteSpec[] =>
  offersBlog ? routes : routes.filter(({ path }) => path !== "/blog");
