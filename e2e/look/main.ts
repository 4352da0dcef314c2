/**
 * Takes screenshots of every route in both themes and three widths into e2e/.artifacts/look/, and lists problems:
 * script errors, violations of the content security policy, pages wider than the window, and axe findings.
 * `npm run look -- /models /chat` captures only these routes; `--state new|broken|long` captures pages without data,
 * with failing calls, or with extremely long names and lists; `--only private` leaves out public routes.
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
import { addressOf, type Route, siteRoutes } from "../support/site.ts";
import { type Furnished, furnish } from "./furnish.ts";
import { breakCalls, readState } from "./state.ts";

const WIDTHS = [375, 768, 1440];
const THEMES = ["light", "dark"] as const;
const SETTLED = 600; // for data that is loaded after the page

const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { state: { type: "string", default: "full" }, only: { type: "string" } },
});
const state = readState(values.state);
const OUT = fileURLToPath(new URL(`../.artifacts/look${state === "full" ? "" : `-${state}`}`, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "feather-look-"));
chmodSync(folder, 0o711);
const platform = await startPlatform(folder, { FEATHER_LOG_LEVEL: "error" });
const browser = await launchBrowser();
try {
  rmSync(OUT, { recursive: true, force: true });
  mkdirSync(OUT, { recursive: true });
  const house = await furnish(platform.baseUrl, state);
  let findings = 0;
  for (const route of siteRoutes()) {
    if (wanted.length > 0 && !wanted.includes(route.path)) continue;
    if (values.only === "private" && route.access === "public") continue;
    for (const finding of await look(browser, route, house)) {
      findings += 1;
      console.log(`${route.path}: ${finding}`);
    }
  }
  console.log(`\n${findings} findings. The pictures are in ${OUT}.`);
  if (findings > 0) process.exitCode = 1;
} finally {
  await browser.close();
  platform.process.kill("SIGTERM");
  await platform.ended;
  rmSync(folder, { recursive: true, force: true });
}

async function look(on: Browser, route: Route, house: Furnished): Promise<Set<string>> {
  const findings = new Set<string>();
  const token = route.access === "admin" ? house.adminToken : route.access === "private" ? house.userToken : null;
  for (const theme of THEMES)
    for (const width of WIDTHS) {
      const context = await on.newContext({ viewport: { width, height: 900 }, colorScheme: theme });
      if (token !== null) {
        await context.addCookies([{ name: "session", value: token, url: platform.baseUrl, httpOnly: true }]);
        await context.addInitScript(chooseCookies);
      }
      if (state === "broken") await breakCalls(context);
      const page = await context.newPage();
      listen(page, findings);
      const address = addressOf(route.path, house.params(route.path)) + (house.queries[route.path] ?? "");
      await page.goto(platform.baseUrl + address, { waitUntil: "load" });
      await page.waitForLoadState("networkidle", { timeout: 5_000 }).catch(() => {});
      await page.waitForTimeout(SETTLED);
      const name = `${
        route.path
          .replace("*", "any")
          .replaceAll(/[^a-z0-9]+/gi, "-")
          .replaceAll(/^-|-$/g, "") || "home"
      }-${width}-${theme}.png`;
      await page.screenshot({ path: join(OUT, name), fullPage: true });
      await inspect(page, width, theme, findings);
      await context.close();
    }
  return findings;
}

/** Stores a cookie choice, so that the banner does not cover the page. */
function chooseCookies(): void {
  const choice = { essential: true, analytics: false, functionality: false, marketing: false, accepted: true };
  localStorage.setItem("feather-cookie-preferences", JSON.stringify({ ...choice, timestamp: Date.now() }));
}

function listen(page: Page, findings: Set<string>): void {
  page.on("pageerror", (error) => findings.add(`fails: ${error.message}`));
  page.on("console", (message) => {
    // Expected: without a session this call returns 401.
    const { url } = message.location();
    const broken = state === "broken" && message.text().startsWith("Failed to load resource");
    if (message.type() === "error" && !broken && !url.endsWith("/api/auth/me"))
      findings.add(`says: ${message.text().slice(0, 300)} ${url}`);
  });
}

async function inspect(page: Page, width: number, theme: string, findings: Set<string>): Promise<void> {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  if (wide > 0) findings.add(`is ${wide} px wider than ${width}`);
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
