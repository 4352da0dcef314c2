import type { OrganizationRoleList } from "@feather/sdk";
import { http, refuse } from "@feather/sdk/msw";
import { buildPage, buildUser } from "@feather/testing/builders";
import type { StubHandlers } from "@feather/testing/stub";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { auditEntry, HOSTILE_NAME } from "#/testing/admin.ts";
import { maria, renderPage } from "#/testing/page.tsx";
import { chooseOption } from "#/testing/select.ts";
import OrganizationLogPage from "./organization-log.tsx";
import OrganizationRolesPage from "./organization-roles.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const AT = "/account/organization/log";
const viewer = buildUser({ role: "viewer" });
const ROLES: OrganizationRoleList = {
  items: [
    { role: "viewer", permissions: [] },
    { role: "admin", permissions: ["call_models", "manage_billing"] },
  ],
};
const server = (routes: StubHandlers, user: typeof maria = maria): StubHandlers => [
  ...routes,
  http.auth.me(user),
  http.organization.members.list({
    items: [
      {
        user_id: "usr_2",
        name: "Ines",
        email: "ines@example.com",
        role: "viewer",
        joined_at: "2026-11-19T14:01:02Z",
      },
    ],
  }),
  http.organization.audit(buildPage([auditEntry])),
  http.organization.roles(ROLES),
];

test("an admin reads the audit log as sentences", async () => {
  renderPage(<OrganizationLogPage />, AT, AT, server([]));
  const row = (await screen.findByText("api_keys.create")).closest("tr") as HTMLElement;
  expect(row.textContent).toContain("Maria Winter made the key production");
});

test.each([
  [
    "an admin of the platform",
    { actor: null, subject: { id: "usr_1", name: "Maria", email: "m@example.com" } },
    "An admin of the platform, as",
  ],
  ["somebody who is gone", { actor: null }, "Somebody who is gone"],
  ["the platform", { actor: null, actor_id: null }, "The platform"],
  ["hostile names", { target_name: HOSTILE_NAME }, HOSTILE_NAME],
  ["models by their ids", { action: "models.request", target: "Qwen/Qwen3-8B", target_name: null }, "Qwen/Qwen3-8B"],
  [
    "a refused call in words",
    { action: "access.denied", details: { operation: "plans.create", reason: "not_an_admin" } },
    "plans.create: only for admins of the platform",
  ],
  [
    "refusals that were repeated",
    { action: "access.denied", details: { operation: "auth.me", reason: "key_expired", repeated: 7 } },
    "auth.me: the key has expired (7 times more)",
  ],
  ["an act without words", { action: "things.turn_around" }, "things.turn_around"],
])("the audit log describes %s", async (_what, more, shown) => {
  renderPage(
    <OrganizationLogPage />,
    AT,
    AT,
    server([http.organization.audit(buildPage([{ ...auditEntry, ...more }]))]),
  );
  expect((await screen.findAllByText(shown, { exact: false })).length).toBeGreaterThan(0);
});

test("the audit log is filtered by kind and member, with the filter in the URL", async () => {
  const { requests, router } = renderPage(<OrganizationLogPage />, AT, AT, server([]));
  await screen.findByText("api_keys.create");
  await chooseOption(screen.getByLabelText("Kind"), "Keys");
  await chooseOption(screen.getByLabelText("Member"), "Ines (ines@example.com)");
  await waitFor(() => {
    const last = requests.filter(({ path }) => path === "/organization/audit").at(-1);
    expect([last?.query.get("action"), last?.query.get("actor_id")]).toEqual(["api_keys", "usr_2"]);
  });
  expect(router.state.location.search).toContain("action=api_keys");
});

test("a member who is not an admin sees whom to ask, and nothing is requested", async () => {
  const { requests } = renderPage(<OrganizationLogPage />, AT, AT, server([], viewer));
  expect(await screen.findByRole("heading", { name: /Admins of the organization read/ })).toBeTruthy();
  expect(requests.some(({ path }) => path === "/organization/audit")).toBe(false);
});

test("shows the roles as the server returns them", async () => {
  renderPage(<OrganizationRolesPage />, AT, AT, server([]));
  const row = (await screen.findByText("Look after plan and payments")).closest("tr") as HTMLElement;
  expect(
    within(row)
      .getAllByRole("cell")
      .map(({ textContent }) => textContent),
  ).toEqual(["no", "yes"]);
});

test("retries roles that failed to load", async () => {
  renderPage(<OrganizationRolesPage />, AT, AT, server([http.organization.roles(refuse(500, "internal_error", "x"))]));
  expect(await screen.findByRole("button", { name: "Try again" })).toBeTruthy();
});
