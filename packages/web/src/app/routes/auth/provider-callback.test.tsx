import { http, refuse } from "@feather/sdk/msw";
import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { maria, renderPage } from "#/testing/page.tsx";
import ProviderCallbackPage from "./provider-callback.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test.each([
  ["somebody who is signed in", http.auth.me(maria), "Nothing to finish here"],
  ["a visitor", http.auth.me(refuse(401, "unauthorized", "Log in.")), "You are not signed in"],
])("without a sign-in under way, %s sees what is so", async (_who, me, title) => {
  renderPage(<ProviderCallbackPage />, "/auth/:provider/callback", "/auth/github/callback", [me]);
  expect(await screen.findByRole("heading", { name: title })).toBeTruthy();
});

const VISITOR = http.auth.me(refuse(401, "unauthorized", "Log in."));
const address = (search: string, state: unknown = null) => ({ pathname: "/auth/github/callback", search, state });

test.each([
  ["in the URL", address("?error=access_denied&state=x")],
  ["taken out of the URL by the alert of every page", address("?state=x", { error: "access_denied" })],
])("a refusal %s is told as that of the visitor", async (_where, entry) => {
  renderPage(<ProviderCallbackPage />, "/auth/:provider/callback", entry, [VISITOR]);
  expect(await screen.findByText("You did not allow it there. Nothing has changed.")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Back to logging in" }).getAttribute("href")).toBe("/login");
});

test("an error of the provider is named, and a sign-in without one starts again", async () => {
  renderPage(<ProviderCallbackPage />, "/auth/:provider/callback", address("?error=server_error"), [VISITOR]);
  expect(await screen.findByText(/The provider refused with “server_error”/)).toBeTruthy();
  renderPage(<ProviderCallbackPage />, "/auth/:provider/callback", address(""), [VISITOR]);
  expect(await screen.findByText(/sent nothing to sign in with. Start again/)).toBeTruthy();
});
