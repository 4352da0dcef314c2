import { errorResponse } from "@feather/testing/errors";
import { cleanup, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { maria, renderPage } from "#/testing/page.tsx";
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
  renderPage(<RegisterPage />, "/register", address, {
    "GET /auth/me": () => errorResponse(401, "unauthorized", "Sign in."),
    "POST /auth/register": () => ({ body: maria }),
    "POST /auth/setup": () => ({ body: maria }),
  });
  await userEvent.type(screen.getByLabelText("E-mail"), "maria@example.com");
  await userEvent.type(screen.getByLabelText("Password"), "a long enough secret");
  await userEvent.click(screen.getByRole("button", { name: /^(Sign up|Make the admin)$/ }));
  expect(await screen.findByText(where)).toBeTruthy();
});

test("a signed-in user does not see the onboarding again", async () => {
  renderPage(<RegisterPage />, "/register", "/register", { "GET /auth/me": () => ({ body: maria }) });
  expect(await screen.findByText("at /")).toBeTruthy();
});

const invitation = {
  kind: "organization",
  email: "joe@example.com",
  organization: "Winter & Sons",
  role: "developer",
  invited_by: "Maria Winter",
  expires_at: "2026-11-26T14:01:02Z",
};
const nobody = () => errorResponse(401, "unauthorized", "Sign in.");
const site = (registration: string) => () => ({ body: { product_name: "Plume", providers: [], registration } });

test.each([
  ["off", "Sign-up is closed"],
  ["invite", "Sign-up is by invitation"],
])("with sign-up %s, a visitor sees that and no form", async (mode, title) => {
  renderPage(<RegisterPage />, "/register", "/register", { "GET /auth/me": nobody, "GET /config": site(mode) });
  expect(await screen.findByRole("heading", { name: title })).toBeTruthy();
  expect(screen.queryByLabelText("Password")).toBeNull();
});

test("an invited visitor sees the invitation, with the address filled in, and continues to accept it", async () => {
  const { requests } = renderPage(<RegisterPage />, "/register", "/register?invitation=one_x", {
    "GET /auth/me": nobody,
    "GET /config": site("invite"),
    "GET /invitations/one_x": () => ({ body: invitation }),
    "POST /auth/register": () => ({ status: 201, body: maria }),
  });
  expect(await screen.findByText("Maria Winter invites you to Winter & Sons.")).toBeTruthy();
  expect(screen.getByLabelText("E-mail")).toHaveProperty("value", "joe@example.com");
  await userEvent.type(screen.getByLabelText("Password"), "a long enough secret");
  await userEvent.click(screen.getByRole("button", { name: "Sign up" }));
  expect(await screen.findByText("at /invitations/one_x")).toBeTruthy();
  expect(requests.find(({ path }) => path === "/auth/register")?.body).toMatchObject({ invitation: "one_x" });
});

test("shows that an invitation has ended", async () => {
  renderPage(<RegisterPage />, "/register", "/register?invitation=one_x", {
    "GET /auth/me": nobody,
    "GET /config": site("invite"),
    "GET /invitations/one_x": () => errorResponse(404, "invitations.ended", "This invitation has ended."),
  });
  expect(await screen.findByRole("heading", { name: "This invitation cannot be used" })).toBeTruthy();
});

test.each([
  ["confirm_email", "Look into your mail"],
  ["approval", "Your account waits for approval"],
])("a new user who has to wait (%s) sees for what, and stays signed out", async (next, title) => {
  renderPage(<RegisterPage />, "/register", "/register", {
    "GET /auth/me": nobody,
    "GET /config": site("approve"),
    "POST /auth/register": () => ({ status: 202, body: { next } }),
  });
  expect(await screen.findByText(/An admin lets new accounts in/)).toBeTruthy();
  await userEvent.type(screen.getByLabelText("E-mail"), "maria@example.com");
  await userEvent.type(screen.getByLabelText("Password"), "a long enough secret");
  await userEvent.click(screen.getByRole("button", { name: "Sign up" }));
  expect(await screen.findByRole("heading", { name: title })).toBeTruthy();
});

test("passes on the return path and the campaign of the visit", async () => {
  const { requests } = renderPage(<RegisterPage />, "/register", "/register?returnTo=%2Fmodels&utm_source=news", {
    "GET /auth/me": nobody,
    "GET /config": site("open"),
    "POST /auth/state": () => ({ body: { state: "signed" } }),
    "POST /auth/register": () => ({ status: 201, body: maria }),
  });
  await userEvent.type(await screen.findByLabelText("E-mail"), "maria@example.com");
  await userEvent.type(screen.getByLabelText("Password"), "a long enough secret");
  await userEvent.click(screen.getByRole("button", { name: "Sign up" }));
  expect(await screen.findByText("at /models")).toBeTruthy();
  const bodyOf = (path: string) => requests.find((one) => one.path === path)?.body;
  expect(bodyOf("/auth/state")).toMatchObject({ returnTo: "/models", utm: { source: "news" } });
  expect(bodyOf("/auth/register")).toMatchObject({ state: "signed" });
});
