import { SOURCE_LOCALE } from "./runtime.ts";

/** The languages of the site but English, which need a catalogue. */
export const TRANSLATED_LOCALES: readonly string[] = [
  ...["de", "es", "fr", "ja", "zh-Hans"],
  ...(import.meta.env.PSEUDO_LOCALE ? ["pseudo"] : []),
];

const RIGHT_TO_LEFT = new Set(["ar", "dv", "fa", "he", "ku", "ps", "sd", "ug", "ur", "yi"]);

/** Returns the locale to use: the saved choice, else the first available one the browser prefers, else English. */
export function matchLocale(chosen: string | null, preferred: readonly string[], available: readonly string[]): string {
  const supported = new Set([SOURCE_LOCALE, ...available]);
  if (chosen !== null && supported.has(chosen)) return chosen;
  for (const tag of preferred) {
    const found = [tag, withScript(tag), tag.split("-")[0] ?? tag].find((name) => supported.has(name));
    if (found !== undefined) return found;
  }
  return SOURCE_LOCALE;
}

/** Returns language and script of a tag, such as `zh-Hans` for `zh-CN`; the tag itself if it is none. */
function withScript(tag: string): string {
  try {
    const { language, script } = new Intl.Locale(tag).maximize();
    return `${language}-${script}`;
  } catch {
    return tag;
  }
}

/** Returns the name of a language in that language. */
export const nameOfLanguage = (locale: string): string =>
  new Intl.DisplayNames([locale], { type: "language" }).of(locale) ?? locale;

/** Returns the writing direction of a locale. */
export function directionOf(locale: string): "ltr" | "rtl" {
  return RIGHT_TO_LEFT.has(locale.split("-")[0] ?? locale) ? "rtl" : "ltr";
}
