import { ROUTES } from "../src/config/routes.ts";

const ROUTES_FILE = /\/src\/config\/routes\.ts$/;

/**
 * Lingui extractor that adds the titles of routes to the catalogue. They are no macros, because the build imports that
 * file as it is; the title itself is the id.
 */
export const routeTitlesExtractor = {
  match: (filename: string) => ROUTES_FILE.test(filename.replaceAll("\\", "/")),
  extract(
    filename: string,
    _code: string,
    onMessage: (message: { id: string; message: string; origin: [string, number] }) => void,
  ) {
    for (const title of new Set(ROUTES.map((route) => route.title)))
      onMessage({ id: title, message: title, origin: [filename, 1] });
  },
};
