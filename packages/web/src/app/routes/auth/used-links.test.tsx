import { http, refuse } from "@feather/sdk/msw";
import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { renderPage } from "#/testing/page.tsx";
import RegisterPage from "./register.tsx";
import ResetPasswordPage from "./reset-password.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const PAGES = [
  ["setup", <RegisterPage key="page" />, "/register", "/register?setup=one_x", "Make the first admin"],
  [
    "password_reset",
    <ResetPasswordPage key="page" />,
    "/reset-password",
    "/reset-password?token=one_x",
    "Choose a new password",
  ],
] as const;

test.each(PAGES)("shows at once that a link for %s was used, without a form", async (purpose, page, path, address) => {
  const { requests } = renderPage(page, path, address, [
    http.auth.me(refuse(401, "unauthorized", "Sign in.")),
    http.auth.checkLink({ usable: false }),
  ]);
  expect(await screen.findByRole("heading", { name: "This link cannot be used" })).toBeTruthy();
  expect(screen.queryByRole("textbox")).toBeNull();
  expect(requests.filter(({ method }) => method === "POST").map(({ body }) => body)).toEqual([
    { token: "one_x", purpose },
  ]);
});

test.each(PAGES)("shows the form if a link for %s cannot be checked", async (_, page, path, address, title) => {
  renderPage(page, path, address, [
    http.auth.me(refuse(401, "unauthorized", "Sign in.")),
    http.auth.checkLink(refuse(429, "rate_limit_exceeded", "Too many.")),
  ]);
  expect(await screen.findByRole("heading", { name: title })).toBeTruthy();
  expect(screen.getByRole("button", { name: /Make the admin|Set the password/ })).toBeTruthy();
});

test("the page of a reset link says what the reset ends, and what becomes of second factors and passkeys", async () => {
  renderPage(<ResetPasswordPage />, "/reset-password", "/reset-password?token=one_x", [
    http.auth.me(refuse(401, "unauthorized", "Sign in.")),
    http.auth.checkLink({ usable: true }),
  ]);
  const text = (await screen.findByText(/All other sessions of your account/)).textContent;
  const parts = ["links", "sign-in providers", "programs you allowed", "invitations", "second factor", "Passkeys"];
  for (const part of parts) expect(text).toContain(part);
  expect(screen.getByLabelText(/End my API keys and deployment tokens/)).toBeTruthy();
});
