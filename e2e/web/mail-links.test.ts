import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { createAccount, createEmail, PASSWORD, readMailedLink } from "../support/accounts.ts";
import { logIn, useBrowserPages, WIDTHS } from "../support/browser-pages.ts";
import { platformUrl } from "../support/platform-url.ts";

const baseUrl = platformUrl();
const { open } = useBrowserPages();
const NEW_PASSWORD = "another long enough secret";
const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { level: 1, name });

describe.each(WIDTHS)("an e-mail link at %i px", (width) => {
  test("resets a password once and ends all earlier sessions", async () => {
    const { email, token } = await createAccount(baseUrl);
    const elsewhere = await open({ width, session: token });
    await elsewhere.goto("/account/api-keys");
    await heading(elsewhere, "API Keys").waitFor();

    const page = await open({ width });
    await page.goto("/login");
    await page.getByRole("link", { name: "Forgot it?" }).click();
    await heading(page, "Reset password").waitFor();
    await page.getByLabel("E-mail").fill(email);
    await page.getByRole("button", { name: "Make the link" }).click();
    await page.getByText(email).waitFor();

    const link = await readMailedLink(baseUrl, email);
    await page.goto(link);
    await page.getByLabel("New password").fill(NEW_PASSWORD);
    await page.getByRole("button", { name: "Set the password" }).click();
    await page.getByText("The password is set").first().waitFor();
    await expect.poll(() => new URL(page.url()).pathname).not.toBe("/reset-password");

    await elsewhere.reload();
    await elsewhere.waitForURL("**/login?returnTo=%2Faccount%2Fapi-keys");
    await logIn(elsewhere, email, PASSWORD);
    await elsewhere.getByRole("alert").filter({ hasText: /\S/ }).first().waitFor();
    await logIn(elsewhere, email, NEW_PASSWORD);
    await elsewhere.waitForURL("**/account/api-keys");

    const late = await open({ width });
    await late.goto(link);
    await heading(late, "This link cannot be used").waitFor();
    expect(new URL(late.url()).pathname).toBe("/reset-password");
  });

  test("shows the same message for an unknown address", async () => {
    const page = await open({ width });
    await page.goto("/reset-password");
    const email = createEmail();
    await page.getByLabel("E-mail").fill(email);
    await page.getByRole("button", { name: "Make the link" }).click();
    await page.getByText(`If there is an account for ${email}`).waitFor();
  });

  test("confirms a new address", async () => {
    const { token } = await createAccount(baseUrl);
    const page = await open({ width, session: token });
    const email = createEmail();
    await page.goto("/account/profile");
    await page.getByLabel("New e-mail").fill(email);
    await page.getByLabel("Present password").first().fill(PASSWORD);
    await page.getByRole("button", { name: "Change e-mail" }).click();
    await page.getByText(`Waiting for ${email}`).waitFor();
    await page.goto("/account/verify-email");
    await heading(page, "Email verification required").waitFor();
    await page.getByText(email).first().waitFor();
    const link = await readMailedLink(baseUrl, email);
    await page.goto(link);
    await page.getByRole("button", { name: "Confirm", exact: true }).click();
    await page.waitForURL(`${baseUrl}/`);
    await page.goto("/account/profile");
    await page.getByText(email).first().waitFor();
    await page.goto("/account/verify-email");
    await heading(page, "Your e-mail is confirmed").waitFor();
    const late = await open({ width, session: token });
    await late.goto(link);
    await heading(late, "This link does not work").waitFor();
  });
});
