import subsetFont from "subset-font";
import type { Plugin } from "vite";

type Axes = Record<string, number | { min: number; max: number }>;

/**
 * The range of each variable-font axis that the styles use, or its one value; the original fonts contain all weights. The
 * serif and the font of code have one weight: the weights from 400 to 500 that styles ask of them look nearly the same.
 */
const AXES: Record<string, Axes> = {
  newsreader: { opsz: { min: 16, max: 72 }, wght: 440 },
  "hanken-grotesk": { wght: { min: 400, max: 600 } },
  "jetbrains-mono": { wght: 400 },
};

/**
 * Vite plugin that reduces variable fonts to the axis ranges the site uses, because a first visit loads them.
 * The file name does not depend on `AXES`, so browsers keep a cached font after a change: if an axis is widened, they show
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
          if (file.type !== "asset") continue;
          const axes = findAxes(file.fileName);
          if (axes) file.source = await subsetAxes(Buffer.from(file.source), axes);
        }
      },
    },
  };
}

function findAxes(fileName: string): Axes | undefined {
  const family = Object.keys(AXES).find((name) => fileName.startsWith(`assets/${name}-`));
  return family && fileName.endsWith(".woff2") ? AXES[family] : undefined;
}

const subsetAxes = (font: Buffer, variationAxes: Axes): Promise<Buffer> =>
  subsetFont(font, null, { targetFormat: "woff2", keepAllGlyphs: true, variationAxes });
