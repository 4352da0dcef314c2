import { http, refuse } from "@feather/sdk/msw";
import { cleanup, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, test, vi } from "vitest";
import { maria, renderPage } from "#/testing/page.tsx";
import ConfirmEmailPage from "./confirm-email.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const NOBODY = http.auth.me(refuse(401, "unauthorized", "Sign in."));
type Handlers = Parameters<typeof renderPage>[3];
const show = (handlers: Handlers) =>
  renderPage(<ConfirmEmailPage />, "/confirm-email", "/confirm-email?token=one_x", handlers);
const redeemed = ({ requests }: ReturnType<typeof show>) =>
  requests.filter(({ path }) => path === "/auth/email-verification").map(({ body }) => body);

describe("the page behind the link of a confirmation mail", () => {
  test("the page behind the link of a confirmation mail redeems nothing when it is opened", async () => {
    const page = show([NOBODY, http.auth.checkLink({ usable: true, proof: "password" })]);
    expect(await screen.findByRole("button", { name: "Confirm and log in" })).toBeTruthy();
    expect(redeemed(page)).toEqual([]);
  });

  test("the page behind the link of a confirmation mail asks for the password that was chosen in the sign-up, and says when it is wrong", async () => {
    const field = "password";
    const message = "This is not the password that was chosen in the sign-up of this link.";
    const wrong = refuse(400, "auth.wrong_password", message, { fields: [{ field, message }] });
    const page = show([NOBODY, http.auth.checkLink({ usable: true, proof: "password" }), http.auth.verifyEmail(wrong)]);
    await userEvent.type(await screen.findByLabelText("Password"), "a guess");
    await userEvent.click(screen.getByRole("button", { name: "Confirm and log in" }));
    expect(await screen.findByText(message)).toBeTruthy();
    expect(redeemed(page)).toEqual([{ token: "one_x", password: "a guess" }]);
  });

  test("the page behind the link of a confirmation mail asks a browser that signed in with a provider only for a click", async () => {
    const page = show([NOBODY, http.auth.checkLink({ usable: true, proof: "browser" }), http.auth.verifyEmail(maria)]);
    await userEvent.click(await screen.findByRole("button", { name: "Confirm" }));
    await waitFor(() => expect(redeemed(page)).toEqual([{ token: "one_x" }]));
  });

  test("the page behind the link of a confirmation mail asks the session of the account only for a click", async () => {
    const page = show([
      http.auth.me(maria),
      http.auth.checkLink({ usable: true, proof: "account" }),
      http.auth.verifyEmail(maria),
    ]);
    expect(screen.queryByLabelText("Password")).toBeNull();
    await userEvent.click(await screen.findByRole("button", { name: "Confirm" }));
    await waitFor(() => expect(redeemed(page)).toEqual([{ token: "one_x" }]));
  });

  test("the page behind the link of a confirmation mail asks for the account's password without a session", async () => {
    show([NOBODY, http.auth.checkLink({ usable: true, proof: "account" })]);
    expect(await screen.findByText("Enter the password of the account that is to have this address.")).toBeTruthy();
  });

  test("the page behind the link of a confirmation mail says at once that a link has ended", async () => {
    show([NOBODY, http.auth.checkLink({ usable: false })]);
    expect(await screen.findByRole("heading", { name: "This link does not work" })).toBeTruthy();
  });
});

test.each([
  ["a visitor", NOBODY, "Sign up again for a new one"],
  ["a user", http.auth.me(maria), "Ask for a new one"],
])("a confirmation link without its token leads %s to a new one", async (_who, me, label) => {
  renderPage(<ConfirmEmailPage />, "/confirm-email", "/confirm-email", [me]);
  expect(await screen.findByText(/A part of it is missing/)).toBeTruthy();
  expect(await screen.findByRole("link", { name: label })).toBeTruthy();
});
