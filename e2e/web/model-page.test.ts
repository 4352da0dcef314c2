import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { useBrowserPages } from "../support/browser-pages.ts";

const { open } = useBrowserPages();

/** Records how far visible elements of the page move, as the standard of `layout-shift` defines it. */
function recordShifts(): void {
  const shifts: number[] = [];
  Object.assign(window, { shifts });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if ("value" in entry) shifts.push(Number(entry.value));
  }).observe({ type: "layout-shift", buffered: true });
}

/** Returns the shifts that were seen since the last call, when the page has been drawn twice more. */
const takeShifts = (page: Page): Promise<number[]> =>
  page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
    await new Promise((resolve) => setTimeout(resolve));
    const { shifts } = window as unknown as { shifts: number[] };
    return shifts.splice(0);
  });

test.each([
  ["a phone", 375],
  ["a tablet", 768],
  ["a laptop", 1440],
])("nothing that is seen on a model's page moves on %s when the readme arrives late", async (_device, width) => {
  const page = await open({ width });
  const mayArrive = Promise.withResolvers<void>();
  await page.addInitScript(recordShifts);
  await page.route(/\/assets\/(readme|markdown)[\w-]*\.js/, async (route) => {
    await mayArrive.promise;
    await route.continue();
  });
  await page.goto("/models/feather/demo/readme");
  await page.getByRole("heading", { level: 1, name: "feather/demo" }).waitFor();
  // The fonts move the header when they arrive.
  await page.evaluate(async () => void (await document.fonts.ready));
  await takeShifts(page);
  mayArrive.resolve();
  await page.locator(".prose").getByRole("heading").first().waitFor();
  expect(await takeShifts(page)).toEqual([]);
});
