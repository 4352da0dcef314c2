import { expect, test } from "vitest";
import { ENTRY_PAGES } from "../bench/web-pages.ts";
import { createAccount } from "../support/accounts.ts";
import { useBrowserPages } from "../support/browser-pages.ts";
import { platformUrl } from "../support/platform-url.ts";
import { countScriptBytes, MAX_FIRST_VISIT_BYTES } from "../support/script-sizes.ts";

const baseUrl = platformUrl();
const { open } = useBrowserPages();

test.each(ENTRY_PAGES)("a first visit to $path loads at most 172 kB of JavaScript", async ({ path, signedIn }) => {
  const { token } = await createAccount(baseUrl);
  const page = await open(signedIn ? { session: token } : {});
  const bytesOf = countScriptBytes(page);
  await page.goto(path, { waitUntil: "networkidle" });
  expect(await bytesOf()).toBeLessThanOrEqual(MAX_FIRST_VISIT_BYTES);
});
