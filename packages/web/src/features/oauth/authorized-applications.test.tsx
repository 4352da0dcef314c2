import type { Authorization } from "@feather/sdk";
import { http, refuse, type Sent } from "@feather/sdk/msw";
import type { StubHandlers } from "@feather/testing/stub";
import { cleanup, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { renderPage } from "#/testing/page.tsx";
import { AuthorizedApplications } from "./authorized-applications.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const grant: Sent<Authorization> = {
  id: "grant_1",
  application: { id: "app_1", name: "Roost" },
  organization: { id: "org_1", name: "Winter" },
  scopes: ["api.access", "user.read"],
  granted_at: "2026-11-19T14:01:02Z",
  last_used_at: null,
};
const show = (routes: StubHandlers) =>
  renderPage(<AuthorizedApplications />, "/account/profile", "/account/profile", routes);

test("authorized applications are listed with their scopes, and revoked after a confirmation", async () => {
  let items = [grant];
  const { requests } = show([
    http.account.authorizations.list(() => ({ items })),
    http.account.authorizations.delete(
      () => {
        items = [];
        return undefined;
      },
      { params: { id: "grant_1" } },
    ),
  ]);
  expect(await screen.findByText("Roost")).toBeTruthy();
  expect(screen.getByText("api.access user.read")).toBeTruthy();
  expect(screen.getByText("never")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Take back what Roost may do" }));
  const agree = await screen.findByRole("button", { name: "Take back" });
  expect(requests.filter(({ method }) => method === "DELETE")).toEqual([]);
  const { textContent: said } = screen.getByText(/It is signed out at once, everywhere/);
  for (const part of ["API keys", "invitations", "webhooks", "Members who joined"]) expect(said).toContain(part);
  await userEvent.click(agree);
  expect(await screen.findByText(/None\. Programs that ask/)).toBeTruthy();
});

test("the list of authorized applications shows a loading error and can be retried", async () => {
  let fails = true;
  show([
    http.account.authorizations.list(() => (fails ? refuse(500, "internal_error", "Broken.") : { items: [grant] })),
  ]);
  expect((await screen.findByRole("alert")).textContent).toContain("cannot be read just now");
  fails = false;
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("Roost")).toBeTruthy();
});
