import { ROUTE_CASES, ROUTE_PATHS } from "@feather/testing/site-routes";
import { expect, test } from "vitest";
import type { SiteRoute } from "./manifest.ts";
import { createRouteMatcher } from "./match-route.ts";

const routes = ROUTE_PATHS.map(
  (path): SiteRoute => ({ path, title: path, access: "public", layout: "default", description: null }),
);

test.each(ROUTE_CASES)("the path %s belongs to the route %s, as in the site's router", (path, route) => {
  const match = createRouteMatcher(routes, { ignoreCase: true });
  expect(match(path)?.route.path ?? null).toBe(route);
});

test("paths in other letters belong to no route where the case counts", () => {
  const match = createRouteMatcher(routes, { ignoreCase: false });
  expect([match("/Admin/models"), match("/admin/models")?.route.path]).toEqual([null, "/admin/models"]);
});

test("parameters are decoded, and kept as they are where that fails", () => {
  const match = createRouteMatcher(routes, { ignoreCase: false });
  expect(match("/models/Qwen/a%2Fb")?.params).toEqual({ owner: "Qwen", name: "a/b" });
  expect(match("/models/Qwen/%zz")?.params).toEqual({ owner: "Qwen", name: "%zz" });
});
