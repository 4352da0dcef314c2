import { directionOf, matchLocale, TRANSLATED_LOCALES } from "#/i18n/locale.ts";
import { i18n, SOURCE_LOCALE } from "#/i18n/runtime.ts";
import { storage } from "../browser/storage.ts";

const KEY = "locale";
/** Set while the choice is not saved in the account. */
const UNSAVED_KEY = "locale-unsaved";

/** The languages a visitor can choose. */
export const LANGUAGES: readonly string[] = [SOURCE_LOCALE, ...TRANSLATED_LOCALES];

/** Loads and activates the visitor's language. Must finish before any module with messages is imported. */
export async function activateLocale(): Promise<void> {
  const locale = chosenLocale();
  if (locale !== SOURCE_LOCALE) {
    try {
      const { loadMessages } = await import("#/i18n/catalogues.ts");
      i18n.loadAndActivate({ locale, messages: await loadMessages(locale) });
    } catch {
      // The catalogue could not be loaded: stay with English.
    }
  }
  document.documentElement.lang = i18n.locale;
  document.documentElement.dir = directionOf(i18n.locale);
}

const chosenLocale = (): string => matchLocale(storage.get(KEY), navigator.languages, TRANSLATED_LOCALES);

/** Saves the chosen language and reloads the page, because modules read their messages on import. */
export function chooseLanguage(locale: string, reload: () => void = () => location.reload()): void {
  storage.set(KEY, locale);
  storage.set(UNSAVED_KEY, "1");
  reload();
}

/** Returns the language that was chosen in this browser and is not saved in an account yet; null if there is none. */
export const unsavedLanguage = (): string | null => (storage.get(UNSAVED_KEY) === null ? null : storage.get(KEY));

/** Returns whether the language of the account and that of the site have to be brought together. */
export const differsFromLanguage = (ofAccount: string | null): boolean =>
  storage.get(UNSAVED_KEY) !== null || (ofAccount ?? i18n.locale) !== i18n.locale;

/** Notes that the choice is saved in the account. */
export const noteLanguageSaved = (): void => storage.remove(UNSAVED_KEY);

/** Takes over the language of the account, and reloads the page if it is another one. */
export function followLanguage(locale: string, reload: () => void = () => location.reload()): void {
  if (!LANGUAGES.includes(locale) || locale === chosenLocale()) return;
  if (storage.set(KEY, locale)) reload();
}
