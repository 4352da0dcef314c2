import type { Page, Route } from "playwright-core";
import { describe, expect, test } from "vitest";
import { useBrowserPages, WIDTHS } from "../support/browser-pages.ts";

const { open } = useBrowserPages();
const KEY = "feather-cookie-preferences";
const NONE = { essential: true, analytics: false, functionality: false, marketing: false };
const ALL = { essential: true, analytics: true, functionality: true, marketing: true };

const banner = (page: Page) => page.getByRole("region", { name: "Cookies" });
const dialog = (page: Page) => page.getByRole("dialog", { name: "Cookie Preferences" });
const floating = (page: Page) => page.getByRole("button", { name: "Cookie settings" });
const press = (page: Page, name: string) => dialog(page).getByRole("button", { name, exact: true }).click();
const record = (page: Page) => page.evaluate((key) => JSON.parse(localStorage.getItem(key) ?? "null"), KEY);

type Announced = { record: unknown; kept: string | null };
declare global {
  interface Window {
    announced: Announced[];
  }
}

/** Opens a page that records what it announces about cookies, and what is stored at that time. */
async function visit(width: number, address = "/status", kept?: string): Promise<Page> {
  const page = await open({ width });
  await page.addInitScript(
    ([key, before]) => {
      if (before !== undefined && localStorage.getItem(key) === null) localStorage.setItem(key, before);
      window.announced = [];
      window.addEventListener("cookiePreferencesUpdated", (event) => {
        window.announced.push({ record: (event as CustomEvent).detail, kept: localStorage.getItem(key) });
      });
    },
    [KEY, kept] as const,
  );
  await page.goto(address);
  return page;
}

async function openDetails(page: Page): Promise<void> {
  await banner(page).getByRole("button", { name: "Customize" }).click();
  await press(page, "Customize");
}

/** The banner is gone, here and after a reload; the record holds, stamped now, and was announced once. */
async function chosen(page: Page, began: number, expected: object): Promise<void> {
  await dialog(page).waitFor({ state: "hidden" });
  await banner(page).waitFor({ state: "hidden" });
  const kept = await record(page);
  expect(kept).toEqual({ ...expected, accepted: true, timestamp: expect.any(Number) });
  expect(kept.timestamp).toBeGreaterThanOrEqual(began);
  expect(kept.timestamp).toBeLessThanOrEqual(Date.now());
  expect(await page.evaluate(() => window.announced)).toEqual([{ record: kept, kept: JSON.stringify(kept) }]);
  await page.reload();
  await page.getByRole("heading", { level: 1 }).waitFor();
  expect(await banner(page).count()).toBe(0);
  expect(await record(page)).toEqual(kept);
}

