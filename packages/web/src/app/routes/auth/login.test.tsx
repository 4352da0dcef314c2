import { http, refuse } from "@feather/sdk/msw";
import type { StubHandlers } from "@feather/testing/stub";
import { cleanup, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import type { ReactElement } from "react";
import { afterEach, describe, expect, test, vi } from "vitest";
import { renderPage, SITE_CONFIG } from "#/testing/page.tsx";
import LoginPage from "./login.tsx";
import RegisterPage from "./register.tsx";
import ResetPasswordPage from "./reset-password.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const show = (page: ReactElement, path: string, query = "", routes: StubHandlers = []) =>
  renderPage(page, path, path + query, [...routes, http.auth.me(refuse(401, "unauthorized", "Log in."))]);

describe.each([
  ["the login page", <LoginPage key="" />, "/login", "", ["E-mail", "Password"]],
  ["the sign-up page", <RegisterPage key="" />, "/register", "", ["E-mail", "Password"]],
  ["the page for a reset link", <ResetPasswordPage key="" />, "/reset-password", "", ["E-mail"]],
] as const)("%s", (_name, page, path, query, labels) => {
  test("the page starts in its first field, and Tab leads from field to field", async () => {
    show(page, path, query);
    const [first = "", ...others] = labels;
    await screen.findByLabelText(first);
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(first)));
    for (const label of others) {
      await userEvent.tab();
      expect(document.activeElement).toBe(screen.getByLabelText(label));
    }
  });

  test("the page opens no keyboard on a touch device", async () => {
    vi.stubGlobal("matchMedia", (media: string) => ({ matches: media === "(pointer: coarse)" }));
    show(page, path, query);
    expect(document.activeElement).not.toBe(await screen.findByLabelText(labels[0]));
  });

  test("the page finds no mistake in a field that is left as the page has focused it", async () => {
    show(page, path, query);
    const field = await screen.findByLabelText(labels[0]);
    await userEvent.tab();
    expect(field.getAttribute("aria-invalid")).toBe("false");
    await userEvent.type(field, "x");
    await userEvent.tab();
    await waitFor(() => expect(field.getAttribute("aria-invalid")).toBe("true"));
  });
});

test("the link for a forgotten password comes after the password", async () => {
  show(<LoginPage />, "/login");
  const password = await screen.findByLabelText("Password");
  const link = screen.getByRole("link", { name: "Forgot it?" });
  expect(password.compareDocumentPosition(link) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
});

test.each([
  ["smtp", "Send the link", "a link is on its way"],
  ["off", "Make the link", "This server sends no mail: ask an admin for it"],
] as const)("with mail %s, the page for a reset link says who brings it", async (mail, button, text) => {
  show(<ResetPasswordPage />, "/reset-password", "", [
    http.system.config({ ...SITE_CONFIG, mail }),
    http.auth.forgotPassword(),
  ]);
  await userEvent.type(await screen.findByLabelText("E-mail"), "maria@example.com");
  await userEvent.click(await screen.findByRole("button", { name: button }));
  await waitFor(() => expect(document.body.textContent).toContain(text));
});

test("the login page starts with the address that an invitation is for, and signs up with that invitation", async () => {
  const address = { pathname: "/login", search: "?returnTo=/invitations/one_x", state: { email: "joe@example.com" } };
  renderPage(<LoginPage />, "/login", address, [http.auth.me(refuse(401, "unauthorized", "Log in."))]);
  expect(await screen.findByLabelText("E-mail")).toHaveProperty("value", "joe@example.com");
  expect(screen.getByRole("link", { name: "Sign up" }).getAttribute("href")).toBe("/register?invitation=one_x");
});
