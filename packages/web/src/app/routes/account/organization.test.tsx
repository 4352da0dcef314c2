import type { Budget, Invitation, InvitationPreview, OrganizationMember } from "@feather/sdk";
import { http, refuse, type Sent } from "@feather/sdk/msw";
import { buildUser } from "@feather/testing/builders";
import type { StubHandlers } from "@feather/testing/stub";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { ToastProvider } from "#/components/ui/feedback/toast.tsx";
import { maria, renderPage, SITE_CONFIG } from "#/testing/page.tsx";
import { chooseOption } from "#/testing/select.ts";
import InvitationPage from "../auth/invitation.tsx";
import OrganizationPage from "./organization.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const AT = "2026-11-19T14:01:02Z";
const member = (user_id: string, name: string, role: OrganizationMember["role"]): Sent<OrganizationMember> => ({
  user_id,
  name,
  email: `${user_id}@example.com`,
  role,
  joined_at: AT,
});
const INES = member("usr_2", "Ines", "developer");
const MEMBERS = [member("usr_1", "Maria Winter", "admin"), INES];
const INVITED: Sent<Invitation> = {
  id: "invite_1",
  email: "tom@example.com",
  role: "viewer",
  invited_by: "usr_1",
  sent_at: AT,
  expires_at: AT,
  created_at: AT,
};

const server = (user: typeof maria, routes: StubHandlers): StubHandlers => [
  ...routes,
  http.auth.me(user),
  http.organization.members.list({ items: MEMBERS }),
  http.organization.invitations.list({ items: [INVITED] }),
  http.organization.list({ items: [] }),
  http.budgets.list({ items: [] }),
];
const show = (routes: StubHandlers = [], user: typeof maria = maria, search = "") =>
  renderPage(
    <ToastProvider>
      <OrganizationPage />
    </ToastProvider>,
    "/account/organization",
    `/account/organization${search}`,
    server(user, routes),
  );
const INVITATIONS = "?view=invitations";
const sent = (requests: ReturnType<typeof show>["requests"]) =>
  requests.filter(({ method }) => method !== "GET").map(({ method, path, body }) => [method, path, body]);

test("an admin changes the role of a member and undoes it", async () => {
  const { requests } = show([http.organization.members.update(INES, { params: { userId: "usr_2" } })]);
  await chooseOption(await screen.findByLabelText("Role of Ines"), "Viewer");
  await userEvent.click(await screen.findByRole("button", { name: "Undo" }));
  await waitFor(() =>
    expect(sent(requests)).toEqual([
      ["PUT", "/organization/members/usr_2", { role: "viewer" }],
      ["PUT", "/organization/members/usr_2", { role: "developer" }],
    ]),
  );
});

const CHATS = { chat_storage: "server", chat_retention_days: null, chat_links: false } as const;

test.each([
  ["keeps calls here", true, "Keep calls here", false],
  ["lets calls leave the server again", false, "Let calls leave this server", true],
])("an admin %s, and may undo it", async (_title, before, button, after) => {
  const { id, name } = maria.organization;
  const organization = { id, name, role: "admin" as const, calls_elsewhere: before, ...CHATS, created_at: AT };
  const { requests } = show([
    http.organization.list({ items: [organization] }),
    http.organization.update({ ...organization, calls_elsewhere: after }),
  ]);
  await userEvent.click(await screen.findByRole("button", { name: button }));
  await userEvent.click(await screen.findByRole("button", { name: "Undo" }));
  await waitFor(() =>
    expect(sent(requests)).toEqual([
      ["PUT", "/organization", { calls_elsewhere: after }],
      ["PUT", "/organization", { calls_elsewhere: before }],
    ]),
  );
});

test("members see where calls may go, and cannot change it", async () => {
  const user = { ...maria, permissions: ["call_models" as const] };
  const { id, name } = user.organization;
  const organization = {
    id,
    name,
    role: "developer" as const,
    calls_elsewhere: false,
    ...CHATS,
    created_at: AT,
  };
  show([http.organization.list({ items: [organization] })], user);
  expect(await screen.findByText(/Calls stay at this server and in its private networks/)).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Let calls leave this server" })).toBeNull();
});

