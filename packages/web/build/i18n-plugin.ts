import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { transformAsync } from "@babel/core";
import macros from "@lingui/babel-plugin-lingui-macro";
import { createCompiledCatalog } from "@lingui/cli/api";
import { makeConfig } from "@lingui/conf";
import type { Plugin } from "vite";
import config from "../lingui.config.ts";
import { inlineMessages } from "./inline-messages.ts";
import { ROUTE_FILES, translateRouteTexts } from "./route-texts.ts";

const LOCALES_FOLDER = fileURLToPath(new URL("../locales", import.meta.url));
const MACROS = /from ["']@lingui\/(core|react)\/macro["']/;
const MODULE_ID = "virtual:catalogues";
/** A pseudo-locale of accented English that reveals untranslated texts; only in tests and special builds. */
const PSEUDO = "pseudo";

type Options = { pseudo: boolean };

/** Vite plugins that compile Lingui macros, and each catalogue in `locales/` except English into a chunk. */
export const i18nPlugin = (options: Options): Plugin[] => [
  macrosPlugin(),
  routeTextsPlugin(),
  cataloguesPlugin(options),
];

function macrosPlugin(): Plugin {
  const plugins = [
    [macros, { linguiConfig: makeConfig(config, { skipValidation: true }), descriptorFields: "message" }],
    inlineMessages,
  ];
  return {
    name: "feather-i18n-macros",
    enforce: "pre",
    transform: {
      filter: { id: /\/src\/.*\.tsx?$/, code: MACROS },
      async handler(code, filename) {
        const result = await transformAsync(code, {
          filename,
          plugins,
          parserOpts: { plugins: filename.endsWith("x") ? ["typescript", "jsx"] : ["typescript"] },
          sourceMaps: true,
          configFile: false,
          babelrc: false,
        });
        return result?.code ? { code: result.code, map: result.map } : null;
      },
    },
  };
}

const routeTextsPlugin = (): Plugin => ({
  name: "feather-i18n-route-texts",
  enforce: "pre",
  transform: { filter: { id: ROUTE_FILES }, handler: (code) => ({ code: translateRouteTexts(code), map: null }) },
});

function cataloguesPlugin({ pseudo }: Options): Plugin {
  const listTranslatedLocales = () =>
    readdirSync(LOCALES_FOLDER)
      .filter((name) => name.endsWith(".po") && name !== `${config.sourceLocale}.po`)
      .map((name) => name.slice(0, -".po".length));
  return {
    name: "feather-i18n-catalogues",
    resolveId: { filter: { id: /^virtual:catalogues/ }, handler: (id) => `\0${id}` },
    load: {
      filter: { id: /^\0virtual:catalogues/ },
      async handler(id) {
        const locale = id.slice(`\0${MODULE_ID}/`.length);
        if (locale === "")
          return toCatalogueListSource(pseudo ? [...listTranslatedLocales(), PSEUDO] : listTranslatedLocales());
        const file = join(LOCALES_FOLDER, `${locale === PSEUDO ? config.sourceLocale : locale}.po`);
        this.addWatchFile(file);
        return compileCatalogue(locale, await readMessages(file, locale));
      },
    },
  };
}

const toCatalogueListSource = (locales: readonly string[]): string =>
  `export const catalogues = { ${locales.map((name) => `${JSON.stringify(name)}: () => import("${MODULE_ID}/${name}")`).join(", ")} };`;

/** Reads the translations of a catalogue by message id. Untranslated messages are omitted and fall back to English. */
async function readMessages(filename: string, locale: string): Promise<Record<string, string>> {
  const content = await readFile(filename, "utf8");
  const entries = await config.format.parse(content, { locale, sourceLocale: config.sourceLocale, filename });
  return Object.fromEntries(
    Object.entries(entries).flatMap(([id, { translation, message, obsolete }]) => {
      const text = locale === PSEUDO ? (message ?? translation) : translation;
      return text && !obsolete ? [[id, text]] : [];
    }),
  );
}

function compileCatalogue(locale: string, messages: Record<string, string>): string {
  const { source, errors } = createCompiledCatalog(locale, messages, { namespace: "es", pseudoLocale: PSEUDO });
  if (errors.length > 0) throw new Error(errors.map(({ source, error }) => `${error.message}: ${source}`).join("\n"));
  return source;
}
