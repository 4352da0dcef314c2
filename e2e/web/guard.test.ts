import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createAccount, signInAsAdmin } from "../support/accounts.ts";
import { logIn, signUp, useBrowserPages, WIDTHS } from "../support/browser-pages.ts";
import { platformUrl } from "../support/platform-url.ts";
import { routeAddress, siteRoutes } from "../support/site.ts";

const baseUrl = platformUrl();
const { open } = useBrowserPages();
const guarded = siteRoutes().filter(({ access }) => access !== "public");
const loginFor = (address: string) => `${baseUrl}/login?returnTo=${encodeURIComponent(address)}`;

test("redirects a visitor of any private page to the login, with a way back", async () => {
  const page = await open();
  for (const { path } of guarded) {
    const address = routeAddress(path);
    await page.goto(address, { waitUntil: "commit" });
    await page.waitForURL(loginFor(address), { waitUntil: "commit" });
  }
  expect(guarded.length).toBeGreaterThan(40);
});

describe.each(WIDTHS)("the route guard at %i px", (width) => {
  test("returns to the requested page with its query and hash after login", async () => {
    const { email } = await createAccount(baseUrl);
    const requested = "/account/usage?days=7#requests";
    const page = await open({ width });
    await page.goto(requested);
    await page.waitForURL(loginFor(requested));
    await logIn(page, email);
    await page.waitForURL(baseUrl + requested);
    await page.getByRole("heading", { level: 1, name: "Usage History" }).waitFor();
    expect(await page.title()).toBe("Usage History - Feather");
  });

  test("returns there after registration too", async () => {
    const page = await open({ width });
    await page.goto("/account/api-keys");
    await page.getByRole("main").getByRole("link", { name: "Sign up" }).click();
    await signUp(page);
    await page.waitForURL("**/account/api-keys");
  });

  test("hides admin pages from everybody else", async () => {
    const { token } = await createAccount(baseUrl);
    const page = await open({ width, session: token });
    for (const address of ["/admin", "/admin/users", "/admin/no/such/page"]) {
      await page.goto(address);
      await page.getByRole("heading", { level: 1, name: "Error 404" }).waitFor();
      await page.getByText("Not found", { exact: true }).waitFor();
      expect(await page.getByText("Page Not Found").count()).toBe(0);
    }
    await page.getByRole("link", { name: "Back to home" }).click();
    await page.waitForURL(`${baseUrl}/`);
    await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
  });

  test("shows a not-found page for unknown addresses, with a link home", async () => {
    const page = await open({ width });
    const response = await page.goto("/no/such/page?x=1");
    expect(response?.status()).toBe(404);
    await page.getByRole("heading", { level: 1, name: "Error 404" }).waitFor();
    await page.getByText("Page Not Found: /no/such/page?x=1").waitFor();
    await page.getByRole("link", { name: "Back to home" }).click();
    await page.waitForURL(`${baseUrl}/`);
  });
});

test.each([
  "//evil.example",
  "/\\evil.example",
  "https://evil.example/",
  "javascript:alert(document.domain)",
  "data:text/html,x",
  "/%09/evil.example",
  "/\t/evil.example",
  "/login?returnTo=//evil.example",
  "",
])("never redirects to another site: returnTo=%j", async (returnTo) => {
  const { email } = await createAccount(baseUrl);
  const page = await open();
  const left: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(baseUrl) && request.isNavigationRequest()) left.push(request.url());
  });
  await page.goto(`/login?returnTo=${encodeURIComponent(returnTo)}`);
  await logIn(page, email);
  await page.getByRole("link", { name: "Feather" }).first().waitFor();
  await expect.poll(() => new URL(page.url()).pathname).not.toBe("/login");
  expect(new URL(page.url()).origin).toBe(baseUrl);
  expect(left).toEqual([]);
});

describe("a redirect rule of an admin", () => {
  test.each(WIDTHS)("redirects visitors of a path at %i px until it is deleted", async (width) => {
    const { token: session } = await signInAsAdmin(baseUrl);
    const from = `/moved-${randomBytes(4).toString("hex")}`;
    const admin = await open({ width, session });
    await admin.goto("/admin/route-rules");
    await admin.getByRole("button", { name: "Add a rule" }).first().click();
    const dialog = admin.getByRole("dialog");
    await dialog.getByLabel("Path", { exact: true }).fill(from);
    await dialog.getByLabel("Goes to").fill("/models?search=demo");
    await dialog.getByRole("button", { name: "Add the rule" }).click();
    await admin.getByText(from).first().waitFor();

    const page = await open({ width });
    await page.goto(from);
    await page.waitForURL("**/models?search=demo");
    await page.getByRole("link", { name: "feather/demo" }).first().waitFor();

    await admin.getByRole("button", { name: new RegExp(from) }).click();
    await admin.getByRole("menuitem", { name: "Remove" }).click();
    await admin.getByRole("alertdialog").getByRole("button", { name: "Remove the rule" }).click();
    await admin.getByText(from, { exact: true }).waitFor({ state: "detached" });
    await page.goto(from);
    await page.getByText(`Page Not Found: ${from}`).waitFor();
  });
});
