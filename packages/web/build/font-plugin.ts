import subsetFont from "subset-font";
import type { Plugin } from "vite";

type Axes = Record<string, { min: number; max: number }>;

/** The part of each axis that the styles use; the fonts come with all weights from the thinnest to the blackest. */
const AXES: Record<string, Axes> = {
  newsreader: { opsz: { min: 16, max: 72 }, wght: { min: 400, max: 600 } },
  "hanken-grotesk": { wght: { min: 400, max: 700 } },
  "jetbrains-mono": { wght: { min: 400, max: 700 } },
};

/**
 * Narrows variable fonts to what the site shows of them: a first visit fetches them together with what is to be read.
 * A file keeps its name whatever `AXES` say, so browsers that know it go on with the one they have. Where an axis is
 * widened they show the new weights as the nearest that they know, until the font itself is a new version.
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
          const axes = axesOf(file.fileName);
          if (axes) file.source = await narrowed(Buffer.from(file.source), axes);
        }
      },
    },
  };
}

function axesOf(fileName: string): Axes | undefined {
  const family = Object.keys(AXES).find((name) => fileName.startsWith(`assets/${name}-`));
  return family && fileName.endsWith(".woff2") ? AXES[family] : undefined;
}

const narrowed = (font: Buffer, variationAxes: Axes): Promise<Buffer> =>
  subsetFont(font, null, { targetFormat: "woff2", keepAllGlyphs: true, variationAxes });
