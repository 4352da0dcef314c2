import { basename } from "node:path";
import subsetFont from "subset-font";
import type { Plugin } from "vite";

type Axes = Record<string, number | { min: number; max: number }>;

/**
 * The range of each variable-font axis that the styles use, or its one value; the original fonts contain all weights. The
 * faces in `src/styles` name the weights that are left: each file of one weight stands for those near it.
 */
const FONTS: readonly { family: string; file: string; axes: Axes }[] = [
  { family: "newsreader", file: "opsz-normal", axes: { opsz: { min: 16, max: 72 }, wght: 440 } },
  { family: "newsreader", file: "wght-normal", axes: { wght: 650 } },
  { family: "newsreader", file: "wght-italic", axes: { wght: 440 } },
  { family: "hanken-grotesk", file: "wght-normal", axes: { wght: { min: 400, max: 600 } } },
  { family: "jetbrains-mono", file: "wght-normal", axes: { wght: 400 } },
];

/**
 * Vite plugin that reduces variable fonts to the axis ranges the site uses, because a first visit loads them.
 * The file name does not depend on `FONTS`, so browsers keep a cached font after a change: if an axis is widened, they show
 * the nearest cached weight until the font package itself changes.
 */
export function fontPlugin(): Plugin {
  return {
    name: "feather-font",
    apply: "build",
    generateBundle: {
      order: "post",
      async handler(_options, bundle) {
        for (const file of Object.values(bundle)) {
          if (file.type !== "asset" || !file.fileName.endsWith(".woff2")) continue;
          file.source = await reduceFont(basename(file.fileName), Buffer.from(file.source));
        }
      },
    },
  };
}

async function reduceFont(fileName: string, font: Buffer): Promise<Buffer> {
  const known = FONTS.find(({ family, file }) => fileName.startsWith(`${family}-`) && fileName.includes(`-${file}`));
  if (!known) return font;
  return subsetFont(font, null, { targetFormat: "woff2", keepAllGlyphs: true, variationAxes: known.axes });
}
