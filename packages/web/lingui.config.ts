import { babelExtractor } from "@lingui/cli/api/extractors/babel";
import { defineConfig } from "@lingui/conf";
import { formatter } from "@lingui/format-po";
import { routeTextsExtractor } from "./build/route-texts.ts";

/** The languages of the site. To add one: docs/translating.md. */
export default defineConfig({
  sourceLocale: "en",
  locales: ["en"],
  catalogs: [
    {
      path: "<rootDir>/locales/{locale}",
      include: ["<rootDir>/src"],
      exclude: ["**/*.test.*", "<rootDir>/src/testing/**"],
    },
  ],
  extractors: [routeTextsExtractor, babelExtractor],
  // By text and without places, so that a change of a page shows as a change of its texts alone.
  orderBy: "message",
  format: formatter({ origins: false }),
  runtimeConfigModule: { i18n: ["#/i18n/runtime.ts", "i18n"], Trans: ["#/i18n/trans.tsx", "Trans"] },
});
