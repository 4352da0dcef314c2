import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";

/** The picture that a page takes apart: the sizes, and where pixels differ. */
type Difference = { sizes: [string, string]; pixels: number; share: number; top: number; bottom: number };

/**
 * Compares the pictures of a folder with those of the same name in another one, such as a copy from before a change. Returns
 * a line for each that differs; times and ids on a page differ in every run.
 */
export async function comparePictures(browser: Browser, before: string, after: string): Promise<string[]> {
  const page = await browser.newPage();
  const lines: string[] = [];
  for (const name of readdirSync(after)) {
    if (!name.endsWith(".png") || !existsSync(join(before, name))) continue;
    const pictures = [join(before, name), join(after, name)].map(toDataUrl);
    const { sizes, pixels, share, top, bottom } = await page.evaluate(findDifference, pictures);
    if (sizes[0] !== sizes[1]) lines.push(`${name}: ${sizes[0]} before, ${sizes[1]} now`);
    else if (pixels > 0)
      lines.push(`${name}: ${pixels} pixels differ (${(100 * share).toFixed(2)} %), from ${top} to ${bottom} px`);
  }
  await page.close();
  return lines;
}

const toDataUrl = (path: string): string => `data:image/png;base64,${readFileSync(path).toString("base64")}`;

/** Runs in the browser, which can decode pictures. */
async function findDifference(urls: string[]): Promise<Difference> {
  const [one, other] = await Promise.all(
    urls.map(async (url) => {
      const bitmap = await createImageBitmap(await (await fetch(url)).blob());
      const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
      context?.drawImage(bitmap, 0, 0);
      const data = context?.getImageData(0, 0, bitmap.width, bitmap.height).data;
      return { width: bitmap.width, height: bitmap.height, data: data ?? new Uint8ClampedArray() };
    }),
  );
  const none = { width: 0, height: 0, data: new Uint8ClampedArray() };
  const { width, height, data } = one ?? none;
  const second = other ?? none;
  const result = { pixels: 0, top: height, bottom: 0 };
  for (let index = 0; index < data.length; index += 4) {
    if ([0, 1, 2].every((channel) => data[index + channel] === second.data[index + channel])) continue;
    const y = Math.floor(index / 4 / width);
    result.pixels += 1;
    result.top = Math.min(result.top, y);
    result.bottom = Math.max(result.bottom, y);
  }
  return {
    ...result,
    share: result.pixels / Math.max(1, width * height),
    sizes: [`${width} × ${height}`, `${second.width} × ${second.height}`],
  };
}
