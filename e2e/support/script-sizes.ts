import { gzipSync } from "node:zlib";
import type { Page, Response } from "playwright-core";

/** What a first visit to a page may load of JavaScript before any interaction, in bytes with gzip. */
export const MAX_FIRST_VISIT_BYTES = 172_000;

/**
 * Counts the JavaScript that a page loads from now on. Returns a function that returns its bytes with gzip and ends the
 * count, since what a page loads later may still be under way when it is closed.
 */
export function countScriptBytes(page: Page): () => Promise<number> {
  const scripts: Response[] = [];
  const onResponse = (response: Response) => {
    if (response.headers()["content-type"]?.includes("javascript")) scripts.push(response);
  };
  page.on("response", onResponse);
  return async () => {
    page.off("response", onResponse);
    const bodies = await Promise.all(scripts.map((script) => script.body()));
    return bodies.reduce((sum, body) => sum + gzipSync(body, { level: 9 }).length, 0);
  };
}
