import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { createAccount } from "../support/accounts.ts";
import { useBrowserPages } from "../support/browser-pages.ts";
import { platformUrl } from "../support/platform-url.ts";
import { outlinedPaths } from "../support/site.ts";

const baseUrl = platformUrl();
const { open } = useBrowserPages();
const PATHS = outlinedPaths();

test("the page of the plans is among those whose heading the server sends", () => {
  expect(PATHS).toContain("/pricing");
});

describe.each(PATHS)("the heading of %s", (path) => {
  test("can be read without JavaScript by a signed-in user", async () => {
    const { token } = await createAccount(baseUrl);
    const page = await open({ session: token, javaScriptEnabled: false });
    await page.goto(path);
    await page.locator("main h1").waitFor();
    expect((await page.locator("main h1").innerText()).length).toBeGreaterThan(0);
  });

  test("is not shown to a visitor, who comes to the login", async () => {
    const page = await open({ javaScriptEnabled: false });
    await page.goto(path);
    expect(page.url()).toBe(`${baseUrl}/login?returnTo=${encodeURIComponent(path)}`);
    expect(await page.locator("main h1").count()).toBe(0);
  });

  test.each([375, 768, 1440])("stays where it is at %i px when the page replaces it", async (width) => {
    const { token } = await createAccount(baseUrl);
    const page = await open({ width, session: token });
    const scripts = await holdScripts(page);
    await page.goto(path, { waitUntil: "commit" });
    await page.locator(".served main h1").waitFor();
    await page.evaluate(async () => {
      await document.fonts.ready;
    });
    const served = await readPlaces(page);
    scripts.release();
    await page.locator(".served").waitFor({ state: "detached" });
    expect(await readPlaces(page)).toEqual(served);
  });
});

/** Keeps the modules of a page from being loaded until they are released. */
async function holdScripts(page: Page): Promise<{ release(): void }> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route("**/assets/*.js", async (route) => {
    await promise;
    await route.continue();
  });
  return { release: resolve };
}

/** Returns the texts of heading and lede with their places on the screen. */
const readPlaces = (page: Page) =>
  page.locator("main h1, main .lede").evaluateAll((elements) =>
    elements.map((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return { text: element.textContent, x, y, width, height };
    }),
  );
