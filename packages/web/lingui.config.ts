import { babelExtractor } from "@lingui/cli/api/extractors/babel";
import { defineConfig } from "@lingui/conf";
import { formatter } from "@lingui/format-po";
import { routeTitlesExtractor } from "./build/route-titles.ts";

/** Lingui configuration. To add a language, see docs/translating.md. */
export default defineConfig({
  sourceLocale: "en",
  locales: ["en", "de", "es", "fr", "ja", "zh-Hans"],
  pseudoLocale: "pseudo",
  fallbackLocales: { pseudo: "en" },
  catalogs: [
    {
      path: "<rootDir>/locales/{locale}",
      include: ["<rootDir>/src"],
      exclude: ["**/*.test.*", "<rootDir>/src/testing/**"],
    },
  ],
  extractors: [routeTitlesExtractor, babelExtractor],
  // Sorted by message and without origins, so that the diff of a catalogue shows changed messages only.
  orderBy: "message",
  format: formatter({ origins: false }),
  runtimeConfigModule: { i18n: ["#/i18n/runtime.ts", "i18n"], Trans: ["#/i18n/trans.tsx", "Trans"] },
});
