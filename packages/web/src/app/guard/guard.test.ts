import { expect, test } from "vitest";
import { decideAccess, needsUser } from "./guard.ts";

const person = { is_admin: false };
const admin = { is_admin: true };
const show = { action: "show" };
const missing = { action: "error", status: 404, message: "Not found" };

test.each([
  ["a public page is shown to everybody", "public", null, "/models", show],
  [
    "a private page redirects visitors to the login with the path to return to",
    "private",
    null,
    "/account/usage?x=1",
    { action: "redirect", to: "/login?returnTo=%2Faccount%2Fusage%3Fx%3D1" },
  ],
  ["a private page is shown to a signed-in user", "private", person, "/account/usage", show],
  [
    "an admin page redirects visitors to the login",
    "admin",
    null,
    "/admin",
    { action: "redirect", to: "/login?returnTo=%2Fadmin" },
  ],
  ["an admin page is a 404 for users who are not admins", "admin", person, "/admin/models", missing],
  ["an admin page is shown to an admin", "admin", admin, "/admin/models", show],
  ["a path below /admin is for admins whatever the access of the route", "public", person, "/admin/x", missing],
  [
    "a path below /admin redirects visitors to the login whatever the access of the route",
    "public",
    null,
    "/admin/x",
    { action: "redirect", to: "/login?returnTo=%2Fadmin%2Fx" },
  ],
  ["a path below /admin is for admins in any letter case", "public", person, "/Admin/x", missing],
  ["a route for admins is a 404 for others at any path", "admin", person, "/%61dmin", missing],
  [
    "the redirect to the login keeps the hash",
    "private",
    null,
    "/account/usage?x=1#costs",
    { action: "redirect", to: "/login?returnTo=%2Faccount%2Fusage%3Fx%3D1%23costs" },
  ],
  ["a path of the API is not guarded", "private", null, "/api/x", show],
  ["a path of the content system is not guarded", "private", null, "/cms/x", show],
] as const)("%s", (_, access, visitor, path, decision) => {
  expect(decideAccess({ access }, visitor, path)).toEqual(decision);
});

test.each([
  ["public", "/models", false],
  ["private", "/account", true],
  ["admin", "/admin", true],
  ["public", "/admin/x", true],
  ["private", "/api/x", false],
] as const)("a %s route at %s needs the user: %s", (access, path, needs) => {
  expect(needsUser({ access }, path)).toBe(needs);
});

test("redirects a user who lacks a required second factor to the security page, except from public pages", () => {
  const visitor = { is_admin: true, second_factor_required: true };
  const elsewhere = { action: "redirect", to: "/account/change-password" };
  expect(decideAccess({ access: "admin" }, visitor, "/admin/users")).toEqual(elsewhere);
  expect(decideAccess({ access: "private" }, visitor, "/account?x=1")).toEqual(elsewhere);
  expect(decideAccess({ access: "private" }, visitor, "/account/change-password")).toEqual({ action: "show" });
  expect(decideAccess({ access: "public" }, visitor, "/models")).toEqual({ action: "show" });
});