test("tells the last admin why they cannot step down", async () => {
  show([
    http.organization.members.update(refuse(409, "organization.last_admin", "This is the last admin."), {
      params: { userId: "usr_1" },
    }),
  ]);
  await chooseOption(await screen.findByLabelText("Role of Maria Winter"), "Viewer");
  expect(await screen.findByText("This is the last admin.")).toBeTruthy();
});

test("removes a member only after a confirmation", async () => {
  const { requests } = show([http.organization.members.delete(undefined, { params: { userId: "usr_2" } })]);
  await userEvent.click(await screen.findByRole("button", { name: "Remove Ines" }));
  const dialog = await screen.findByRole("alertdialog");
  expect(sent(requests)).toEqual([]);
  expect(dialog.textContent).toContain("keys that Ines made here stop working");
});

test("?invite opens the form of an invitation for those who may invite, and leaves the rest of the address", async () => {
  const { router } = show([], maria, "?invite&search=ines");
  expect(await screen.findByLabelText("E-mail")).toBeTruthy();
  await waitFor(() => expect(router.state.location.search).toBe("?search=ines"));
  cleanup();
  show([], buildUser({ role: "developer" }), "?invite");
  await screen.findByRole("button", { name: "Leave the organization" });
  expect(screen.queryByLabelText("E-mail")).toBeNull();
});

test("an invitation with an invalid address is rejected, and a valid one is sent with the chosen role", async () => {
  const { requests } = show([http.organization.invitations.create(INVITED)]);
  await userEvent.click(await screen.findByRole("button", { name: "Invite somebody" }));
  await userEvent.type(await screen.findByLabelText("E-mail"), "nobody");
  await userEvent.click(screen.getByRole("button", { name: "Send the invitation" }));
  expect(await screen.findByText("E-mail is not valid.")).toBeTruthy();
  expect(sent(requests)).toEqual([]);
  await userEvent.type(screen.getByLabelText("E-mail"), "@example.com");
  await chooseOption(within(screen.getByRole("dialog")).getByLabelText("Role"), "Editor");
  await userEvent.click(screen.getByRole("button", { name: "Send the invitation" }));
  await waitFor(() =>
    expect(sent(requests)).toEqual([
      ["POST", "/organization/invitations", { email: "nobody@example.com", role: "editor" }],
    ]),
  );
});

test("without a mail server, shows the link of an invitation once, and says nowhere that it was sent", async () => {
  const link = "http://localhost:4000/invitations/one_x";
  const routes = [
    http.organization.invitations.create({ ...INVITED, link }),
    http.system.config({ ...SITE_CONFIG, mail: "off" }),
  ];
  show(routes, maria, INVITATIONS);
  expect(await screen.findByText("not sent")).toBeTruthy();
  await userEvent.click(await screen.findByRole("button", { name: "Invite somebody" }));
  expect((await screen.findByRole("dialog")).textContent).toContain("This server sends no mail");
  await userEvent.type(await screen.findByLabelText("E-mail"), INVITED.email);
  await userEvent.click(screen.getByRole("button", { name: "Make the link" }));
  expect(await screen.findByText(link)).toBeTruthy();
  expect(screen.getByRole("heading", { name: `The link for ${INVITED.email}` })).toBeTruthy();
  expect(document.body.textContent).not.toContain("is on its way");
  await userEvent.click(screen.getByRole("button", { name: "Done" }));
  await waitFor(() => expect(screen.queryByText(link)).toBeNull());
});

test("shows that an invitation link has ended", async () => {
  show([], maria, INVITATIONS);
  expect(await within(await screen.findByRole("table")).findByText("has ended")).toBeTruthy();
});

