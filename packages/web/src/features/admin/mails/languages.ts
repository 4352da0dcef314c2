import type { Language } from "@feather/sdk";
import { nameOfLanguage } from "#/i18n/locale.ts";

const LANGUAGES = ["en", "de", "es", "fr", "ja", "zh-Hans"] as const satisfies readonly Language[];

/** The languages of mails, as options of a select. */
export const MAIL_LANGUAGES = LANGUAGES.map((value) => ({ value, label: nameOfLanguage(value), lang: value }));

/** Returns the language with this tag; English if there is none. */
export const toMailLanguage = (tag: string | null | undefined): Language =>
  LANGUAGES.find((language) => language === tag) ?? "en";
