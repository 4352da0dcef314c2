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
