/**
 * Takes screenshots of every route in both themes and three widths into e2e/.artifacts/screenshots/, and lists problems:
 * script errors, violations of the content security policy, pages wider than the window, and axe findings.
 * `npm run screenshots -- /models /chat` captures only these routes; `--state new|broken|long` captures pages without data,
 * with failing calls, or with extremely long names and lists; `--only private` leaves out public routes; `--compare <folder>`
 * lists the pictures that differ from those in a folder, such as a copy from before a change of styles.
 */
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import AxeBuilder from "@axe-core/playwright";
import type { Browser, Page } from "playwright-core";
import { launchBrowser } from "../support/browser.ts";
import { startPlatform } from "../support/platform.ts";
import { type Route, routeAddress, siteRoutes } from "../support/site.ts";
import { comparePictures } from "./compare.ts";
import { failCalls, readState } from "./page-state.ts";
import { type SeedData, seedPlatform } from "./seed.ts";

const WIDTHS = [375, 768, 1440];
const THEMES = ["light", "dark"] as const;
const SETTLE_MS = 600; // for data that is loaded after the page

const { values, positionals: requestedPaths } = parseArgs({
  allowPositionals: true,
  options: { state: { type: "string", default: "full" }, only: { type: "string" }, compare: { type: "string" } },
});
const state = readState(values.state);
const OUTPUT_FOLDER = fileURLToPath(
  new URL(`../.artifacts/screenshots${state === "full" ? "" : `-${state}`}`, import.meta.url),
);
const folder = mkdtempSync(join(tmpdir(), "feather-look-"));
chmodSync(folder, 0o711);
const platform = await startPlatform(folder, { FEATHER_LOG_LEVEL: "error" });
const browser = await launchBrowser();
try {
  rmSync(OUTPUT_FOLDER, { recursive: true, force: true });
  mkdirSync(OUTPUT_FOLDER, { recursive: true });
  const seedData = await seedPlatform(platform.baseUrl, state);
  let findings = 0;
  for (const route of siteRoutes()) {
    if (requestedPaths.length > 0 && !requestedPaths.includes(route.path)) continue;
    if (values.only === "private" && route.access === "public") continue;
    for (const finding of await capture(browser, route, seedData)) {
      findings += 1;
      console.log(`${route.path}: ${finding}`);
    }
  }
  if (values.compare !== undefined)
    for (const difference of await comparePictures(browser, values.compare, OUTPUT_FOLDER)) {
      findings += 1;
      console.log(difference);
    }
  console.log(`\n${findings} findings. The pictures are in ${OUTPUT_FOLDER}.`);
  if (findings > 0) process.exitCode = 1;
} finally {
  await browser.close();
  platform.process.kill("SIGTERM");
  await platform.ended;
  rmSync(folder, { recursive: true, force: true });
}

async function capture(inBrowser: Browser, route: Route, seedData: SeedData): Promise<Set<string>> {
  const findings = new Set<string>();
  const token = route.access === "admin" ? seedData.adminToken : route.access === "private" ? seedData.userToken : null;
  for (const theme of THEMES)
    for (const width of WIDTHS) {
      const context = await inBrowser.newContext({ viewport: { width, height: 900 }, colorScheme: theme });
      if (token !== null) {
        await context.addCookies([{ name: "session", value: token, url: platform.baseUrl, httpOnly: true }]);
        await context.addInitScript(acceptEssentialCookies);
      }
      if (state === "broken") await failCalls(context);
      const page = await context.newPage();
      collectErrors(page, findings);
      const address = routeAddress(route.path, seedData.params(route.path)) + (seedData.queries[route.path] ?? "");
      await page.goto(platform.baseUrl + address, { waitUntil: "load" });
      await page.waitForLoadState("networkidle", { timeout: 5_000 }).catch(() => {});
      await page.waitForTimeout(SETTLE_MS);
      const name = `${
        route.path
          .replace("*", "any")
          .replaceAll(/[^a-z0-9]+/gi, "-")
          .replaceAll(/^-|-$/g, "") || "home"
      }-${width}-${theme}.png`;
      await page.screenshot({ path: join(OUTPUT_FOLDER, name), fullPage: true });
      await checkPage(page, width, theme, findings);
      await context.close();
    }
  return findings;
}

/** Stores a cookie choice, so that the banner does not cover the page. */
function acceptEssentialCookies(): void {
  const choice = { essential: true, analytics: false, functionality: false, marketing: false, accepted: true };
  localStorage.setItem("feather-cookie-preferences", JSON.stringify({ ...choice, timestamp: Date.now() }));
}

function collectErrors(page: Page, findings: Set<string>): void {
  page.on("pageerror", (error) => findings.add(`fails: ${error.message}`));
  page.on("console", (message) => {
    // Expected: without a session this call returns 401.
    const { url } = message.location();
    const broken = state === "broken" && message.text().startsWith("Failed to load resource");
    if (message.type() === "error" && !broken && !url.endsWith("/api/auth/me"))
      findings.add(`says: ${message.text().slice(0, 300)} ${url}`);
  });
}

async function checkPage(page: Page, width: number, theme: string, findings: Set<string>): Promise<void> {
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  if (overflow > 0) findings.add(`is ${overflow} px wider than ${width}`);
  if (width === 768) return;
  const { violations } = await new AxeBuilder({ page }).analyze();
  for (const { id, nodes } of violations)
    findings.add(
      `axe, ${theme}, ${width}: ${id} at ${nodes
        .map(({ target }) => target.join(" "))
        .slice(0, 3)
        .join(" | ")}`,
    );
}
