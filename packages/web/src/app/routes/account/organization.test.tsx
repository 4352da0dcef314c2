import { cleanup, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { ToastProvider } from "#/components/ui/toast.tsx";
import { maria, type Routes, refusal, showPage } from "#/testing/page.tsx";
import InvitationPage from "../invitation.tsx";
import OrganizationPage from "./organization.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const AT = "2026-11-19T14:01:02Z";
const member = (user_id: string, name: string, role: string) => ({
  user_id,
  name,
  email: `${user_id}@example.com`,
  role,
  joined_at: AT,
});
const MEMBERS = [member("usr_1", "Maria Winter", "admin"), member("usr_2", "Ines", "developer")];
const INVITED = {
  id: "invite_1",
  email: "tom@example.com",
  role: "viewer",
  invited_by: "usr_1",
  sent_at: AT,
  expires_at: AT,
  created_at: AT,
};

const server = (user: object, routes: Routes): Routes => ({
  "GET /auth/me": () => ({ body: user }),
  "GET /organization/members": () => ({ body: { items: MEMBERS } }),
  "GET /organization/invitations": () => ({ body: { items: [INVITED] } }),
  "GET /organizations": () => ({ body: { items: [] } }),
  ...routes,
});
const show = (routes: Routes = {}, user: object = maria) =>
  showPage(
    <ToastProvider>
      <OrganizationPage />
    </ToastProvider>,
    "/account/organization",
    "/account/organization",
    server(user, routes),
  );
const sent = (asked: ReturnType<typeof show>["asked"]) =>
  asked.filter(({ method }) => method !== "GET").map(({ method, path, body }) => [method, path, body]);

test("an admin changes what a member may do, and takes it back", async () => {
  const { asked } = show({ "PUT /organization/members/usr_2": () => ({ body: MEMBERS[1] }) });
  await userEvent.selectOptions(await screen.findByLabelText("Role of Ines"), "viewer");
  await userEvent.click(await screen.findByRole("button", { name: "Undo" }));
  await waitFor(() =>
    expect(sent(asked)).toEqual([
      ["PUT", "/organization/members/usr_2", { role: "viewer" }],
      ["PUT", "/organization/members/usr_2", { role: "developer" }],
    ]),
  );
});

test("the last admin is told why they stay one", async () => {
  show({
    "PUT /organization/members/usr_1": () => refusal(409, "organization.last_admin", "This is the last admin."),
  });
  await userEvent.selectOptions(await screen.findByLabelText("Role of Maria Winter"), "viewer");
  expect(await screen.findByText("This is the last admin.")).toBeTruthy();
});

test("nobody is removed without being asked", async () => {
  const { asked } = show({ "DELETE /organization/members/usr_2": () => ({ status: 204 }) });
  await userEvent.click(await screen.findByRole("button", { name: "Remove Ines" }));
  const dialog = await screen.findByRole("alertdialog");
  expect(sent(asked)).toEqual([]);
  expect(dialog.textContent).toContain("keys that Ines made here stop working");
});

test("an address that is none is not invited; a good one is, as what was chosen", async () => {
  const { asked } = show({ "POST /organization/invitations": () => ({ status: 201, body: INVITED }) });
  await userEvent.click(await screen.findByRole("button", { name: "Invite somebody" }));
  await userEvent.type(await screen.findByLabelText("E-mail"), "nobody");
  await userEvent.click(screen.getByRole("button", { name: "Send the invitation" }));
  expect(await screen.findByText("E-mail is not valid.")).toBeTruthy();
  expect(sent(asked)).toEqual([]);
  await userEvent.type(screen.getByLabelText("E-mail"), "@example.com");
  await userEvent.selectOptions(screen.getByLabelText("Role"), "editor");
  await userEvent.click(screen.getByRole("button", { name: "Send the invitation" }));
  await waitFor(() =>
    expect(sent(asked)).toEqual([
      ["POST", "/organization/invitations", { email: "nobody@example.com", role: "editor" }],
    ]),
  );
});

test("a link that has ended says so", async () => {
  show();
  expect(await screen.findByText("has ended")).toBeTruthy();
});

test("others than admins see who is there and may leave, and are shown no invitations", async () => {
  const user = { ...maria, organization: { ...maria.organization, role: "developer" } };
  const { asked } = show({}, user);
  expect(await screen.findByRole("button", { name: "Leave the organization" })).toBeTruthy();
  expect(screen.queryByLabelText("Role of Ines")).toBeNull();
  expect(screen.queryByRole("button", { name: "Invite somebody" })).toBeNull();
  expect(asked.some(({ path }) => path === "/organization/invitations")).toBe(false);
});

const follow = (routes: Routes) =>
  showPage(<InvitationPage />, "/invitations/:token", "/invitations/one_abc", server(maria, routes));

test("the link of an invitation asks first, then joins and shows the organization", async () => {
  const { asked, router } = follow({
    "POST /invitations/one_abc/accept": () => ({
      body: { ...maria, organization: { ...maria.organization, id: "org_2", name: "Acme" } },
    }),
  });
  await userEvent.click(await screen.findByRole("button", { name: "Join" }));
  await waitFor(() => expect(router.state.location.pathname).toBe("/account/organization"));
  expect(sent(asked).map(([method, path]) => [method, path])).toEqual([["POST", "/invitations/one_abc/accept"]]);
});

test.each([
  [refusal(404, "invitations.ended", "x"), "This invitation cannot be used"],
  [refusal(403, "invitations.other_email", "Sent to another e-mail."), "Sent to another e-mail."],
])("a link that does not work says what to do", async (answer, words) => {
  follow({ "POST /invitations/one_abc/accept": () => answer });
  await userEvent.click(await screen.findByRole("button", { name: "Join" }));
  expect(await screen.findByText(words)).toBeTruthy();
});
