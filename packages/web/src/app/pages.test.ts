import { expect, test } from "vitest";
import { ROUTES } from "#/config/routes.ts";
import { PUBLIC_PAGES } from "./pages.ts";
import { PRIVATE_PAGES } from "./private-pages.ts";

test("every route has a page, and public routes are in the public table", () => {
  const paths = (isPublic: boolean) =>
    ROUTES.filter(({ access }) => (access === "public") === isPublic)
      .map(({ path }) => path)
      .sort();
  expect(Object.keys(PUBLIC_PAGES).sort()).toEqual(paths(true));
  expect(Object.keys(PRIVATE_PAGES).sort()).toEqual(paths(false));
});
