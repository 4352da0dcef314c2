import { catalogues } from "virtual:catalogues";
import { storage } from "#/lib/storage.ts";
import { directionOf, matchLocale } from "./locale.ts";
import { i18n, SOURCE_LOCALE } from "./runtime.ts";

const KEY = "locale";

/** The languages that can be chosen. */
export const LANGUAGES: readonly string[] = [SOURCE_LOCALE, ...Object.keys(catalogues)];

/** Makes the language of this visit the active one. It has to end before any module with texts begins. */
export async function startLanguage(): Promise<void> {
  const locale = matchLocale(storage.get(KEY), navigator.languages, Object.keys(catalogues));
  const catalogue = catalogues[locale];
  if (catalogue !== undefined) {
    try {
      i18n.loadAndActivate({ locale, messages: (await catalogue()).messages });
    } catch {
      // The texts did not come: English is better than nothing.
    }
  }
  document.documentElement.lang = i18n.locale;
  document.documentElement.dir = directionOf(i18n.locale);
}

/** Keeps the choice, and begins anew with it: texts are read when their modules are. */
export function chooseLanguage(locale: string, reload: () => void = () => location.reload()): void {
  storage.set(KEY, locale);
  reload();
}
