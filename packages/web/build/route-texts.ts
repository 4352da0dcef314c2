import { generateMessageId } from "@lingui/message-utils/generateMessageId";
import { DESCRIPTIONS } from "../src/config/descriptions.ts";
import { ROUTES } from "../src/config/routes.ts";

/** Titles and descriptions of pages. The build imports these files directly, so they cannot contain Lingui macros. */
export const ROUTE_TEXTS = new Set([...ROUTES.map(({ title }) => title), ...Object.values(DESCRIPTIONS)]);
/** Matches the paths of the files that contain route texts. */
export const ROUTE_FILES = /\/src\/config\/(routes|descriptions)\.ts$/;

const toMessage = (message: string) => ({ id: generateMessageId(message), message });

/** Lingui extractor that adds route titles and descriptions to the catalogue. */
export const routeTextsExtractor = {
  match: (filename: string) => ROUTE_FILES.test(filename.replaceAll("\\", "/")),
  extract(
    filename: string,
    code: string,
    onMessage: (message: { id: string; message: string; origin: [string, number] }) => void,
  ) {
    for (const text of findTexts(code)) onMessage({ ...toMessage(text), origin: [filename, 1] });
  },
};

/** Returns the source of a route file with its titles and descriptions replaced by message lookups. */
export function translateRouteTexts(code: string): string {
  const translated = code.replace(STRINGS, (literal) => {
    const text: string = JSON.parse(literal);
    if (!ROUTE_TEXTS.has(text)) return literal;
    const { id, message } = toMessage(text);
    return `i18n._(${JSON.stringify(id)}, {}, ${JSON.stringify({ message })})`;
  });
  return `import { i18n } from "#/i18n/runtime.ts";\n${translated}`;
}

const STRINGS = /"(?:[^"\\\n]|\\.)*"/g;
const findTexts = (code: string) =>
  (code.match(STRINGS) ?? []).map((literal): string => JSON.parse(literal)).filter((text) => ROUTE_TEXTS.has(text));
