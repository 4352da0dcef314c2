import { expect, test } from "vitest";
import { createAccount } from "../support/accounts.ts";
import { useBrowserPages } from "../support/browser-pages.ts";
import { platformUrl } from "../support/platform-url.ts";
import { prerenderedPaths } from "../support/site.ts";

const baseUrl = platformUrl();
const { open } = useBrowserPages();

const otherAddress = baseUrl.replace("localhost", "127.0.0.1");

// React reports a difference between the server's HTML and its own as an error of the page, which fails the test.
test.each(["a visitor", "a user", "a visitor on a Mac in another time zone, by another address than the public URL,"])(
  "every prerendered page keeps its elements when %s opens it",
  async (who) => {
    const { token } = await createAccount(baseUrl);
    const isFar = who.includes("Mac");
    const page = await open({
      ...(who === "a user" && { session: token }),
      ...(isFar && { timezoneId: "Pacific/Kiritimati", locale: "de-DE" }),
    });
    if (isFar) await page.addInitScript(() => Object.defineProperty(navigator, "platform", { get: () => "MacIntel" }));
    await page.addInitScript(() => {
      document.addEventListener("DOMContentLoaded", () => {
        Object.assign(globalThis, { servedElements: [...document.querySelectorAll("#root h1, #root header")] });
      });
    });
    // Home and chat are prerendered for visitors only.
    const paths = prerenderedPaths().filter((path) => who !== "a user" || (path !== "/" && path !== "/chat"));
    for (const path of paths) {
      await page.goto((isFar ? otherAddress : "") + path);
      await page.locator(".served").waitFor({ state: "detached" });
      const kept = await page.evaluate(() => {
        const { servedElements } = globalThis as unknown as { servedElements: Element[] };
        return servedElements.map(({ isConnected }) => isConnected);
      });
      expect(kept, path).not.toEqual([]);
      expect(kept, path).not.toContain(false);
    }
  },
  600_000,
);

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
