import { gzipSync } from "node:zlib";
import { newAccount } from "../support/accounts.ts";
import { launchBrowser } from "../support/browser.ts";
import type { Row } from "./row.ts";
import type { Stand } from "./stand.ts";
import { lighthouseRows } from "./web-lighthouse.ts";
import { FIRST_PAGES } from "./web-pages.ts";

const BAR_KB = 120;
/** Scripts loaded after the page, before any interaction, count too. */
const QUIET_MS = 2_000;

/** Measures the JavaScript of a first visit, and the Lighthouse scores. */
export async function webRows({ platform: { baseUrl } }: Pick<Stand, "platform">): Promise<Row[]> {
  const { token } = await newAccount(baseUrl);
  return [...(await weightRows(baseUrl, token)), ...(await lighthouseRows(baseUrl, token))];
}

async function weightRows(baseUrl: string, token: string): Promise<Row[]> {
  const browser = await launchBrowser();
  const rows: Row[] = [];
  try {
    for (const { path, signedIn } of FIRST_PAGES) {
      const context = await browser.newContext({ baseURL: baseUrl });
      if (signedIn) await context.addCookies([{ name: "session", value: token, url: baseUrl }]);
      const page = await context.newPage();
      const scripts: Promise<number>[] = [];
      page.on("response", (response) => {
        if (response.headers()["content-type"]?.includes("javascript"))
          scripts.push(response.body().then((body) => gzipSync(body, { level: 9 }).length));
      });
      await page.goto(path, { waitUntil: "networkidle" });
      await page.waitForTimeout(QUIET_MS);
      rows.push(
        weightRow(
          path,
          (await Promise.all(scripts)).reduce((sum, size) => sum + size, 0),
        ),
      );
      await context.close();
    }
  } finally {
    await browser.close();
  }
  return rows;
}

const weightRow = (path: string, bytes: number): Row => ({
  what: `JavaScript of a first visit to ${path}, gzip`,
  measured: `${(bytes / 1000).toFixed(1)} kB`,
  reference: `${BAR_KB} kB`,
  ratio: (bytes / 1000 / BAR_KB).toFixed(2),
  bar: `≤ ${BAR_KB} kB before interaction`,
});
