import { http, refuse } from "@feather/sdk/msw";
import { buildPage } from "@feather/testing/builders";
import type { StubHandlers } from "@feather/testing/stub";
import { cleanup, screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { ToastProvider } from "#/components/ui/feedback/toast.tsx";
import { adminUser, auditEntry, deployment, HOSTILE_NAME } from "#/testing/admin.ts";
import { maria, renderPage } from "#/testing/page.tsx";
import AdminAuditPage from "./audit.tsx";
import AdminDeploymentsPage from "./deployments.tsx";
import AdminUserPage from "./user.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const server = (routes: StubHandlers): StubHandlers => [
  ...routes,
  http.auth.me({ ...maria, id: "usr_admin", is_admin: true }),
  http.admin.plans.list(buildPage([])),
  http.admin.audit(buildPage([auditEntry])),
];
const show = (routes: StubHandlers) =>
  renderPage(
    <ToastProvider>
      <AdminUserPage />
    </ToastProvider>,
    "/admin/users/:id",
    "/admin/users/usr_9",
    server(routes),
  );

test("shows a user with facts and history, and the actions for them", async () => {
  const { requests } = show([
    http.admin.users.get({ ...adminUser, id: "usr_9", name: HOSTILE_NAME }, { params: { id: "usr_9" } }),
  ]);
  expect(await screen.findByRole("heading", { level: 1, name: HOSTILE_NAME })).toBeTruthy();
  expect(await screen.findByText("api_keys.create")).toBeTruthy();
  expect(requests.find(({ path }) => path === "/admin/audit")?.query.get("actor_id")).toBe("usr_9");
  await userEvent.click(screen.getByRole("button", { name: `Actions for ${HOSTILE_NAME}` }));
  await userEvent.click(await screen.findByRole("menuitem", { name: "Suspend" }));
  expect(await screen.findByRole("dialog", { name: `Suspend ${HOSTILE_NAME}` })).toBeTruthy();
});

test("links to the list if the user does not exist", async () => {
  show([
    http.admin.users.get(refuse(404, "users.not_found", "There is no user with this id."), { params: { id: "usr_9" } }),
  ]);
  expect(await screen.findByRole("heading", { name: "There is no such user" })).toBeTruthy();
  expect(screen.getByRole("link", { name: "All users" }).getAttribute("href")).toBe("/admin/users");
});

test("retries a user that failed to load", async () => {
  let fails = true;
  show([
    http.admin.users.get(() => (fails ? refuse(500, "internal_error", "x") : { ...adminUser, id: "usr_9" }), {
      params: { id: "usr_9" },
    }),
  ]);
  expect(await screen.findByText("The user cannot be read just now.")).toBeTruthy();
  fails = false;
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByRole("heading", { level: 1, name: adminUser.name })).toBeTruthy();
});

test("the audit log names actors and targets, links to them, and copies their ids", async () => {
  renderPage(<AdminAuditPage />, "/admin/audit", "/admin/audit", server([]));
  const row = (await screen.findByText("api_keys.create")).closest("tr") as HTMLElement;
  expect(within(row).getByRole("link", { name: "Maria Winter" }).getAttribute("href")).toBe("/admin/users/usr_1");
  expect(within(row).getByText("maria@example.com")).toBeTruthy();
  expect(within(row).getByRole("link", { name: "Winter Press" })).toBeTruthy();
  expect(within(row).getByText("production").closest("[title]")?.getAttribute("title")).toBe("key_1");
  expect(within(row).getByRole("button", { name: "Copy id of Maria Winter" })).toBeTruthy();
});

test.each([
  ["the platform itself", { actor_id: null, actor: null }, "the platform"],
  ["who failed to log in", { action: "auth.login_failed", actor_id: null, actor: null }, "somebody unknown"],
  ["an account that is gone", { actor: null }, "usr_1"],
])("the audit log describes %s", async (_what, more, shown) => {
  renderPage(
    <AdminAuditPage />,
    "/admin/audit",
    "/admin/audit",
    server([http.admin.audit(buildPage([{ ...auditEntry, ...more }]))]),
  );
  expect((await screen.findAllByText(shown)).length).toBeGreaterThan(0);
});

test("deployments show their organization and creator", async () => {
  renderPage(
    <AdminDeploymentsPage />,
    "/admin/deployments",
    "/admin/deployments",
    server([http.admin.deployments.list(buildPage([deployment("dep_1", "support-bot")]))]),
  );
  expect(await screen.findByRole("link", { name: "Winter Press" })).toBeTruthy();
  expect(screen.getByRole("link", { name: "Maria Winter" }).getAttribute("href")).toBe("/admin/users/usr_1");
});
