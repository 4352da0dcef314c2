import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { createAccount } from "../support/accounts.ts";
import { type PageOptions, useBrowserPages } from "../support/browser-pages.ts";
import { platformUrl } from "../support/platform-url.ts";
import { prerenderedPaths } from "../support/site.ts";

const baseUrl = platformUrl();
const { open } = useBrowserPages();

const otherAddress = baseUrl.replace("localhost", "127.0.0.1");

/** Pages that users get as other pages. */
const FOR_VISITORS = ["/", "/chat"];
/** A browser whose every answer differs from the one for which the pages were made. */
const FAR = { timezoneId: "Pacific/Kiritimati", locale: "nl-NL", baseURL: otherAddress };

/** Pages of the docs are of these kinds, and each differs in its words only. */
const DOCS_OF_EACH_KIND = ["/docs", "/docs/quickstart", "/docs/api", "/docs/api/models"];
const isOneOfManyDocs = (path: string) => path.startsWith("/docs") && !DOCS_OF_EACH_KIND.includes(path);

/** Opens an empty page that will remember which elements the server sent. */
async function openWatched(options: PageOptions): Promise<Page> {
  const page = await open(options);
  if (options.baseURL === otherAddress)
    await page.addInitScript(() => Object.defineProperty(navigator, "platform", { get: () => "MacIntel" }));
  await page.addInitScript(() => {
    document.addEventListener("DOMContentLoaded", () => {
      Object.assign(globalThis, { servedElements: [...document.querySelectorAll("#root h1, #root header")] });
    });
  });
  return page;
}

/** Opens a path and returns whether each element that the server sent is still there once the page has started. */
async function keptElements(page: Page, path: string): Promise<boolean[]> {
  await page.goto(path);
  await page.locator(".served").waitFor({ state: "detached" });
  return page.evaluate(() => {
    const { servedElements } = globalThis as unknown as { servedElements: Element[] };
    return servedElements.map(({ isConnected }) => isConnected);
  });
}

function expectAllKept(path: string, kept: readonly boolean[]): void {
  expect(kept, path).not.toEqual([]);
  expect(kept, path).not.toContain(false);
}

// React reports a difference between the server's HTML and its own as an error of the page, which fails the test.
test("every prerendered page keeps its elements when a visitor opens it", async () => {
  const page = await openWatched({});
  for (const path of prerenderedPaths()) expectAllKept(path, await keptElements(page, path));
}, 600_000);

test("every kind of prerendered page keeps its elements when a user on a Mac in another time zone, by another address than the public URL, opens it", async () => {
  const page = await openWatched({ session: (await createAccount(baseUrl)).token, ...FAR });
  // Home and chat are prerendered for visitors only.
  const paths = prerenderedPaths().filter((path) => !FOR_VISITORS.includes(path) && !isOneOfManyDocs(path));
  for (const path of paths) expectAllKept(path, await keptElements(page, path));
}, 600_000);

test.each(FOR_VISITORS)("%s keeps its elements when a visitor on a Mac in another time zone opens it", async (path) => {
  expectAllKept(path, await keptElements(await openWatched(FAR), path));
});

test("code on a prerendered page names the address by which the reader has come", async () => {
  const page = await open();
  await page.goto(`${otherAddress}/openai`);
  await page
    .locator("pre", { hasText: `${otherAddress}/v1` })
    .first()
    .waitFor();
});

test("a click on a prerendered link before the script has started still opens its page", async () => {
  const page = await open();
  await page.goto("/about", { waitUntil: "commit" });
  await page.getByRole("link", { name: "Docs", exact: true }).first().click();
  await page.waitForURL("**/docs**");
});

test("the home page of a user is not that of visitors, not even for a moment", async () => {
  const { token } = await createAccount(baseUrl);
  const page = await open({ session: token });
  const response = await page.goto("/");
  expect(await response?.text()).not.toContain("Start calling");
  await page.getByRole("heading", { name: "Units in use" }).waitFor();
  expect(await page.title()).toBe("Home - Feather");
});
