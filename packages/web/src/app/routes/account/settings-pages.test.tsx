import { http, refuse } from "@feather/sdk/msw";
import type { StubHandlers } from "@feather/testing/stub";
import { cleanup, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import type { ReactNode } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { ToastProvider } from "#/components/ui/feedback/toast.tsx";
import { bodyOf, maria, renderPage } from "#/testing/page.tsx";
import ChangePasswordPage from "./change-password.tsx";
import ProfilePage from "./profile.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const user = { ...maria, has_password: true, totp_enabled: false, providers: [], pending_email: null };
const show = (page: ReactNode, routes: StubHandlers = []) =>
  renderPage(<ToastProvider>{page}</ToastProvider>, "/x", "/x", [
    ...routes,
    http.auth.me(user),
    http.auth.providers({ items: [] }),
    http.account.authorizations.list({ items: [] }),
    http.auth.sessions.list({ items: [] }),
  ]);
const button = (name: string) => screen.getByRole<HTMLButtonElement>("button", { name });
const field = (label: string) =>
  screen.getAllByLabelText<HTMLInputElement>(label, { selector: "input" })[0] as HTMLInputElement;

test("the profile page saves a changed profile, and then disables the button", async () => {
  const { requests } = show(<ProfilePage />, [
    http.account.update(async ({ request }) => ({ ...user, ...(await bodyOf(request)) })),
  ]);
  await screen.findByRole("heading", { name: "Profile" });
  expect(button("Save").disabled).toBe(true);
  await userEvent.type(field("Name"), "e");
  expect(button("Save").disabled).toBe(false);
  await userEvent.click(button("Save"));
  await waitFor(() => expect(button("Save").disabled).toBe(true));
  expect(requests.find(({ method }) => method === "PUT")?.body).toEqual({ name: "Maria Wintere", username: "maria" });
  expect(field("Name").value).toBe("Maria Wintere");
});

test("the profile page shows the error of the server at its field, and keeps the input", async () => {
  const message = "This username is taken.";
  const taken = refuse(409, "auth.username_taken", message, { fields: [{ field: "username", message }] });
  show(<ProfilePage />, [http.account.update(taken)]);
  await screen.findByRole("heading", { name: "Profile" });
  await userEvent.type(field("Username"), "2");
  await userEvent.click(button("Save"));
  expect(await screen.findByText("This username is taken.")).toBeTruthy();
  expect(field("Username").getAttribute("aria-invalid")).toBe("true");
  expect(field("Username").value).toBe("maria2");
  expect(button("Save").disabled).toBe(false);
});

test("the form for a new password is empty after a change", async () => {
  const { requests } = show(<ChangePasswordPage />, [http.auth.changePassword()]);
  await screen.findByText(/this one stays/);
  expect(button("Change it").disabled).toBe(true);
  await userEvent.type(field("Present password"), "feathers-are-light");
  await userEvent.type(field("New password"), "feathers-are-lighter");
  await userEvent.click(button("Change it"));
  await waitFor(() => expect(field("New password").value).toBe(""));
  expect(field("Present password").value).toBe("");
  expect(requests.filter(({ path }) => path === "/auth/password")).toHaveLength(1);
});

test.each([
  ["Connect", [], "POST /auth/company/connect", http.auth.link],
  ["Disconnect", ["company"], "DELETE /auth/company", http.auth.disconnect],
] as const)("%s asks for the password, and shows the error of the server at the field", async (...row) => {
  const [verb, providers, call, create] = row;
  const message = "This is not your present password.";
  const wrong = refuse(400, "auth.wrong_password", message, { fields: [{ field: "password", message }] });
  const { requests } = show(<ProfilePage />, [
    create(wrong, { params: { provider: "company" } }),
    http.auth.me({ ...user, providers: [...providers] }),
    http.auth.providers({ items: [{ id: "company", name: "Company" }] }),
  ]);
  await userEvent.click(await screen.findByRole("button", { name: `${verb} Company` }));
  await userEvent.type(await screen.findByLabelText("Your password"), "a guess");
  await userEvent.click(button(verb === "Connect" ? "Go on" : "Disconnect"));
  expect(await screen.findByText("This is not your present password.")).toBeTruthy();
  expect(requests.find(({ method, path }) => `${method} ${path}` === call)?.body).toMatchObject({
    password: "a guess",
  });
});

test.each([
  [
    "password, second factor and sessions",
    <ChangePasswordPage key="p" />,
    "Change password",
    /second factor and sessions are theirs alone/,
  ],
  ["connected accounts and data", <ProfilePage key="p" />, "Profile", /the end of the account are theirs alone/],
])("tells an impersonating admin why %s are closed", async (_what, page, title, why) => {
  const { requests } = show(page, [http.auth.me({ ...user, impersonated_by: "usr_9" })]);
  await screen.findByRole("heading", { level: 1, name: title });
  expect((await screen.findByRole("note")).textContent).toMatch(why);
  expect(screen.queryByRole("button", { name: /Change it|Delete the account/ })).toBeNull();
  expect(requests.map(({ path }) => path)).not.toContain("/auth/sessions");
});

test("shows what an account deletion removes and forfeits before it happens", async () => {
  const organization = {
    id: "org_1",
    name: "Maria's team",
    currency: "USD",
    credits_nano_usd: "30000000000",
    balance_cents: 250,
    commission_nano_usd: "0",
    paid_plan: {
      plan_id: "feather_pro_plus",
      plan_name: "Premium",
      quantity: 1,
      period_end_date: "2026-12-19T14:01:02Z",
      unused_cents: 1250,
    },
    deployments: 1,
    private_models: 0,
    api_keys: 2,
  };
  const left = [{ id: "org_2", name: "Winter and Sons" }];
  const { requests } = show(<ProfilePage />, [
    http.account.previewDeletion({ organizations_deleted: [organization], organizations_left: left }),
    http.account.delete(),
  ]);
  await userEvent.click(await screen.findByRole("button", { name: "Delete the account" }));
  const dialog = await screen.findByRole("dialog");
  await screen.findByText("This is forfeited and not given back:");
  expect(dialog.textContent).toContain(
    "The organization Maria's team is deleted, with 2 keys, 1 deployment, and 0 private models.",
  );
  expect([...dialog.querySelectorAll("li")].map(({ textContent }) => textContent)).toEqual([
    "$30.00 of credits",
    "The plan Premium, paid until 19 December 2026: $12.50 of it are for time that you have not used",
    "$2.50 that are kept for your next invoices",
  ]);
  expect(dialog.textContent).toContain("You leave Winter and Sons, which goes on without you.");
  expect(requests.filter(({ method }) => method === "DELETE")).toEqual([]);
});