const rowNames = async () =>
  within(await screen.findByRole("table", { name: "Members" }))
    .getAllByRole("row")
    .slice(1)
    .map((row) => within(row).getAllByRole("cell")[1]?.textContent);

test.each([
  ["", ["Maria Winter (you)usr_1@example.com", "Inesusr_2@example.com"]],
  ["?search=INES", ["Inesusr_2@example.com"]],
  ["?search=usr_1%40", ["Maria Winter (you)usr_1@example.com"]],
  ["?role=developer", ["Inesusr_2@example.com"]],
  ["?sort=name", ["Inesusr_2@example.com", "Maria Winter (you)usr_1@example.com"]],
])("the members at the address %j are %j", async (search, expected) => {
  show([], maria, search);
  await screen.findByRole("checkbox", { name: "Choose all on this page" });
  await waitFor(async () => expect(await rowNames()).toEqual(expected));
});

test("members beyond the first page stand on further ones", async () => {
  const many = Array.from({ length: 200 }, (_, index) => member(`usr_${index + 1}`, `Member ${index + 1}`, "viewer"));
  show([http.organization.members.list({ items: many })], maria, "?page=8");
  await waitFor(async () => expect(await rowNames()).toHaveLength(25));
  expect((await rowNames())[0]).toContain("Member 176");
  expect(screen.getByText("176 to 200 of 200")).toBeTruthy();
});

