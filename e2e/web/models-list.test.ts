import { expect, test } from "vitest";
import { createAccount } from "../support/accounts.ts";
import { useBrowserPages } from "../support/browser-pages.ts";
import { platformUrl } from "../support/platform-url.ts";

const { open } = useBrowserPages();
const DEMO = "feather/demo";

test("the list of models has most of the width of a small desktop, and room for names beside ratings", async () => {
  const { feather } = await createAccount(platformUrl());
  const { id } = await feather.models.reviews.create(DEMO, { rating: 4, review: "It answers at once." });
  const page = await open({ width: 1024 });
  await page.goto("/models");
  // Rows that are placeholders have no links.
  const row = page.locator("main tbody tr", { has: page.getByRole("link") }).first();
  await row.waitFor();
  const filters = await page.getByRole("complementary", { name: "Filters" }).boundingBox();
  expect(filters?.width).toBeLessThanOrEqual(1024 * 0.2);
  const name = await row.locator("td, th").first().boundingBox();
  expect(name?.width).toBeGreaterThanOrEqual(240);
  await feather.models.reviews.delete(DEMO, id);
});

test.each([
  ["a mouse", false],
  ["a finger", true],
])("the search of models names its key to readers with %s: hidden %s", async (_with, isHidden) => {
  const page = await open({ width: 1024, hasTouch: isHidden, isMobile: isHidden });
  await page.goto("/models");
  const key = page.locator("main kbd").first();
  await key.waitFor({ state: isHidden ? "hidden" : "visible" });
  expect(await key.isHidden()).toBe(isHidden);
});
