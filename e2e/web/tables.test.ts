import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { createAccount, signInAsAdmin } from "../support/accounts.ts";
import { answerWith } from "../support/answer.ts";
import { useBrowserPages } from "../support/browser-pages.ts";
import { platformUrl } from "../support/platform-url.ts";

const baseUrl = platformUrl();
const { open } = useBrowserPages();
const PHONE = 375;
/** Words of this many letters and digits fit into every column; addresses and paths may break. */
const WORD = "[\\p{L}\\p{N}]{2,14}";

/** Returns the words in the tables of a page that stand on more than one line. */
const listBrokenWords = (page: Page): Promise<string[]> =>
  page.evaluate((word) => {
    const whole = new RegExp(`(?<!\\S)${word}(?!\\S)`, "gu");
    const isBroken = (node: Node, start: number, end: number): boolean => {
      const range = document.createRange();
      range.setStart(node, start);
      range.setEnd(node, end);
      const shown = [...range.getClientRects()].filter(({ width }) => width > 0);
      return new Set(shown.map(({ top }) => Math.round(top))).size > 1;
    };
    const broken: string[] = [];
    for (const cell of document.querySelectorAll("td, th")) {
      const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
      for (let node = texts.nextNode(); node; node = texts.nextNode())
        for (const { 0: text, index } of (node.textContent ?? "").matchAll(whole))
          if (isBroken(node, index, index + text.length)) broken.push(text);
    }
    return broken;
  }, WORD);

const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);

const TABLE = `| Model | Vendor | Context | Price in | Price out | Tools | Vision | Note |
|---|---|---|---|---|---|---|---|
| Model 8 with a long name | Somebody | 131072 | 0.25 | 1.25 | yes | no | best for long conversations |
| Another one | Elsewhere | 8192 | 0.10 | 0.40 | no | yes | quick |`;

test.each([PHONE, 1440])("a wide table in an answer scrolls at %i px, and breaks no word", async (width) => {
  const { token } = await createAccount(baseUrl);
  const page = await open({ width, session: token });
  await answerWith(page, `Here they are.\n\n${TABLE}\n\n**That is all.**`);
  await page.goto("/chat?model=feather/demo");
  await page.getByLabel("Message").fill("Compare them");
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByText("That is all.").waitFor();
  expect(await listBrokenWords(page)).toEqual([]);
  const widths = await page.evaluate(() => [...document.querySelectorAll("td")].map((cell) => cell.clientWidth));
  expect(Math.min(...widths)).toBeGreaterThanOrEqual(70);
  expect(await overflow(page)).toBe(0);
});

test.each([PHONE, 1200, 1440])("tables with long names break no word at %i px, and stay in the page", async (width) => {
  const { token, feather } = await createAccount(baseUrl);
  await feather.account.update({ name: "Donaudampfschifffahrtsgesellschaftskapitaensmuetzen" });
  await feather.apiKeys.create({ name: "production — eu-west" });
  await feather.organization.invitations.create({ email: `${"long".repeat(12)}@example.com`, role: "viewer" });
  const page = await open({ width, session: token });
  for (const path of ["/account/api-keys", "/account/organization", "/docs/limits", "/docs/api/models"]) {
    await page.goto(path);
    await page.locator("main").getByRole("heading", { level: 1 }).waitFor();
    await page.locator("table").first().waitFor({ state: "attached" });
    expect(await listBrokenWords(page), path).toEqual([]);
    expect(await overflow(page), path).toBe(0);
  }
});

test.each([PHONE, 1440])("the tables of admins break no word at %i px", async (width) => {
  const { token } = await signInAsAdmin(baseUrl);
  const page = await open({ width, session: token });
  for (const path of ["/admin/settings", "/admin/models", "/admin/users", "/admin/audit"]) {
    await page.goto(path);
    await page.locator("main tbody tr").nth(1).waitFor();
    expect(await listBrokenWords(page), path).toEqual([]);
    expect(await overflow(page), path).toBe(0);
  }
});
