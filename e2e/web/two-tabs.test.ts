import { describe, expect, test } from "vitest";
import { createAccount } from "../support/accounts.ts";
import { logIn, useBrowserPages, WIDTHS } from "../support/browser-pages.ts";
import { platformUrl } from "../support/platform-url.ts";

const baseUrl = platformUrl();
const { open } = useBrowserPages();

describe.each(WIDTHS)("two tabs of one browser at %i px", (width) => {
  test("follow each other's sign-in and sign-out", async () => {
    const { email } = await createAccount(baseUrl);
    const page = await open({ width });
    const other = await page.context().newPage();
    await other.goto("/pricing");
    await other.waitForURL("**/login?returnTo=%2Fpricing");
    await page.goto("/login");
    await logIn(page, email);
    await page.getByRole("button", { name: /Account menu/ }).waitFor();
    await other.waitForURL("**/pricing");
    await other.getByRole("button", { name: /Account menu/ }).waitFor();

    await other.goto("/account/api-keys");
    await other.getByRole("heading", { level: 1, name: "API Keys" }).waitFor();
    await page.getByRole("button", { name: /Account menu/ }).click();
    await page.getByRole("menuitem", { name: "Log out" }).click();
    await other.waitForURL("**/login?returnTo=%2Faccount%2Fapi-keys");
    expect(await other.getByRole("button", { name: /Account menu/ }).count()).toBe(0);
    expect((await page.context().cookies()).map(({ name }) => name)).not.toContain("session");
  });
});
