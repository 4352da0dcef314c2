import type { AdminUser, Application } from "@feather/sdk";
import { http, refuse, type Sent } from "@feather/sdk/msw";
import { buildPage } from "@feather/testing/builders";
import type { StubHandlers } from "@feather/testing/stub";
import { cleanup, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, describe, expect, test, vi } from "vitest";
import { ToastProvider } from "#/components/ui/feedback/toast.tsx";
import { adminHandlers, adminUser, application, HOSTILE_NAME, platformAdmin } from "#/testing/admin.ts";
import { buildBalance, lite, premium } from "#/testing/billing.ts";
import { bodyOf, renderPage, SITE_CONFIG } from "#/testing/page.tsx";
import { chooseOption } from "#/testing/select.ts";
import AdminApplicationsPage from "./applications.tsx";
import AdminUsersPage from "./users.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const showUsers = (user: Sent<AdminUser>, routes: StubHandlers = []) =>
  renderPage(
    <ToastProvider>
      <AdminUsersPage />
    </ToastProvider>,
    "/admin/users",
    "/admin/users",
    [
      ...routes,
      http.admin.users.list(buildPage([user])),
      http.admin.plans.list(buildPage([lite, premium])),
      http.admin.users.update(user, { params: { id: "usr_1" } }),
      ...adminHandlers,
    ],
  );
const choose = async (name: string, action: string) => {
  await userEvent.click(await screen.findByRole("button", { name: `Actions for ${name}` }));
  await userEvent.click(await screen.findByRole("menuitem", { name: action }));
};
const press = async (name: string) => userEvent.click(await screen.findByRole("button", { name }));
const sentRequests = (requests: ReturnType<typeof showUsers>["requests"], method = "PUT") =>
  requests.filter((one) => one.method === method && one.path.startsWith("/admin/users/"));

