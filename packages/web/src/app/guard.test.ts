import { expect, test } from "vitest";
import { decide, needsUser } from "./guard.ts";

const person = { is_admin: false };
const admin = { is_admin: true };
const show = { action: "show" };
const missing = { action: "error", status: 404, message: "Not found" };

test.each([
  ["a public page is for everybody", "public", null, "/models", show],
  [
    "a private page sends visitors to the login with where they wanted to go",
    "private",
    null,
    "/account/usage?x=1",
    { action: "redirect", to: "/login?returnTo=%2Faccount%2Fusage%3Fx%3D1" },
  ],
  ["a private page is shown to a signed-in user", "private", person, "/account/usage", show],
  [
    "an admin page sends visitors to the login",
    "admin",
    null,
    "/admin",
    { action: "redirect", to: "/login?returnTo=%2Fadmin" },
  ],
  ["an admin page does not exist for others", "admin", person, "/admin/models", missing],
  ["an admin page is shown to an admin", "admin", admin, "/admin/models", show],
  ["paths below /admin are private whatever the route says", "public", person, "/admin/x", missing],
  [
    "and to visitors they are the login",
    "public",
    null,
    "/admin/x",
    { action: "redirect", to: "/login?returnTo=%2Fadmin%2Fx" },
  ],
  ["however they are written", "public", person, "/Admin/x", missing],
  ["an admin's page of another path is an admin's too", "admin", person, "/%61dmin", missing],
  [
    "the place on the page is kept",
    "private",
    null,
    "/account/usage?x=1#costs",
    { action: "redirect", to: "/login?returnTo=%2Faccount%2Fusage%3Fx%3D1%23costs" },
  ],
  ["paths of the API are not guarded", "private", null, "/api/x", show],
  ["paths of the content system are not guarded", "private", null, "/cms/x", show],
] as const)("%s", (_, access, visitor, path, decision) => {
  expect(decide({ access }, visitor, path)).toEqual(decision);
});

test.each([
  ["public", "/models", false],
  ["private", "/account", true],
  ["admin", "/admin", true],
  ["public", "/admin/x", true],
  ["private", "/api/x", false],
] as const)("a %s route at %s has to know the user: %s", (access, path, needs) => {
  expect(needsUser({ access }, path)).toBe(needs);
});

test("who lacks a second factor that is asked for is sent to set one up, and sees public pages", () => {
  const visitor = { is_admin: true, second_factor_required: true };
  const elsewhere = { action: "redirect", to: "/account/change-password" };
  expect(decide({ access: "admin" }, visitor, "/admin/users")).toEqual(elsewhere);
  expect(decide({ access: "private" }, visitor, "/account?x=1")).toEqual(elsewhere);
  expect(decide({ access: "private" }, visitor, "/account/change-password")).toEqual({ action: "show" });
  expect(decide({ access: "public" }, visitor, "/models")).toEqual({ action: "show" });
});
