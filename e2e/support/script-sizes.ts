import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";

/** What a first visit to a page may load of JavaScript before any interaction, in bytes with gzip. */
export const MAX_FIRST_VISIT_BYTES = 172_000;

/** Counts the JavaScript that a page loads from now on. Returns a function that returns its bytes with gzip. */
export function countScriptBytes(page: Page): () => Promise<number> {
  const sizes: Promise<number>[] = [];
  page.on("response", (response) => {
    if (response.headers()["content-type"]?.includes("javascript"))
      sizes.push(response.body().then((body) => gzipSync(body, { level: 9 }).length));
  });
  return async () => (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
