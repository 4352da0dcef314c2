import { catalogues } from "#/i18n/catalogues.ts";
import { directionOf, matchLocale } from "#/i18n/locale.ts";
import { i18n, SOURCE_LOCALE } from "#/i18n/runtime.ts";
import { storage } from "../browser/storage.ts";

const KEY = "locale";

/** The languages a visitor can choose. */
export const LANGUAGES: readonly string[] = [SOURCE_LOCALE, ...Object.keys(catalogues)];

/** Loads and activates the visitor's language. Must finish before any module with messages is imported. */
export async function activateLocale(): Promise<void> {
  const locale = matchLocale(storage.get(KEY), navigator.languages, Object.keys(catalogues));
  const catalogue = catalogues[locale];
  if (catalogue !== undefined) {
    try {
      i18n.loadAndActivate({ locale, messages: (await catalogue()).messages });
    } catch {
      // The catalogue could not be loaded: stay with English.
    }
  }
  document.documentElement.lang = i18n.locale;
  document.documentElement.dir = directionOf(i18n.locale);
}

/** Saves the chosen language and reloads the page, because modules read their messages on import. */
export function chooseLanguage(locale: string, reload: () => void = () => location.reload()): void {
  storage.set(KEY, locale);
  reload();
}
