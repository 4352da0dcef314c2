import AxeBuilder from "@axe-core/playwright";
import type { CDPSession, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { createAccount, PASSWORD } from "../support/accounts.ts";
import { logIn, useBrowserPages, WIDTHS } from "../support/browser-pages.ts";
import { platformUrl } from "../support/platform-url.ts";

const baseUrl = platformUrl();
const { open } = useBrowserPages();
const LONG_NAME = "W".repeat(64);

/** Gives the browser of a page a device that keeps passkeys and is unlocked by its owner. */
async function addDevice(page: Page): Promise<{ cdp: CDPSession; authenticatorId: string }> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { cdp, authenticatorId };
}

/** Adds a passkey on the account's page. Leaves the recovery codes, where they are shown. */
async function addPasskey(page: Page, name: string): Promise<void> {
  await page.goto("/account/change-password");
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByLabel("Your password").fill(PASSWORD);
  await page.getByRole("button", { name: "Go on" }).click();
  await page.getByRole("dialog", { name: "Name the passkey" }).getByLabel("Name").fill(name);
  await page.getByRole("button", { name: "Make the passkey" }).click();
}

async function logOut(page: Page): Promise<void> {
  await page.context().clearCookies({ name: "session" });
  await page.goto("/login");
}

const isSignedInAs = (page: Page, email: string) =>
  expect.poll(() => page.evaluate(async () => (await (await fetch("/api/auth/me")).json()).email)).toBe(email);

async function violations(page: Page): Promise<string[]> {
  const { violations: found } = await new AxeBuilder({ page }).include("main").analyze();
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}

describe.each(WIDTHS)("a passkey at %i px", (width) => {
  test("can be added, signs in alone and after a password, and can be renamed and removed", async () => {
    const { email, token } = await createAccount(baseUrl);
    const page = await open({ width, session: token });
    await addDevice(page);
    await addPasskey(page, LONG_NAME);
    await page.getByRole("heading", { name: "Keep these recovery codes" }).waitFor();
    await page.getByRole("button", { name: "I have kept them" }).click();
    await page.getByText(LONG_NAME).waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);

    await logOut(page);
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.waitForURL((url) => url.pathname !== "/login");
    await isSignedInAs(page, email);

    await logOut(page);
    await logIn(page, email);
    await page.getByRole("heading", { name: "One more step" }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await page.waitForURL((url) => url.pathname !== "/login");
    await isSignedInAs(page, email);

    await page.goto("/account/change-password");
    await page.getByRole("button", { name: `Rename ${LONG_NAME}` }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("Laptop");
    await page.getByRole("dialog").getByRole("button", { name: "Rename", exact: true }).click();
    await page.getByRole("button", { name: "Remove Laptop" }).click();
    await page.getByLabel("Your password").fill(PASSWORD);
    await page.getByRole("dialog").getByRole("button", { name: "Remove", exact: true }).click();
    await page.getByText("You have no passkeys yet.").waitFor();

    await logOut(page);
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.getByRole("alert").filter({ hasText: "This passkey is not known here" }).waitFor();
    await logIn(page, email);
    await page.waitForURL((url) => url.pathname !== "/login");
  });

  test("that is not unlocked signs nobody in, while password and recovery code still do", async () => {
    const { email, token } = await createAccount(baseUrl);
    const page = await open({ width, session: token });
    const { cdp, authenticatorId } = await addDevice(page);
    await addPasskey(page, "Phone");
    const dialog = page.getByRole("dialog", { name: "Keep these recovery codes" });
    const [code = ""] = (await dialog.innerText()).match(/[a-z0-9]{5}-[a-z0-9]{5}/) ?? [];
    await logOut(page);
    await cdp.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: false });
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.getByRole("alert").filter({ hasText: "No passkey was used" }).waitFor();
    await logIn(page, email);
    await page.getByLabel("Code").fill(code);
    await page.locator("main").getByRole("button", { name: "Log in", exact: true }).click();
    await page.waitForURL((url) => url.pathname !== "/login");
    await isSignedInAs(page, email);
  });
});

test("a browser without passkeys is offered none, and the account page says so", async () => {
  const { token } = await createAccount(baseUrl);
  const page = await open({ session: token });
  await page.addInitScript(() => Reflect.deleteProperty(globalThis, "PublicKeyCredential"));
  await page.goto("/account/change-password");
  await page.getByText("This browser knows no passkeys.").waitFor();
  expect(await page.getByRole("button", { name: "Add a passkey" }).count()).toBe(0);
  await logOut(page);
  await page.getByRole("heading", { level: 1, name: "Log in" }).waitFor();
  expect(await page.getByRole("button", { name: "Sign in with a passkey" }).count()).toBe(0);
});