describe("suspending a user", () => {
  test("suspending a user asks for a reason, shows every failing rule, and sends the reason", async () => {
    const { requests } = showUsers(adminUser);
    await choose("Maria Winter", "Suspend");
    await press("Suspend maria");
    expect(await screen.findByText("Reason needs at least 3 characters.")).toBeTruthy();
    expect(sentRequests(requests)).toEqual([]);
    await userEvent.type(screen.getByLabelText("Reason"), "  Sends spam  ");
    await press("Suspend maria");
    await waitFor(() => expect(sentRequests(requests)[0]?.body).toEqual({ suspended: true, reason: "Sends spam" }));
    expect(await screen.findByText("Maria Winter is suspended")).toBeTruthy();
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  test("suspending a user keeps the input if it is refused", async () => {
    const message = "You cannot suspend your own account.";
    showUsers(adminUser, [
      http.admin.users.update(refuse(409, "users.yourself", message), { params: { id: "usr_1" } }),
    ]);
    await choose("Maria Winter", "Suspend");
    await userEvent.type(await screen.findByLabelText("Reason"), "Sends spam");
    await press("Suspend maria");
    expect((await screen.findByText(message)).getAttribute("role")).toBe("alert");
    expect(screen.getByLabelText("Reason")).toHaveProperty("value", "Sends spam");
  });

  test("suspending a user is reverted by reactivating the user", async () => {
    const { requests } = showUsers({
      ...adminUser,
      suspended_at: "2026-11-19T14:01:02Z",
      suspension_reason: HOSTILE_NAME,
    });
    expect(await screen.findByText(HOSTILE_NAME)).toBeTruthy();
    await choose("Maria Winter", "Let in again");
    await waitFor(() => expect(sentRequests(requests)[0]?.body).toEqual({ suspended: false }));
  });
});

test("makes a user an admin only with the admin's own password", async () => {
  const { requests } = showUsers(adminUser);
  await choose("Maria Winter", "Make admin");
  expect(sentRequests(requests)).toEqual([]);
  await userEvent.type(await screen.findByLabelText("Your own password"), "right");
  await press("Make maria admin");
  await waitFor(() => expect(sentRequests(requests)[0]?.body).toEqual({ is_admin: true, password: "right" }));
});

test.each([
  ["off", /This server sends no mail: the audit log and the outbox tell the other admins/, /told by mail/],
  ["smtp", /All admins are told by mail/, /sends no mail/],
] as const)("says who learns of a new admin where mail is %s", async (mail, said, unsaid) => {
  showUsers(adminUser, [http.system.config({ ...SITE_CONFIG, mail })]);
  await choose("Maria Winter", "Make admin");
  expect(await screen.findByText(said)).toBeTruthy();
  expect(screen.queryByText(unsaid)).toBeNull();
});

test("an admin confirms the address of a user only with their own password", async () => {
  const { requests } = showUsers({ ...adminUser, email_verified: false });
  await choose("Maria Winter", "Confirm the e-mail");
  await userEvent.type(await screen.findByLabelText("Your own password"), "right");
  await press("Confirm the e-mail");
  await waitFor(() => expect(sentRequests(requests)[0]?.body).toEqual({ email_verified: true, password: "right" }));
});

test("suspends another admin only with the admin's own password", async () => {
  const { requests } = showUsers({ ...adminUser, is_admin: true });
  await choose("Maria Winter", "Suspend");
  await userEvent.type(screen.getByLabelText("Reason"), "Left the team");
  await userEvent.type(screen.getByLabelText("Your own password"), "right");
  await press("Suspend maria");
  const body = { suspended: true, reason: "Left the team", password: "right" };
  await waitFor(() => expect(sentRequests(requests)[0]?.body).toEqual(body));
});

test("the list of users announces an error after a confirmation", async () => {
  const message = "This is the last admin. Make somebody else an admin first.";
  showUsers({ ...adminUser, is_admin: true }, [
    http.admin.users.update(refuse(409, "users.last_admin", message), { params: { id: "usr_1" } }),
  ]);
  await choose("Maria Winter", "Take admin away");
  await press("Take it from maria");
  expect(await screen.findByText(message)).toBeTruthy();
});

test("admins can neither suspend nor impersonate themselves", async () => {
  showUsers({
    ...adminUser,
    id: platformAdmin.id,
    name: platformAdmin.name,
    username: platformAdmin.username,
    is_admin: true,
  });
  await userEvent.click(await screen.findByRole("button", { name: "Actions for Bea Boss" }));
  await screen.findByRole("menuitem", { name: "Grant a plan" });
  expect(screen.queryByRole("menuitem", { name: "Suspend" })).toBeNull();
  expect(screen.queryByRole("menuitem", { name: "Act as this user" })).toBeNull();
});

test("grants a plan after showing what that ends and refunds", async () => {
  const ended_plan = {
    currency: "USD",
    plan_id: "feather_scale",
    plan_name: "Scale",
    quantity: 5,
    period_end_date: "2026-12-19T14:01:02Z",
    credited_cents: 59_500,
    balance_cents: 59_500,
  };
  const { requests } = showUsers(adminUser, [
    http.admin.users.previewGrant({ ended_plan }, { params: { id: "usr_1" } }),
  ]);
  await screen.findByText("Lite", { selector: "td *" });
  await choose("Maria Winter", "Grant a plan");
  await chooseOption(await screen.findByLabelText("Plan", { selector: ".dialog button" }), /feather_pro_plus/);
  const message =
    /Scale × 5, paid until 19 December 2026, ends at once. \$595.00 for the time that is not used are kept/;
  expect(await screen.findByText(message)).toBeTruthy();
  await press("Grant the plan");
  await waitFor(() => expect(sentRequests(requests)[0]?.body).toEqual({ plan_id: "feather_pro_plus" }));
});

test("advancing the time says which day it is in the organization, and sends the days", async () => {
  const { requests } = showUsers(adminUser, [
    http.admin.users.testClock({ days_ahead: 31, time: "2026-12-31T10:00:00Z" }, { params: { id: "usr_1" } }),
    http.admin.users.advanceTime({ days_ahead: 45, time: "2027-01-14T10:00:00Z" }, { params: { id: "usr_1" } }),
  ]);
  await choose("Maria Winter", "Advance the time");
  expect(await screen.findByText(/It is 31 December 2026 in this organization: 31 days ahead of/)).toBeTruthy();
  await userEvent.clear(screen.getByLabelText("Days"));
  await userEvent.type(screen.getByLabelText("Days"), "14");
  await press("Advance the time");
  await waitFor(() => expect(sentRequests(requests, "POST")[0]?.body).toEqual({ days: 14 }));
  expect(await screen.findByText("It is 14 January 2027 for Maria Winter")).toBeTruthy();
});

describe("granting credits", () => {
  const balance = buildBalance("2500000000");

  test("granting credits books the amount once, in nano-dollars", async () => {
    const { requests } = showUsers(adminUser, [http.admin.users.grantCredits(balance, { params: { id: "usr_1" } })]);
    await choose("Maria Winter", "Book credits");
    await userEvent.type(await screen.findByLabelText("Amount in dollars"), "two");
    await userEvent.type(screen.getByLabelText("Reason"), "Apology");
    await press("Book the credits");
    expect(await screen.findByText("Amount is not valid: dollars such as 5 or -2.50, not zero.")).toBeTruthy();
    await userEvent.clear(screen.getByLabelText("Amount in dollars"));
    await userEvent.type(screen.getByLabelText("Amount in dollars"), "-2.50");
    await press("Book the credits");
    await waitFor(() =>
      expect(sentRequests(requests, "POST")[0]?.body).toEqual({ amount_nano_usd: "-2500000000", reason: "Apology" }),
    );
    expect(await screen.findByText("Maria Winter now has $2.50")).toBeTruthy();
  });

  test("granting credits repeats the same booking after a lost response", async () => {
    const { requests } = showUsers(adminUser, [
      http.admin.users.grantCredits(() => Promise.reject(new TypeError("lost")) as Promise<never>, {
        params: { id: "usr_1" },
      }),
    ]);
    await choose("Maria Winter", "Book credits");
    await userEvent.type(await screen.findByLabelText("Amount in dollars"), "5");
    await userEvent.type(screen.getByLabelText("Reason"), "Apology");
    await press("Book the credits");
    await screen.findByRole("alert");
    const attempts = sentRequests(requests, "POST").length;
    await press("Book the credits");
    await waitFor(() => expect(sentRequests(requests, "POST")).toHaveLength(2 * attempts));
    expect(new Set(sentRequests(requests, "POST").map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
  });
});

describe("impersonating a user", () => {
  const act = async () => {
    await choose("Maria Winter", "Act as this user");
    await userEvent.type(await screen.findByLabelText("Reason"), "Ticket 41");
    await press("Act as maria");
  };

  test("impersonating a user sends the reason and opens the home page", async () => {
    const { requests } = showUsers(adminUser, [
      http.admin.users.impersonate(
        { user: platformAdmin, expires_at: "2026-11-19T14:31:02Z" },
        { params: { id: "usr_1" } },
      ),
    ]);
    await act();
    expect(await screen.findByText("at /")).toBeTruthy();
    expect(sentRequests(requests, "POST")[0]?.body).toEqual({ reason: "Ticket 41" });
  });

  test("impersonating a user asks for the password if the login is too long ago", async () => {
    const message = "Your login is too long ago. Send your password too.";
    const { requests } = showUsers(adminUser, [
      http.admin.users.impersonate(
        async ({ request }) =>
          (await bodyOf(request)).password
            ? { user: platformAdmin, expires_at: "2026-11-19T14:31:02Z" }
            : refuse(403, "recent_sign_in_required", message),
        { params: { id: "usr_1" } },
      ),
    ]);
    await act();
    await userEvent.type(await screen.findByLabelText("Your own password"), "secret words");
    await press("Act as maria");
    expect(await screen.findByText("at /")).toBeTruthy();
    expect(sentRequests(requests, "POST").at(-1)?.body).toEqual({ reason: "Ticket 41", password: "secret words" });
  });

  test("impersonating a user shows why it is refused", async () => {
    const message = "Nobody can act as another admin of the platform.";
    showUsers(adminUser, [
      http.admin.users.impersonate(refuse(409, "impersonation.admin", message), { params: { id: "usr_1" } }),
    ]);
    await act();
    expect((await screen.findByRole("alert")).textContent).toBe(message);
  });
});

describe("reviewing an application", () => {
  const showApplications = (status: Application["status"]) =>
    renderPage(<AdminApplicationsPage />, "/x", "/x", [
      http.admin.applications(buildPage([{ ...application, status }])),
      http.applications.setStatus(application, { params: { id: "app_1" } }),
      ...adminHandlers,
    ]);

  test("an admin approves a pending application", async () => {
    const { requests } = showApplications("pending");
    await choose("Roost", "Approve");
    await waitFor(() => expect(requests.find(({ method }) => method === "PUT")?.body).toEqual({ status: "active" }));
  });

  test.each([
    ["pending", "Reject", "rejected"],
    ["active", "Suspend", "suspended"],
  ] as const)("for an application that is %s, %s needs a confirmation", async (status, action, next) => {
    const { requests } = showApplications(status);
    await choose("Roost", action);
    expect(requests.some(({ method }) => method === "PUT")).toBe(false);
    await press(`${action} Roost`);
    await waitFor(() => expect(requests.find(({ method }) => method === "PUT")?.body).toEqual({ status: next }));
  });
});

test("approves a pending account, or rejects it with a reason", async () => {
  const waiting = { ...adminUser, approval_requested_at: "2026-11-19T14:01:02Z" };
  const { requests } = showUsers(waiting, [
    http.admin.users.approve(adminUser, { params: { id: "usr_1" } }),
    http.admin.users.refuse(undefined, { params: { id: "usr_1" } }),
  ]);
  await choose("Maria Winter", "Approve");
  expect(await screen.findByText("maria@example.com may log in")).toBeTruthy();
  await choose("Maria Winter", "Refuse");
  await userEvent.type(await screen.findByLabelText("Reason"), "Members only");
  await press("Refuse the account");
  await waitFor(() => expect(sentRequests(requests, "POST").at(-1)?.body).toEqual({ reason: "Members only" }));
});
