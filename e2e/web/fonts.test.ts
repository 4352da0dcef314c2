import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { useBrowserPages } from "../support/browser-pages.ts";
import { readWeights } from "../support/woff2.ts";

const ASSETS = fileURLToPath(new URL("../../packages/web/dist/assets", import.meta.url));
/** How far a declared weight may lie outside the weights of its file, since such weights look nearly the same. */
const NEAR = 60;
const { open } = useBrowserPages();

type Face = { family: string; file: string; weights: [number, number] };

/** Returns the faces of the site's own fonts in the built style sheet. */
function listFaces(): Face[] {
  const css = globSync(`${ASSETS}/*.css`)
    .map((path) => readFileSync(path, "utf8"))
    .join("");
  return [...css.matchAll(/@font-face\s*\{[^}]*\}/g)].flatMap(([face]) => {
    const [, family] = /font-family:\s*"?([^";}]+)/.exec(face) ?? [];
    const [, file] = /url\("?\/?(?:assets\/|\.\/)?([^")]+\.woff2)/.exec(face) ?? [];
    const [, lowest, highest = lowest] = /font-weight:\s*(\d+)(?:\s+(\d+))?/.exec(face) ?? [];
    if (!family?.endsWith("Variable") || !file) return [];
    return [{ family, file, weights: [Number(lowest), Number(highest)] }];
  });
}

test("every face of the built fonts names only weights that its file holds", () => {
  const faces = listFaces();
  expect(new Set(faces.map(({ family }) => family)).size).toBe(3);
  for (const { file, weights } of faces) {
    const held = readWeights(readFileSync(`${ASSETS}/${file}`));
    expect(weights[0], file).toBeGreaterThanOrEqual(held[0] - NEAR);
    expect(weights[1], file).toBeLessThanOrEqual(held[1] + NEAR);
  }
});

test.each([
  ["serif", 700],
  ["sans", 600],
  ["mono", 700],
])("bold text in the %s font is drawn darker than regular text", async (font, weight) => {
  const page = await open();
  await page.goto("/terms");
  await page.locator(".served").waitFor({ state: "detached" });
  const ink = await page.evaluate(
    async ({ font, weight }) => {
      const [family = ""] = getComputedStyle(document.documentElement).getPropertyValue(`--${font}`).split(",");
      const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
      if (!canvas) throw new Error("The browser draws nothing.");
      canvas.canvas.width = 600;
      const sums: number[] = [];
      for (const one of [400, weight]) {
        const shorthand = `${one} 40px ${family}`;
        await document.fonts.load(shorthand, "Bold");
        canvas.clearRect(0, 0, 600, 150);
        canvas.font = shorthand;
        canvas.fillText("Bold is not regular", 10, 60);
        sums.push(canvas.getImageData(0, 0, 600, 150).data.reduce((sum, value) => sum + value, 0));
      }
      return sums;
    },
    { font, weight },
  );
  expect((ink[1] ?? 0) / (ink[0] ?? 0)).toBeGreaterThan(1.1);
});

test("italic prose has a font of its own", async () => {
  const page = await open();
  await page.goto("/terms");
  await page.locator(".served").waitFor({ state: "detached" });
  const loaded = await page.evaluate(async () => {
    const [family = ""] = getComputedStyle(document.documentElement).getPropertyValue("--serif").split(",");
    const faces = await document.fonts.load(`italic 400 17px ${family}`, "Italic");
    return faces.map(({ style, status }) => `${style} ${status}`);
  });
  expect(loaded).toContain("italic loaded");
});
