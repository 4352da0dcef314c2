import type { components } from "@feather/openapi/schema";

/** The languages of the site, its mails and its error messages. English is the one in the source. */
export const LANGUAGES = ["en", "de", "es", "fr", "ja", "zh-Hans"] as const satisfies readonly Language[];
/** A language of the site, its mails and its error messages. */
export type Language = components["schemas"]["Language"];
/** A language into which the texts of the source are translated. */
export type TranslatedLanguage = Exclude<Language, "en">;

/** More ranges than any browser sends; the rest is not read. */
const MAX_RANGES = 20;

/** Returns a text of the server, such as the description of a setting, in a language; in English without a translation. */
export type TranslateText = (text: string, language: Language) => string;

/** Returns the language with this tag; null if there is none. */
export const toLanguage = (tag: string): Language | null => LANGUAGES.find((language) => language === tag) ?? null;

/**
 * Returns the language that the header `accept-language` prefers among ours; null if it names none of them. A region counts
 * only through its script: `zh-CN` is `zh-Hans`, and `zh-TW`, which is written otherwise, is none of ours.
 */
export function matchLanguage(header: string | undefined): Language | null {
  const ranges = (header ?? "").split(",", MAX_RANGES).map(readRange);
  const accepted = ranges.filter(({ quality }) => quality > 0).sort((a, b) => b.quality - a.quality);
  for (const { tag } of accepted) {
    const written = describeScript(tag);
    const found = LANGUAGES.find((language) => written !== null && describeScript(language) === written);
    if (found !== undefined) return found;
  }
  return null;
}

function readRange(range: string): { tag: string; quality: number } {
  const [tag = "", ...parameters] = range.split(";").map((part) => part.trim());
  const quality = parameters.find((parameter) => parameter.startsWith("q="));
  return { tag, quality: quality === undefined ? 1 : Number(quality.slice(2)) || 0 };
}

/** Returns language and script of a tag, such as `zh-Hans` for `zh-CN`; null for what is no tag, such as `*`. */
function describeScript(tag: string): string | null {
  try {
    const { language, script } = new Intl.Locale(tag).maximize();
    return `${language}-${script}`;
  } catch {
    return null;
  }
}
