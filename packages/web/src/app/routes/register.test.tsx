import { cleanup, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { maria, refusal, showPage } from "#/testing/page.tsx";
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
])("who signs up at %s is %s", async (address, where) => {
  showPage(<RegisterPage />, "/register", address, {
    "GET /auth/me": () => refusal(401, "auth.required", "Sign in."),
    "POST /auth/register": () => ({ body: maria }),
    "POST /auth/setup": () => ({ body: maria }),
  });
  await userEvent.type(screen.getByLabelText("E-mail"), "maria@example.com");
  await userEvent.type(screen.getByLabelText("Password"), "a long enough secret");
  await userEvent.click(screen.getByRole("button", { name: /^(Sign up|Make the admin)$/ }));
  expect(await screen.findByText(where)).toBeTruthy();
});

test("who is signed in already is not shown around again", async () => {
  showPage(<RegisterPage />, "/register", "/register", { "GET /auth/me": () => ({ body: maria }) });
  expect(await screen.findByText("at /")).toBeTruthy();
});
