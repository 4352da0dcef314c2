import { ROUTE_CASES } from "@feather/testing/site-routes";
import { expect, test } from "vitest";
import { findRoute } from "./find-route.ts";

test.each(ROUTE_CASES)("the path %s belongs to the route %s", (path, route) => {
  expect(findRoute(path)?.path ?? null).toBe(route);
});