test("several members are removed after a question, without the admin who does it", async () => {
  const tom = member("usr_3", "Tom", "viewer");
  const { requests } = show([
    http.organization.members.list({ items: [...MEMBERS, tom] }),
    http.organization.members.delete(({ params }) =>
      params.userId === "usr_3" ? refuse(404, "not_found", "Tom has left.") : undefined,
    ),
  ]);
  await userEvent.click(await screen.findByRole("checkbox", { name: "Choose all on this page" }));
  await userEvent.click(screen.getByRole("button", { name: "Remove 2" }));
  await screen.findByRole("alertdialog", { name: "Remove 2 members" });
  expect(sent(requests)).toEqual([]);
  await userEvent.click(screen.getByRole("button", { name: "Remove them" }));
  const results = within(await screen.findByRole("region", { name: "Remove" }));
  expect(results.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual([
    "TomfailedTom has left.",
    "Inesis removed",
  ]);
  expect(sent(requests).map(([, path]) => path)).toEqual([
    "/organization/members/usr_2",
    "/organization/members/usr_3",
  ]);
  expect(screen.getByRole("checkbox", { name: "Choose Tom" })).toHaveProperty("checked", true);
});

test("invitations have a view of their own, in which several are withdrawn at once", async () => {
  const other = { ...INVITED, id: "invite_2", email: "eva@example.com", expires_at: "2999-01-01T00:00:00Z" };
  const { requests, router } = show([
    http.organization.invitations.list({ items: [INVITED, other] }),
    http.organization.invitations.delete(undefined),
  ]);
  await userEvent.click(await screen.findByRole("link", { name: "Invitations" }));
  expect(router.state.location.search).toBe(INVITATIONS);
  expect(await screen.findByText("eva@example.com")).toBeTruthy();
  await userEvent.click(screen.getByRole("checkbox", { name: "Choose all on this page" }));
  await userEvent.click(screen.getByRole("button", { name: "Withdraw 2" }));
  expect(await screen.findByText("Withdraw: 2 of 2 done")).toBeTruthy();
  expect(sent(requests).map(([method]) => method)).toEqual(["DELETE", "DELETE"]);
});

test.each([
  ["link=open", ["eva@example.com"]],
  ["link=ended", ["tom@example.com"]],
  ["search=TOM", ["tom@example.com"]],
  ["role=editor", []],
])("the invitations with %s are %j", async (search, expected) => {
  const other = { ...INVITED, id: "invite_2", email: "eva@example.com", expires_at: "2999-01-01T00:00:00Z" };
  show([http.organization.invitations.list({ items: [INVITED, other] })], maria, `${INVITATIONS}&${search}`);
  if (expected.length === 0) expect(await screen.findByRole("heading", { name: "Nothing matches" })).toBeTruthy();
  else await screen.findByText(expected[0] ?? "");
  expect(screen.queryAllByText(/^[a-z]+@example\.com$/).map(({ textContent }) => textContent)).toEqual(expected);
});

test("members who are not admins see the members and may leave, but see no invitations", async () => {
  const user = buildUser({ role: "developer" });
  const { requests } = show([], user);
  expect(await screen.findByRole("button", { name: "Leave the organization" })).toBeTruthy();
  expect(screen.queryByLabelText("Role of Ines")).toBeNull();
  expect(screen.queryByRole("button", { name: "Invite somebody" })).toBeNull();
  expect(requests.some(({ path }) => path === "/organization/invitations")).toBe(false);
});

const BUDGET: Sent<Budget> = {
  scope: "organization",
  user_id: null,
  user_name: null,
  amount_nano_usd: "50000000000",
  period: "month",
  hard: true,
  warning_percent: 80,
  spent_nano_usd: "31000000000",
  reserved_nano_usd: "200000000",
  resets_at: "2026-12-01T00:00:00Z",
  created_at: AT,
  updated_at: AT,
};
const OF_MARIA: Sent<Budget> = { ...BUDGET, scope: "member", user_id: "usr_1", user_name: "Maria Winter", hard: false };
const OF_INES: Sent<Budget> = { ...OF_MARIA, user_id: "usr_2", user_name: "Ines" };

test("members see what is spent of the organization's budget and their own, and set none", async () => {
  const user = buildUser({ role: "developer" });
  show([http.budgets.list({ items: [BUDGET, OF_MARIA] })], user);
  const meter = await screen.findByRole("meter", { name: "Budget of The organization" });
  expect(meter.getAttribute("aria-valuetext")).toBe("$31.00 of $50.00 this month");
  expect(screen.getByText("Refuses calls beyond it, warns at 80 %, resets 2026-12-01")).toBeTruthy();
  expect(screen.getByRole("meter", { name: "Budget of Maria Winter" })).toBeTruthy();
  expect(screen.queryByRole("button", { name: /budget/ })).toBeNull();
});

test("an admin sets the budget of a member after a mistake is named", async () => {
  const { requests } = show([http.budgets.setForMember(OF_INES, { params: { userId: "usr_2" } })]);
  await userEvent.click(await screen.findByRole("button", { name: "Set a budget" }));
  await chooseOption(await screen.findByLabelText("For calls of"), "Ines");
  await userEvent.click(screen.getByRole("button", { name: "Set the budget" }));
  expect(await screen.findByText("Budget is not valid: write dollars, such as 5 or 2.50.")).toBeTruthy();
  await userEvent.type(screen.getByLabelText("Budget in dollars"), "2.50");
  await chooseOption(screen.getByLabelText("The budget is for"), "each week");
  await userEvent.click(screen.getByLabelText("Refuse calls beyond it"));
  await userEvent.click(screen.getByRole("button", { name: "Set the budget" }));
  const body = { amount_nano_usd: "2500000000", period: "week", hard: true, warning_percent: 80 };
  await waitFor(() => expect(sent(requests)).toEqual([["PUT", "/organization/members/usr_2/budget", body]]));
});

test("an admin changes the budget of the organization, and deletes it after a confirmation", async () => {
  const { requests } = show([
    http.budgets.list({ items: [BUDGET] }),
    http.budgets.set(BUDGET),
    http.budgets.delete(undefined),
  ]);
  await userEvent.click(await screen.findByRole("button", { name: "Change the budget of The organization" }));
  const amount = await screen.findByLabelText<HTMLInputElement>("Budget in dollars");
  expect(amount.value).toBe("50.00");
  await userEvent.clear(amount);
  await userEvent.type(amount, "60");
  await userEvent.click(screen.getByRole("button", { name: "Set the budget" }));
  const body = { amount_nano_usd: "60000000000", period: "month", hard: true, warning_percent: 80 };
  await waitFor(() => expect(sent(requests)).toEqual([["PUT", "/organization/budget", body]]));
  await userEvent.click(await screen.findByRole("button", { name: "Delete the budget of The organization" }));
  await userEvent.click(await screen.findByRole("button", { name: "Delete" }));
  await waitFor(() => expect(sent(requests)).toContainEqual(["DELETE", "/organization/budget", undefined]));
});

test("says that calls on a flat plan count for no budget", async () => {
  show();
  expect(await screen.findByText(/Calls on the current plan are not charged/)).toBeTruthy();
});

const preview: Sent<InvitationPreview> = {
  kind: "organization",
  email: maria.email,
  organization: "Acme",
  role: "developer",
  invited_by: "Ines",
  expires_at: AT,
};
const follow = (routes: StubHandlers) =>
  renderPage(
    <InvitationPage />,
    "/invitations/:token",
    "/invitations/one_abc",
    server(maria, [...routes, http.auth.invitation(preview, { params: { token: "one_abc" } })]),
  );

test("the invitation page shows who invites to what, joins, and opens the organization", async () => {
  const { requests, router } = follow([
    http.organization.invitations.accept(
      { ...maria, organization: { ...maria.organization, id: "org_2", name: "Acme" } },
      { params: { token: "one_abc" } },
    ),
  ]);
  expect(await screen.findByText("Ines invites you to Acme.")).toBeTruthy();
  await userEvent.click(await screen.findByRole("button", { name: "Join" }));
  await waitFor(() => expect(router.state.location.pathname).toBe("/account/organization"));
  expect(sent(requests).map(([method, path]) => [method, path])).toEqual([["POST", "/invitations/one_abc/accept"]]);
});

test("a visitor sees the invitation with links to sign up and log in", async () => {
  follow([http.auth.me(refuse(401, "unauthorized", "Sign in."))]);
  expect(await screen.findByText("Ines invites you to Acme.")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Sign up" }).getAttribute("href")).toBe("/register?invitation=one_abc");
  expect(screen.queryByRole("button", { name: "Join" })).toBeNull();
});

test("a visitor who has an account gets the address of the invitation on the way to the login", async () => {
  const { router } = follow([http.auth.me(refuse(401, "unauthorized", "Sign in."))]);
  await userEvent.click(await screen.findByRole("link", { name: "I have an account: log in" }));
  expect(router.state.location.state).toEqual({ email: maria.email });
});

test("a user with another address sees that, and no button to join", async () => {
  follow([http.auth.invitation({ ...preview, email: "tom@example.com" }, { params: { token: "one_abc" } })]);
  expect(await screen.findByText(/It is for tom@example.com, and you are signed in as/)).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Join" })).toBeNull();
});

test("an ended invitation link explains what to do", async () => {
  follow([http.auth.invitation(refuse(404, "invitations.ended", "x"), { params: { token: "one_abc" } })]);
  expect(await screen.findByText("This invitation cannot be used")).toBeTruthy();
  expect(screen.getByRole("link", { name: "To your account" })).toBeTruthy();
});

test("an ended invitation link offers visitors the login", async () => {
  follow([
    http.auth.me(refuse(401, "unauthorized", "Sign in.")),
    http.auth.invitation(refuse(404, "invitations.ended", "x"), { params: { token: "one_abc" } }),
  ]);
  expect((await screen.findByRole("link", { name: "Log in" })).getAttribute("href")).toBe("/login");
});

test("the page of an invitation link shows the error if joining fails", async () => {
  follow([
    http.organization.invitations.accept(refuse(409, "organization.already_member", "You are in."), {
      params: { token: "one_abc" },
    }),
  ]);
  await userEvent.click(await screen.findByRole("button", { name: "Join" }));
  expect(await screen.findByText("You are in.")).toBeTruthy();
});
