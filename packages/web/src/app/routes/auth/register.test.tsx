import type { InvitationPreview, SiteConfig } from "@feather/sdk";
import { http, refuse, type Sent } from "@feather/sdk/msw";
import { cleanup, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { maria, renderPage, SITE_CONFIG } from "#/testing/page.tsx";
import RegisterPage from "./register.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test.each([
  ["/register", "at /onboarding"],
  ["/register?returnTo=%2Fmodels%3Fsearch%3Dqwen", "at /models?search=qwen"],
  ["/register?returnTo=%2F%2Fevil.example", "at /"],
  ["/register?setup=token", "at /"],
])("after sign-up at %s the user is %s", async (address, where) => {
  renderPage(<RegisterPage />, "/register", address, [
    http.auth.me(refuse(401, "unauthorized", "Sign in.")),
    http.auth.register(maria),
    http.auth.setup(maria),
  ]);
  await userEvent.type(screen.getByLabelText("E-mail"), "maria@example.com");
  await userEvent.type(screen.getByLabelText("Password"), "a long enough secret");
  await userEvent.click(screen.getByRole("button", { name: /^(Sign up|Make the admin)$/ }));
  expect(await screen.findByText(where)).toBeTruthy();
});

test("a signed-in user does not see the onboarding again", async () => {
  renderPage(<RegisterPage />, "/register", "/register", [http.auth.me(maria)]);
  expect(await screen.findByText("at /")).toBeTruthy();
});

const invitation: Sent<InvitationPreview> = {
  kind: "organization",
  email: "joe@example.com",
  organization: "Winter & Sons",
  role: "developer",
  invited_by: "Maria Winter",
  expires_at: "2026-11-26T14:01:02Z",
};
const VISITOR = http.auth.me(refuse(401, "unauthorized", "Sign in."));
const site = (registration: NonNullable<SiteConfig["registration"]>) =>
  http.system.config({ ...SITE_CONFIG, product_name: "Plume", registration });

test.each([
  ["off", "Sign-up is closed"],
  ["invite", "Sign-up is by invitation"],
] as const)("with sign-up %s, a visitor sees that and no form", async (mode, title) => {
  renderPage(<RegisterPage />, "/register", "/register", [VISITOR, site(mode)]);
  expect(await screen.findByRole("heading", { name: title })).toBeTruthy();
  expect(screen.queryByLabelText("Password")).toBeNull();
});

test("an invited visitor sees the invitation, with the address filled in, and continues to accept it", async () => {
  const { requests } = renderPage(<RegisterPage />, "/register", "/register?invitation=one_x", [
    VISITOR,
    site("invite"),
    http.auth.invitation(invitation, { params: { token: "one_x" } }),
    http.auth.register(maria),
  ]);
  expect(await screen.findByText("Maria Winter invites you to Winter & Sons.")).toBeTruthy();
  expect(screen.getByLabelText("E-mail")).toHaveProperty("value", "joe@example.com");
  await userEvent.type(screen.getByLabelText("Password"), "a long enough secret");
  await userEvent.click(screen.getByRole("button", { name: "Sign up" }));
  expect(await screen.findByText("at /invitations/one_x")).toBeTruthy();
  expect(requests.find(({ path }) => path === "/auth/register")?.body).toMatchObject({ invitation: "one_x" });
});

test("the sign-up page shows that an invitation has ended", async () => {
  renderPage(<RegisterPage />, "/register", "/register?invitation=one_x", [
    VISITOR,
    site("invite"),
    http.auth.invitation(refuse(404, "invitations.ended", "This invitation has ended."), {
      params: { token: "one_x" },
    }),
  ]);
  expect(await screen.findByRole("heading", { name: "This invitation cannot be used" })).toBeTruthy();
});

test.each([
  ["confirm_email", "Look into your mail"],
  ["approval", "Your account waits for approval"],
] as const)("a new user who has to wait (%s) sees for what, and stays signed out", async (next, title) => {
  renderPage(<RegisterPage />, "/register", "/register", [VISITOR, site("approve"), http.auth.register({ next })]);
  expect(await screen.findByText(/An admin lets new accounts in/)).toBeTruthy();
  await userEvent.type(screen.getByLabelText("E-mail"), "maria@example.com");
  await userEvent.type(screen.getByLabelText("Password"), "a long enough secret");
  await userEvent.click(screen.getByRole("button", { name: "Sign up" }));
  expect(await screen.findByRole("heading", { name: title })).toBeTruthy();
});

test("the sign-up page passes on the return path and the campaign of the visit", async () => {
  const { requests } = renderPage(<RegisterPage />, "/register", "/register?returnTo=%2Fmodels&utm_source=news", [
    VISITOR,
    site("open"),
    http.auth.state({ state: "signed" }),
    http.auth.register(maria),
  ]);
  await userEvent.type(await screen.findByLabelText("E-mail"), "maria@example.com");
  await userEvent.type(screen.getByLabelText("Password"), "a long enough secret");
  await userEvent.click(screen.getByRole("button", { name: "Sign up" }));
  expect(await screen.findByText("at /models")).toBeTruthy();
  const bodyOf = (path: string) => requests.find((one) => one.path === path)?.body;
  expect(bodyOf("/auth/state")).toMatchObject({ returnTo: "/models", utm: { source: "news" } });
  expect(bodyOf("/auth/register")).toMatchObject({ state: "signed" });
});
