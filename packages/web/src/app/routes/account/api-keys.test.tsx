import { buildUser } from "@feather/testing/builders";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { maria, renderPage, type StubRoutes } from "#/testing/page.tsx";
import ApiKeysPage from "./api-keys.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const key = {
  id: "key_1",
  name: "laptop",
  prefix: "rc_7Kd2",
  last4: "x4Qa",
  scopes: ["api.access"],
  disabled: false,
  created_by: "usr_2",
  created_by_name: "Jonas Sommer",
  created_by_application: null,
  last_used_at: null,
  expires_at: null,
  previous_secret_expires_at: null,
};
const plan = (api_keys_max: number) => ({ current_subscription: { plan: { api_keys_max } } });
const show = (user: object, routes: StubRoutes = {}, address = "/account/api-keys") =>
  renderPage(<ApiKeysPage />, "/account/api-keys", address, {
    "GET /auth/me": () => ({ body: user }),
    "GET /api-keys": () => ({ body: { items: [key], pagination: { total_items: 1 } } }),
    ...routes,
  });
const withOrganization = (over: object) => ({ ...maria, organization: { ...maria.organization, ...over } });

test("shows the owner of a key", async () => {
  show(maria);
  expect(await screen.findByText("Jonas Sommer")).toBeTruthy();
});

test.each([
  ["a viewer", buildUser({ role: "viewer" }), /You are a viewer of Winter & Sons/],
  ["an admin who acts as them", { ...maria, impersonated_by: "usr_9" }, /acting as somebody else/],
])("%s sees no actions that they may not use, and the reason", async (_who, user, reason) => {
  show(user);
  const button = await screen.findByRole("button", { name: "New key", description: reason });
  expect(button).toHaveProperty("disabled", true);
  expect(screen.getByRole("button", { name: "Actions for laptop" })).toHaveProperty("disabled", true);
});

test("offers no new key when the plan's limit is reached, but the existing ones can be changed", async () => {
  show(withOrganization(plan(1)));
  const button = await screen.findByRole("button", { name: "New key", description: /allows 1 key, and you have it/ });
  expect(button).toHaveProperty("disabled", true);
  expect(screen.getByRole("button", { name: "Actions for laptop" })).toHaveProperty("disabled", false);
});

test("replaces the secret of a key and shows the new one once", async () => {
  const { requests } = show(maria, {
    "POST /api-keys/key_1/rotate": () => ({ body: { ...key, secret: "rc_new_secret" } }),
  });
  await userEvent.click(await screen.findByRole("button", { name: "Actions for laptop" }));
  await userEvent.click(await screen.findByRole("menuitem", { name: "Replace the secret" }));
  const question = within(await screen.findByRole("alertdialog"));
  await userEvent.click(question.getByRole("button", { name: "Replace it" }));
  expect(await screen.findByText("rc_new_secret")).toBeTruthy();
  await userEvent.keyboard("{Escape}");
  expect(screen.getByText("rc_new_secret")).toBeTruthy();
  await waitFor(() => expect(requests.filter(({ path }) => path.endsWith("/rotate"))).toHaveLength(1));
});

test("opens the form for a new key once if the URL asks for it", async () => {
  const { router } = show(maria, {}, "/account/api-keys?new");
  expect(await screen.findByRole("dialog", { name: "New key" })).toBeTruthy();
  await waitFor(() => expect(router.state.location.search).toBe(""));
});
