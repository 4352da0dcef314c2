import { createAccount } from "../support/accounts.ts";
import { launchBrowser } from "../support/browser.ts";
import { countScriptBytes, MAX_FIRST_VISIT_BYTES } from "../support/script-sizes.ts";
import type { BenchEnvironment } from "./environment.ts";
import type { ResultRow } from "./result-row.ts";
import { measureLighthouse } from "./web-lighthouse.ts";
import { ENTRY_PAGES } from "./web-pages.ts";

const MAX_JS_KB = MAX_FIRST_VISIT_BYTES / 1000;
/** Scripts loaded after the page, before any interaction, count too. */
const IDLE_WAIT_MS = 2_000;

/** Measures the JavaScript of a first visit, and the Lighthouse scores. */
export async function measureWeb({ platform: { baseUrl } }: Pick<BenchEnvironment, "platform">): Promise<ResultRow[]> {
  const { token } = await createAccount(baseUrl);
  return [...(await measureScriptSizes(baseUrl, token)), ...(await measureLighthouse(baseUrl, token))];
}

async function measureScriptSizes(baseUrl: string, token: string): Promise<ResultRow[]> {
  const browser = await launchBrowser();
  const rows: ResultRow[] = [];
  try {
    for (const { path, signedIn } of ENTRY_PAGES) {
      const context = await browser.newContext({ baseURL: baseUrl });
      if (signedIn) await context.addCookies([{ name: "session", value: token, url: baseUrl }]);
      const page = await context.newPage();
      const bytesOf = countScriptBytes(page);
      await page.goto(path, { waitUntil: "networkidle" });
      await page.waitForTimeout(IDLE_WAIT_MS);
      rows.push(toRow(path, await bytesOf()));
      await context.close();
    }
  } finally {
    await browser.close();
  }
  return rows;
}

const toRow = (path: string, bytes: number): ResultRow => ({
  what: `JavaScript of a first visit to ${path}, gzip`,
  measured: `${(bytes / 1000).toFixed(1)} kB`,
  reference: `${MAX_JS_KB} kB`,
  ratio: (bytes / 1000 / MAX_JS_KB).toFixed(2),
  bar: `≤ ${MAX_JS_KB} kB before interaction`,
});
