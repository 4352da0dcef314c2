import { catalogues } from "virtual:catalogues";
import { storage } from "#/lib/storage.ts";
import { directionOf, matchLocale } from "./locale.ts";
import { i18n } from "./runtime.ts";

const KEY = "locale";

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