describe.each(WIDTHS)("the consent banner at %i px", (width) => {
  test("is shown at the bottom of every page until the visitor chooses", async () => {
    const page = await visit(width);
    await banner(page).waitFor();
    const edges = async () => {
      const box = await banner(page).boundingBox();
      return box && { bottom: box.y + box.height, width: box.width };
    };
    // The site draws anew what the server has drawn: for a moment neither may be there.
    await expect.poll(edges).toEqual({ bottom: 900, width });
    expect(await floating(page).count()).toBe(0);
    await banner(page).getByRole("link", { name: "cookie policy" }).click();
    await page.getByRole("heading", { level: 1, name: "Cookie Policy" }).waitFor();
    await banner(page).waitFor();
    expect(await record(page)).toBeNull();
    const began = Date.now();
    await banner(page).getByRole("button", { name: "Accept All" }).click();
    await chosen(page, began, ALL);
  });

  test("opens a dialog with two views, and dismissing it decides nothing", async () => {
    const page = await visit(width);
    await banner(page).getByRole("button", { name: "Customize" }).click();
    await dialog(page).waitFor();
    await banner(page).waitFor({ state: "hidden" });
    await dialog(page)
      .getByText("We use cookies to enhance your browsing experience, analyze site traffic, and personalize content.")
      .waitFor();
    expect(await dialog(page).getByRole("link", { name: "Cookie Policy" }).getAttribute("href")).toBe("/cookie-policy");
    expect(await dialog(page).getByRole("checkbox").count()).toBe(0);
    await press(page, "Customize");
    const essential = dialog(page).getByRole("checkbox", { name: "Essential Cookies" });
    expect([await essential.isChecked(), await essential.isDisabled()]).toEqual([true, true]);
    expect(await dialog(page).getByRole("checkbox", { name: "Analytics Cookies" }).isChecked()).toBe(false);
    await press(page, "Back");
    await dialog(page).getByRole("button", { name: "Accept All" }).waitFor();
    await page.keyboard.press("Escape");
    await banner(page).waitFor();
    expect(await record(page)).toBeNull();
    expect(await page.evaluate(() => window.announced)).toEqual([]);
  });

  test.each([
    { choice: "Reject All", analytics: false, expected: NONE },
    { choice: "Reject All", analytics: true, expected: NONE },
    { choice: "Save Preferences", analytics: false, expected: NONE },
    { choice: "Save Preferences", analytics: true, expected: { ...NONE, analytics: true } },
  ])("$choice with analytics $analytics is stored", async ({ choice, analytics, expected }) => {
    const page = await visit(width);
    await openDetails(page);
    if (analytics) await dialog(page).getByRole("checkbox", { name: "Analytics Cookies" }).check();
    const began = Date.now();
    await press(page, choice);
    await chosen(page, began, expected);
  });

  test("allows everything with Accept All of the dialog", async () => {
    const page = await visit(width);
    await banner(page).getByRole("button", { name: "Customize" }).click();
    const began = Date.now();
    await press(page, "Accept All");
    await chosen(page, began, ALL);
  });

  test("can be reopened with the floating button, on large screens and not on the cookie policy", async () => {
    const page = await visit(width, "/status", JSON.stringify({ ...ALL, accepted: true, timestamp: 1 }));
    await page.getByRole("heading", { level: 1 }).waitFor();
    if (width < 1024) {
      expect(await floating(page).isVisible()).toBe(false);
      return;
    }
    await floating(page).waitFor();
    const box = await floating(page).boundingBox();
    expect(box?.x).toBeLessThan(60);
    expect(box?.y).toBeGreaterThan(800);
    await page.goto("/cookie-policy");
    await page.getByRole("heading", { level: 1 }).waitFor();
    expect(await floating(page).count()).toBe(0);
    await page.goto("/status");
    await floating(page).click();
    await press(page, "Customize");
    expect(await dialog(page).getByRole("checkbox", { name: "Analytics Cookies" }).isChecked()).toBe(true);
    const began = Date.now();
    await press(page, "Reject All");
    await chosen(page, began, NONE);
  });
});

test.each(["{", "null", '"yes"', '{"analytics":true}'])("a stored record of %j is no consent", async (kept) => {
  const page = await visit(1440, "/status", kept);
  const log: string[] = [];
  page.on("console", (message) => log.push(message.text()));
  await page.reload();
  await banner(page).waitFor();
  const isBroken = !kept.startsWith('{"');
  expect(log.some((line) => line.startsWith("Failed to parse cookie preferences"))).toBe(isBroken);
  await openDetails(page);
  const analytics = dialog(page).getByRole("checkbox", { name: "Analytics Cookies" });
  expect(await analytics.isChecked()).toBe(!isBroken);
});

test("a prerendered banner takes a choice only once the site's scripts run, so that no press is lost", async () => {
  const page = await open({ width: 1440 });
  const held: Route[] = [];
  await page.route("**/assets/site-*.js", (route) => void held.push(route));
  await page.goto("/status", { waitUntil: "commit" });
  const accept = banner(page).getByRole("button", { name: "Accept All" });
  await accept.waitFor();
  expect(await accept.isDisabled()).toBe(true);
  await expect.poll(() => held.length).toBeGreaterThan(0);
  await Promise.all(held.map((route) => route.continue()));
  await accept.click();
  await banner(page).waitFor({ state: "hidden" });
  expect(await record(page)).toMatchObject({ ...ALL, accepted: true });
});

test("a choice in one tab applies in the other", async () => {
  const page = await visit(1440);
  const other = await page.context().newPage();
  await other.goto("/models");
  await banner(other).waitFor();
  await banner(page).getByRole("button", { name: "Accept All" }).click();
  await banner(other).waitFor({ state: "hidden" });
});
