import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { createAccount } from "../support/accounts.ts";
import { useBrowserPages } from "../support/browser-pages.ts";
import { platformUrl } from "../support/platform-url.ts";

const baseUrl = platformUrl();
const { open } = useBrowserPages();

/** The sizes in pixels of all words that a page shows. */
const sizesOf = (page: Page): Promise<number[]> =>
  page.evaluate(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const sizes = new Set<number>();
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const { parentElement } = node;
      if (!node.textContent?.trim() || !parentElement?.checkVisibility()) continue;
      sizes.add(Number.parseFloat(getComputedStyle(parentElement).fontSize));
    }
    return [...sizes];
  });

async function visit(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.locator(".served").waitFor({ state: "detached" });
  await page.locator("h1").first().waitFor({ state: "attached" });
}

test.each(["/", "/models", "/models/feather/demo", "/chat", "/account/usage", "/account/api-keys"])(
  "no text on %s is smaller than 12 px, and body text has 14",
  async (address) => {
    const { token } = await createAccount(baseUrl);
    const page = await open({ session: token });
    await visit(page, address);
    const sizes = await sizesOf(page);
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(12);
    expect(await page.evaluate(() => getComputedStyle(document.body).fontSize)).toBe("14px");
  },
);

test("text follows the font size set in the browser", async () => {
  const page = await open();
  await visit(page, "/status");
  const size = await page.evaluate(() => {
    document.documentElement.style.fontSize = "20px";
    return getComputedStyle(document.body).fontSize;
  });
  expect(size).toBe("17.5px");
});

test("input fields have 16 px on touch screens, so that phones do not zoom in", async () => {
  const page = await open({ width: 375, hasTouch: true, isMobile: true });
  await visit(page, "/login");
  const size = await page.getByLabel("E-mail").evaluate((field) => getComputedStyle(field).fontSize);
  expect(size).toBe("16px");
});
