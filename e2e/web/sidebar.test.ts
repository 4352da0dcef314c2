import { expect, test } from "vitest";
import { signInAsAdmin } from "../support/accounts.ts";
import { useBrowserPages } from "../support/browser-pages.ts";
import { platformUrl } from "../support/platform-url.ts";

const baseUrl = platformUrl();
const { open } = useBrowserPages();

test("the sidebar stays in sight on long pages, and makes short ones no longer than the window", async () => {
  const { token } = await signInAsAdmin(baseUrl);
  const page = await open({ session: token });
  await page.goto("/admin/settings");
  await page.locator("main section").nth(9).waitFor();
  const current = page.locator("aside.side").getByRole("link", { name: "Settings" });
  await current.waitFor();
  await page.evaluate(() => window.scrollTo(0, 4_000));
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(3_000);
  const box = await current.boundingBox();
  expect(box?.y).toBeGreaterThan(57);
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(900);
  await page.goto("/admin/coupons");
  await page.locator("aside.side").getByRole("link", { name: "Settings" }).waitFor();
  const side = await page.locator("aside.side").boundingBox();
  expect((side?.y ?? 0) + (side?.height ?? 0)).toBeLessThanOrEqual(900);
});
