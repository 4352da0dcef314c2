import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { createEmail, PASSWORD } from "./accounts.ts";
import { launchBrowser } from "./browser.ts";
import { platformUrl } from "./platform-url.ts";

/** Widths of a desktop and a phone. */
export const WIDTHS = [1440, 375] as const;
const FAILURES_FOLDER = fileURLToPath(new URL("../.artifacts/failed", import.meta.url));

/** Options of a page; signed out without a session. */
export type PageOptions = Omit<BrowserContextOptions, "viewport" | "baseURL"> & {
  width?: number;
  /** The session token. */
  session?: string;
  /** The address of the platform; that of the test file by default. */
  baseURL?: string;
};

/**
 * Opens pages, each in its own browser context. A test fails if a script on its pages fails or violates the content
 * security policy; a failed test stores screenshots.
 */
export function useBrowserPages(): { open(visitor?: PageOptions): Promise<Page> } {
  const ownUrl = platformUrl();
  let browser: Browser;
  const errors: string[] = [];

  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());
  afterEach(async ({ task }) => {
    const contexts = browser.contexts();
    if (task.result?.state === "fail")
      await saveScreenshots(
        task.id,
        contexts.flatMap((context) => context.pages()),
      );
    for (const context of contexts) await context.close();
    expect(errors.splice(0), "what failed on the pages").toEqual([]);
  });

  return {
    async open({ width = 1440, session, baseURL = ownUrl, ...options }: PageOptions = {}) {
      const context = await browser.newContext({ ...options, viewport: { width, height: 900 }, baseURL });
      context.setDefaultTimeout(60_000);
      await context.grantPermissions(["clipboard-read", "clipboard-write"]);
      if (session) await context.addCookies([{ name: "session", value: session, url: baseURL, httpOnly: true }]);
      context.on("page", (page) => collectErrors(page, errors));
      return context.newPage();
    },
  };
}

function collectErrors(page: Page, errors: string[]): void {
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => {
    // Refused requests are up to the test.
    const refused = message.text().startsWith("Failed to load resource");
    if (message.type() === "error" && !refused) errors.push(message.text());
  });
}

async function saveScreenshots(name: string, pages: readonly Page[]): Promise<void> {
  mkdirSync(FAILURES_FOLDER, { recursive: true });
  for (const [index, page] of pages.entries())
    await page.screenshot({ path: join(FAILURES_FOLDER, `${name}-${index}.png`) }).catch(() => {});
}

/** Fills in and submits the login form. */
export async function logIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByRole("heading", { level: 1, name: "Log in" }).waitFor();
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.locator("main").getByRole("button", { name: "Log in", exact: true }).click();
}

/** Fills in and submits the sign-up form with a new address. */
export async function signUp(page: Page): Promise<{ email: string }> {
  await page.getByRole("heading", { level: 1, name: "Sign up" }).waitFor();
  const email = createEmail();
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.locator("main").getByRole("button", { name: "Sign up", exact: true }).click();
  return { email };
}
