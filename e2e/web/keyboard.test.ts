import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { createAccount, PASSWORD } from "../support/accounts.ts";
import { useBrowserPages } from "../support/browser-pages.ts";
import { hasKeyboard, tabTo } from "../support/keyboard.ts";
import { platformUrl } from "../support/platform-url.ts";

const baseUrl = platformUrl();
const { open } = useBrowserPages();
const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { level: 1, name });
const has = (page: Page, role: Parameters<Page["getByRole"]>[0], name: string | RegExp) =>
  expect.poll(() => hasKeyboard(page.getByRole(role, { name }))).toBe(true);

describe.each([
  { width: 1440, reducedMotion: null },
  { width: 375, reducedMotion: "reduce" as const },
])("with the keyboard alone, at $width px, reduced motion: $reducedMotion", ({ width, reducedMotion }) => {
  const start = async (address: string, session?: string): Promise<Page> => {
    const page = await open({ width, reducedMotion, ...(session && { session }) });
    await page.goto(address);
    // What the server has drawn is replaced by the page itself.
    await page.locator(".served").waitFor({ state: "detached" });
    await page.getByRole("region", { name: "Cookies" }).waitFor();
    // Until then, the banner can cover what gets the keyboard.
    await page.waitForFunction(() => document.documentElement.style.getPropertyValue("--banner-height") !== "");
    return page;
  };

  test("a visitor skips to the content, signs in, and returns to the previous page", async () => {
    const { email } = await createAccount(baseUrl);
    const page = await start("/login?returnTo=%2Faccount%2Fapi-keys");
    await heading(page, "Log in").waitFor();
    const skip = page.getByRole("link", { name: "Skip to content" });
    await tabTo(page, skip, "Shift+Tab"); // the form has the keyboard at first
    expect((await skip.boundingBox())?.y).toBeGreaterThanOrEqual(0);
    await page.keyboard.press("Enter");
    await tabTo(page, page.getByLabel("E-mail"));
    await page.keyboard.type(email);
    await tabTo(page, page.getByLabel("Password", { exact: true }));
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press("Enter");
    await page.waitForURL("**/account/api-keys");
    await heading(page, "API Keys").waitFor();
  });

  test("a visitor finds a model in the catalogue and goes through its tabs", async () => {
    const page = await start("/models?search=demo");
    await heading(page, "Models").waitFor();
    await tabTo(page, page.getByRole("link", { name: "feather/demo" }));
    await page.keyboard.press("Enter");
    await heading(page, "feather/demo").waitFor();
    await tabTo(page, page.getByRole("link", { name: "Readme" }));
    await page.keyboard.press("Enter");
    await page.waitForURL("**/models/feather/demo/readme");
    // Until then, the readme can move what gets the keyboard out of the window.
    await page.locator(".prose").getByRole("heading").first().waitFor();
    await tabTo(page, page.getByRole("tab", { selected: true }));
    const before = await page.getByRole("tab", { selected: true }).innerText();
    await page.keyboard.press("ArrowRight");
    const after = page.getByRole("tab", { selected: true });
    expect(await after.innerText()).not.toBe(before);
    await expect.poll(() => hasKeyboard(after)).toBe(true);
    await page.keyboard.press("ArrowLeft");
    expect(await page.getByRole("tab", { selected: true }).innerText()).toBe(before);
  });

  test("a user asks a question, stops the answer, and writes another", async () => {
    const { token, feather } = await createAccount(baseUrl);
    const page = await start("/chat?model=feather/demo", token);
    const message = page.getByLabel("Message");
    await message.waitFor();
    if (!(await hasKeyboard(message))) await tabTo(page, message);
    const line = await page.context().newCDPSession(page);
    await line.send("Network.enable");
    await page.keyboard.type("Who are you?");
    await page.getByRole("button", { name: "Send", disabled: false }).waitFor();
    await line.send("Network.emulateNetworkConditions", SLOW);
    await page.keyboard.press("Enter");
    const stop = page.getByRole("button", { name: "Stop", exact: true });
    await tabTo(page, stop);
    await page.keyboard.press("Enter");
    await page.getByText("stopped", { exact: true }).waitFor();
    await line.send("Network.emulateNetworkConditions", FAST);
    // The line was slow: the server hears late that the answer is not wanted any more, and the plan has one unit.
    await expect.poll(async () => (await feather.concurrency.get()).used_cost).toBe(0);
    await expect.poll(() => hasKeyboard(message)).toBe(true);
    await page.keyboard.type("Hello");
    await page.keyboard.press("Enter");
    await page
      .getByText(/^\d+ tokens$/)
      .last()
      .waitFor();
    expect(await page.getByRole("article").count()).toBe(2);
  });

  test("a user opens the command menu, navigates with it, and closes it again", async () => {
    const page = await start("/status");
    await heading(page, /./).waitFor();
    await tabTo(page, page.getByRole("link", { name: "Feather" }).first());
    await page.keyboard.press("Control+k");
    const field = page.getByRole("combobox", { name: /Find a page/ });
    await expect.poll(() => hasKeyboard(field)).toBe(true);
    await page.keyboard.press("Escape");
    await field.waitFor({ state: "detached" });
    await has(page, "link", "Feather");
    await page.keyboard.press("Control+k");
    await expect.poll(() => hasKeyboard(field)).toBe(true);
    await page.keyboard.type("demo");
    await page.getByRole("option", { name: "feather/demo" }).waitFor();
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowDown");
    while ((await page.getByRole("option", { selected: true }).innerText()) !== "feather/demo")
      await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await heading(page, "feather/demo").waitFor();
  });

  test("dialogs trap the focus and restore it", async () => {
    const { token } = await createAccount(baseUrl);
    const page = await start("/account/api-keys", token);
    await heading(page, "API Keys").waitFor();
    const opener = page.getByRole("button", { name: "New key" });
    await tabTo(page, opener);
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.waitFor();
    await expect.poll(() => within(page, "[role=dialog]")).toBe(true);
    for (let count = 0; count < 8; count++) {
      await page.keyboard.press("Tab");
      await expect.poll(() => within(page, "[role=dialog], [data-base-ui-focus-guard]")).toBe(true);
    }
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await expect.poll(() => hasKeyboard(opener)).toBe(true);
    await page.keyboard.press("Enter");
    await expect.poll(() => hasKeyboard(page.getByLabel("Name"))).toBe(true);
    await page.keyboard.type("laptop");
    await page.keyboard.press("Enter");
    await tabTo(page, dialog.getByRole("button", { name: "I have copied it" }));
    await page.keyboard.press("Enter");
    await page.getByRole("cell", { name: "laptop", exact: true }).waitFor();
  });

  test("menus and tables can be navigated", async () => {
    const { token, feather } = await createAccount(baseUrl);
    await feather.apiKeys.create({ name: "laptop" });
    const page = await start("/account/api-keys", token);
    const remove = page
      .getByRole("row", { name: /laptop/ })
      .getByRole("button")
      .last();
    await tabTo(page, remove);
    const account = page.getByRole("button", { name: /Account menu/ });
    await tabTo(page, account, "Shift+Tab");
    await page.keyboard.press("Enter");
    await has(page, "menuitem", "API keys");
    await page.keyboard.press("ArrowDown");
    await has(page, "menuitem", "Usage");
    await page.keyboard.press("Escape");
    await expect.poll(() => hasKeyboard(account)).toBe(true);
    await page.keyboard.press("Enter");
    await has(page, "menuitem", "API keys");
    await page.keyboard.type("Prof");
    await has(page, "menuitem", "Profile");
    await page.keyboard.press("Enter");
    await heading(page, "Profile").waitFor();
  });
});

/** What makes an answer of the small model take long enough to be stopped. */
const SLOW = { offline: false, latency: 0, downloadThroughput: 300, uploadThroughput: -1 };
const FAST = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 };

const within = (page: Page, selector: string): Promise<boolean> =>
  page.evaluate((target) => document.activeElement?.closest(target) !== null, selector);
