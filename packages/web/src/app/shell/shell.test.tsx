import type { Organization } from "@feather/sdk";
import { http, refuse, type Sent } from "@feather/sdk/msw";
import { buildUser } from "@feather/testing/builders";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { maria } from "#/testing/page.tsx";
import { openSite } from "#/testing/site.tsx";

afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

const signedIn = (user: typeof maria) => [http.auth.me(user)];
const VISITOR = [http.auth.me(refuse(401, "unauthorized", "Sign in."))];
const hrefs = (element: HTMLElement) =>
  within(element)
    .getAllByRole("link")
    .map((link) => link.getAttribute("href"));

test("the pages of a user have a side navigation and a short footer, instead of the site's", async () => {
  await openSite("/account/api-keys", signedIn(maria));
  const side = await screen.findByRole("navigation", { name: "Account" });
  expect(within(side).getByRole("link", { name: "API keys" }).getAttribute("aria-current")).toBe("page");
  expect(hrefs(side)).toContain("/account/private-cloud/deployments");
  expect(hrefs(side)).not.toContain("/admin");
  const footer = await screen.findByRole("contentinfo");
  expect(within(footer).getByRole("button", { name: "Your cookies" })).toBeTruthy();
  expect(within(footer).queryByRole("link", { name: "Sponsorship" })).toBeNull();
});

test("of two links of the side navigation that lead to the page, the nearer one is current", async () => {
  const { go } = await openSite("/account/organization/webhooks", signedIn(maria));
  const side = await screen.findByRole("navigation", { name: "Account" });
  const current = () =>
    within(side)
      .getAllByRole("link")
      .filter((link) => link.getAttribute("aria-current") === "page")
      .map(({ textContent }) => textContent);
  await waitFor(() => expect(current()).toEqual(["Webhooks"]));
  await go("/account/organization/roles");
  await waitFor(() => expect(current()).toEqual(["Members"]));
});

test("a folded group shows the current page alone, and is still folded on the next visit", async () => {
  const links = async () => hrefs(await screen.findByRole("navigation", { name: "Account" }));
  const { go } = await openSite("/account/usage", signedIn(maria));
  const all = await links();
  const group = () => screen.getByRole("button", { name: "Build" });
  expect(group().getAttribute("aria-expanded")).toBe("true");
  await userEvent.click(group());
  expect(group().getAttribute("aria-expanded")).toBe("false");
  const others = [
    "/account/api-keys",
    "/account/private-cloud/deployments",
    "/account/private-models",
    "/account/collections",
  ];
  expect(await links()).toEqual(all.filter((to) => ![...others, "/developer/applications"].includes(to ?? "")));
  await go("/account/profile");
  await waitFor(async () => expect(await links()).not.toContain("/account/usage"));
  cleanup();
  await openSite("/account/api-keys", signedIn(maria));
  expect(await links()).not.toContain("/account/usage");
  await userEvent.click(group());
  expect(await links()).toEqual(all);
});

test("admins of the platform get the way to their area, and back", async () => {
  const { go } = await openSite("/account/api-keys", signedIn(buildUser({ is_admin: true })));
  expect(hrefs(await screen.findByRole("navigation", { name: "Account" }))).toContain("/admin");
  await go("/admin/users");
  expect(hrefs(await screen.findByRole("navigation", { name: "Admin" }))).toContain("/");
});

test("visitors get the site's footer and no navigation of users", async () => {
  await openSite("/status", VISITOR);
  const link = await screen.findByRole("link", { name: "Sponsorship" });
  expect(screen.getByRole("contentinfo").contains(link)).toBe(true);
  expect(screen.queryByRole("navigation", { name: "Main pages" })).toBeNull();
});

test.each(["/status", "/pricing", "/no/such"])(
  "users get the short footer on %s too, with the legal pages",
  async (path) => {
    await openSite(path, signedIn(maria));
    const links = hrefs(await screen.findByRole("contentinfo"));
    expect(links).toEqual(expect.arrayContaining(["/privacy", "/terms", "/cookie-policy"]));
    expect(links).not.toContain("/sponsorship");
  },
);

test("users get the navigation of phones on public pages too", async () => {
  await openSite("/status", signedIn(maria));
  expect(hrefs(await screen.findByRole("navigation", { name: "Main pages" }))).toEqual([
    "/",
    "/models",
    "/chat",
    "/account/api-keys",
    "/account/usage",
  ]);
});

const ORGANIZATIONS: Sent<Organization>[] = [
  {
    id: maria.organization.id,
    name: maria.organization.name,
    role: "admin",
    calls_elsewhere: true,
    chat_storage: "server",
    chat_retention_days: null,
    chat_links: false,
    created_at: "2026-11-01T00:00:00Z",
  },
  {
    id: "org_2",
    name: "Second",
    role: "viewer",
    calls_elsewhere: true,
    chat_storage: "server",
    chat_retention_days: null,
    chat_links: false,
    created_at: "2026-11-02T00:00:00Z",
  },
];

/** Opens a page as Maria, who may switch to the organization Second. */
function openAsMember(address: string) {
  const other = buildUser({ organizationName: "Second" });
  let current = maria;
  return openSite(address, [
    http.auth.me(() => current),
    http.organization.list({ items: ORGANIZATIONS }),
    http.organization.switch(() => {
      current = { ...other, organization: { ...other.organization, id: "org_2" } };
      return current;
    }),
  ]);
}
const switched = { organization_id: "org_2" };

test("the organization's menu switches to another one of the user", async () => {
  const { requests } = await openAsMember("/account/api-keys");
  await screen.findByRole("heading", { name: "API Keys" });
  // A click that takes long counts as held down on a menu, so the keyboard opens it.
  screen.getByRole("button", { name: /^Organization: Winter & Sons/ }).focus();
  await userEvent.keyboard("{Enter}");
  await userEvent.click(await screen.findByRole("menuitem", { name: "Act for Second" }));
  // The notice disappears after a while, so the test waits for both at the same time.
  await Promise.all([
    screen.findByText("You act for Second now"),
    screen.findByRole("button", { name: /^Organization: Second/ }),
  ]);
  expect(requests.find(({ method }) => method === "POST")?.body).toEqual(switched);
});

test("the account menu switches to another organization on pages without a side navigation", async () => {
  const { requests } = await openAsMember("/status");
  await screen.findByRole("heading", { name: "Status" });
  (await screen.findByRole("button", { name: /^Account menu of/ })).focus();
  await userEvent.keyboard("{Enter}");
  await userEvent.click(await screen.findByRole("menuitem", { name: "Act for Second" }));
  await screen.findByText("You act for Second now");
  expect(requests.find(({ method }) => method === "POST")?.body).toEqual(switched);
});

test("a menu that is opened by keyboard has the focus on its first item", async () => {
  await openAsMember("/status");
  (await screen.findByRole("button", { name: /^Account menu of/ })).focus();
  await userEvent.keyboard("{Enter}");
  const first = await screen.findByRole("menuitem", { name: "API keys" });
  await waitFor(() => expect(document.activeElement).toBe(first));
});
