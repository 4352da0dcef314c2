import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser } from "../support/browser.ts";
import { ADMIN } from "../support/platform.ts";
import { platformUrl } from "../support/platform-url.ts";

const baseUrl = platformUrl();
const LONG = "Unbroken".repeat(25);
const RIGHT_TO_LEFT = "نموذج اللغة العربية";
/** Fields of answers that hold words of people. */
const WORDS = new Set(["name", "title", "description", "username", "review", "body", "label", "reason", "note"]);
const LISTS = [
  "/models",
  "/models/feather/demo",
  "/models/feather/demo/reviews",
  "/status",
  "/account/api-keys",
  "/account/usage",
  "/account/private-cloud/deployments",
  "/developer/applications",
  "/admin/users",
  "/admin/models",
  "/admin/applications",
];
let browser: Browser;
let context: BrowserContext;

beforeAll(async () => {
  browser = await launchBrowser();
  context = await browser.newContext({ baseURL: baseUrl, viewport: { width: 375, height: 800 } });
  await context.addInitScript(() => localStorage.setItem("feather-cookie-preferences", '{"accepted":true}'));
  const { request } = context;
  await request.post("/api/auth/login", { data: ADMIN });
  // Something to read in the lists.
  await request.post("/api/api-keys", { data: { name: "laptop" } });
  await request.post("/api/application", {
    data: { name: "Roost", redirect_uris: ["https://roost.example/cb"], scopes: ["user.read"] },
  });
  await request.post("/api/feather/models/feather%2Fdemo/reviews", { data: { review: "Good.", rating: 4, tags: [] } });
});
afterAll(() => browser.close());

type Given = { status?: number; contentType?: string; body: string };

/** Opens a page whose lists are answered with a given response, or with the server's body changed. */
async function open(given: Given | ((body: unknown) => unknown)): Promise<{ page: Page; errors: string[] }> {
  const page = await context.newPage();
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(`${new URL(page.url()).pathname}: ${error.message}`));
  await page.route(/\/api\/(?!config|auth\/|route-rules)/, async (route) => {
    if (route.request().method() !== "GET") return route.continue();
    if (typeof given !== "function") return route.fulfill({ headers: { "x-should-retry": "false" }, ...given });
    const response = await route.fetch().catch(() => null);
    if (response === null) return route.abort();
    if (!response.headers()["content-type"]?.includes("json")) return route.fulfill({ response });
    return route.fulfill({ response, json: given(await response.json()) });
  });
  return { page, errors };
}

function withWords(value: unknown, texts: string): unknown {
  if (Array.isArray(value)) return value.map((item) => withWords(item, texts));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      typeof inner === "string" && inner !== "" && WORDS.has(name) ? texts : withWords(inner, texts),
    ]),
  );
}

type Pages = { items?: unknown[]; pagination?: object };

const paged = (body: unknown, pages: object, items?: unknown[]): unknown => {
  const { pagination, items: own } = body as Pages;
  if (Array.isArray(body) || !pagination || own?.length === 0) return body;
  return { ...(body as object), ...(items && { items }), pagination: { ...pagination, ...pages } };
};

/** Opens each list, waits until it stops changing, and returns its faults. */
async function sweep(page: Page, wrong: (path: string) => Promise<string | null>): Promise<string[]> {
  const found: string[] = [];
  for (const path of LISTS) {
    await page.goto(path);
    await page.getByRole("heading", { level: 1 }).first().waitFor();
    await page.waitForLoadState("networkidle");
    const error = await wrong(path);
    if (error !== null) found.push(`${path}: ${error}`);
  }
  return found;
}

const overflow = (page: Page): Promise<string | null> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth > clientWidth ? `${scrollWidth} px in ${clientWidth}` : null;
  });

test("names of 200 characters without spaces do not overflow the page", async () => {
  const { page, errors } = await open((body) => withWords(body, LONG));
  expect(await sweep(page, () => overflow(page))).toEqual([]);
  expect(errors).toEqual([]);
  await page.close();
});

test("right-to-left names are rendered right to left everywhere", async () => {
  const { page, errors } = await open((body) => withWords(body, RIGHT_TO_LEFT));
  const undirected = () =>
    page.evaluate((texts) => {
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      const found = new Set<string>();
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        const { parentElement: parent, textContent } = node;
        // Alone in its element it is the whole text; among other words it has to be kept apart from them.
        if (!parent || textContent?.trim() !== texts || parent.closest("[dir=auto], bdi, option, script")) continue;
        if (!/plaintext|isolate/.test(getComputedStyle(parent).unicodeBidi)) found.add(parent.outerHTML.slice(0, 100));
      }
      return found.size > 0 ? [...found].join(" ") : null;
    }, RIGHT_TO_LEFT);
  expect(await sweep(page, undirected)).toEqual([]);
  expect(errors).toEqual([]);
  await page.close();
});

test("empty lists explain themselves", async () => {
  const empty = { current_page: 1, total_items: 0, total_pages: 0 };
  const { page, errors } = await open((body) =>
    Array.isArray((body as Pages | null)?.items) ? { ...(paged(body, empty) as object), items: [] } : body,
  );
  const silent = async () => ((await page.locator("main").innerText()).trim().length < 80 ? "nothing is said" : null);
  expect(await sweep(page, silent)).toEqual([]);
  expect(errors).toEqual([]);
  await page.close();
});

test("a list of a million rows shows one page and links to the others", async () => {
  const { page, errors } = await open((body) => paged(body, { total_items: 1_000_000, total_pages: 50_000 }));
  const large = async () => {
    const nodes = await page.locator("*").count();
    return nodes > 5_000 ? `${nodes} elements` : overflow(page);
  };
  expect(await sweep(page, large)).toEqual([]);
  for (const number of ["50000", "999999999", "-1", "abc"]) {
    await page.goto(`/models?page=${number}`);
    await page.getByRole("heading", { level: 1 }).first().waitFor();
  }
  expect(errors).toEqual([]);
  await page.close();
});

test("a list that could not be read is there after a retry", async () => {
  const { page, errors } = await open({ contentType: "text/html", body: "<!doctype html><h1>Proxy</h1>" });
  await page.goto("/account/api-keys");
  await page.getByRole("button", { name: "Try again" }).waitFor();
  await page.unroute(/\/api\/(?!config|auth\/|route-rules)/);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("cell", { name: "laptop", exact: true }).first().waitFor();
  expect(errors).toEqual([]);
  await page.close();
});
