import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import AxeBuilder from "@axe-core/playwright";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type SeedData, seedPlatform } from "../screenshots/seed.ts";
import { launchBrowser } from "../support/browser.ts";
import { type Platform, startPlatform } from "../support/platform.ts";
import { type Route, routeAddress, siteRoutes } from "../support/site.ts";

const ACCESSES = ["public", "private", "admin"] as const;
const LOOKS = [
  [1440, "light"],
  [375, "dark"],
] as const;
const LIMIT = 400_000;
const CHOSEN = { essential: true, analytics: false, functionality: false, marketing: false, accepted: true };

let folder = "";
let platform: Platform;
let seedData: SeedData;
let browser: Browser;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "feather-accessibility-"));
  chmodSync(folder, 0o711); // the database's user has to pass
  platform = await startPlatform(folder, { FEATHER_LOG_LEVEL: "silent", FEATHER_PRELOAD: "off" });
  [browser, seedData] = await Promise.all([launchBrowser(), seedPlatform(platform.baseUrl)]);
});
afterAll(async () => {
  await browser?.close();
  platform?.process.kill("SIGTERM");
  await platform?.ended;
  rmSync(folder, { recursive: true, force: true });
});

/** A user who may open these routes, and has chosen about cookies: the banner would hide the content below it. */
async function visitorOf(access: Route["access"]): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: platform.baseUrl });
  const value = { public: null, private: seedData.userToken, admin: seedData.adminToken }[access];
  if (value !== null) await context.addCookies([{ name: "session", value, url: platform.baseUrl, httpOnly: true }]);
  await context.addInitScript(
    (choice) => localStorage.setItem("feather-cookie-preferences", JSON.stringify({ ...choice, timestamp: 1 })),
    CHOSEN,
  );
  return context;
}

/** What depends on theme and width only; everything else is the same in both looks. */
const RULES_OF_LOOKS = ["color-contrast", "target-size", "link-in-text-block", "scrollable-region-focusable"];

/**
 * Elements of Base UI that pass the focus on to an open popup. They can be focused, and are hidden from screen readers.
 */
const FOCUS_GUARDS = "[data-base-ui-focus-guard]";

/**
 * Returns the violations that axe finds on a page. One look (width and theme) gets all rules, the other one only those
 * that depend on the look; `turn` alternates which. `ignored` rules are left out. It starts with the look in which the
 * page before ended.
 */
async function findings(page: Page, path: string, turn: number, ignored: readonly string[] = []): Promise<string[]> {
  const found: string[] = [];
  const isOdd = turn % LOOKS.length === 1;
  for (const [index, [width, colorScheme]] of (isOdd ? LOOKS.toReversed() : LOOKS).entries()) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    await page.evaluate(drawn);
    await page.evaluate(showWhatTheBarCovers);
    // The legacy mode opens no second page to merge results, which only frames would need. Results are limited to
    // violations, because describing the elements that pass takes longer than checking them.
    const axe = new AxeBuilder({ page }).setLegacyMode(true).exclude(FOCUS_GUARDS);
    axe.options({ resultTypes: ["violations"] });
    const { violations } = await (index === 0 ? axe : axe.withRules(RULES_OF_LOOKS)).analyze();
    for (const { id, nodes } of violations.filter((violation) => !ignored.includes(violation.id))) {
      const where = nodes.map(({ html }) => html.slice(0, 120)).join(" | ");
      found.push(`${path}, ${width} px, ${colorScheme}: ${id} at ${where}`);
    }
  }
  return found;
}

/**
 * Moves the bar at the bottom of phones to the end of the page. Users can scroll to the content that it covers; axe
 * cannot.
 */
function showWhatTheBarCovers(): void {
  document.querySelector<HTMLElement>("nav[aria-label='Main pages']")?.style.setProperty("position", "static");
}

/** Themes change at once: colours on their way are no colours of ours. */
function stopTransitions(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("*, ::before, ::after { transition: none !important; }");
  document.adoptedStyleSheets.push(sheet);
}

/** Once the browser has drawn the page in its present look. */
async function drawn(): Promise<void> {
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
}

/**
 * Opens a page and waits for its content. Parts that never load are checked in the state that they have then. Returns
 * false for a page without a heading.
 */
async function settle(page: Page, address: string): Promise<boolean> {
  await page.goto(address, { waitUntil: "load" });
  const heading = page.locator("h1").first();
  const hasHeading = await heading.waitFor().then(
    () => true,
    () => false,
  );
  await page
    .waitForFunction(() => document.querySelector("[class*='_skeleton_'], [aria-busy=true]") === null, null, {
      timeout: 3_000,
    })
    .catch(() => {});
  await page.evaluate(stopTransitions);
  return hasHeading;
}

test.each(ACCESSES)(
  "%s pages have no axe violations in both themes and widths",
  async (access) => {
    const context = await visitorOf(access);
    const page = await context.newPage();
    await page.emulateMedia({ reducedMotion: "reduce" });
    const found: string[] = [];
    for (const [turn, { path }] of siteRoutes()
      .filter((route) => route.access === access)
      .entries()) {
      const settled = await settle(page, routeAddress(path, seedData.params(path)) + (seedData.queries[path] ?? ""));
      if (!settled) found.push(`${path}: no heading`);
      found.push(...(await findings(page, path, turn)));
    }
    expect(found).toEqual([]);
  },
  LIMIT,
);

const OPENED = [
  ["/models", "the sort order", "combobox", /Sort by/, "listbox"],
  ["/admin/audit", "the calendar", "button", /^Period/, "dialog"],
] as const;

test.each(OPENED)("%s has no axe violations with %s open", async (path, _, role, name, popup) => {
  const context = await visitorOf("admin");
  const page = await context.newPage();
  await page.emulateMedia({ reducedMotion: "reduce" });
  await settle(page, path);
  await page.getByRole(role, { name }).first().click();
  await page.getByRole(popup).first().waitFor();
  // An open popup lies above the page, outside of its landmarks.
  expect(await findings(page, path, 0, ["region"])).toEqual([]);
});
