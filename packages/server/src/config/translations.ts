import type { ErrorTranslations } from "../platform/core/errors/translate-error.ts";
import type { TranslatedLanguage, TranslateText } from "../platform/core/languages/languages.ts";
import type { MailTranslations } from "../platform/mail/index.ts";
import de from "./translations/de.json" with { type: "json" };
import es from "./translations/es.json" with { type: "json" };
import fr from "./translations/fr.json" with { type: "json" };
import ja from "./translations/ja.json" with { type: "json" };
import zhHans from "./translations/zh-Hans.json" with { type: "json" };

/** The default words of mails in other languages than English. */
export const MAIL_TRANSLATIONS: MailTranslations = {
  de: de.mails,
  es: es.mails,
  fr: fr.mails,
  ja: ja.mails,
  "zh-Hans": zhHans.mails,
};

/** The messages of the contract's errors in other languages than English, by code. */
export const ERROR_TRANSLATIONS: ErrorTranslations["byCode"] = {
  de: de.errors,
  es: es.errors,
  fr: fr.errors,
  ja: ja.errors,
  "zh-Hans": zhHans.errors,
};

/** Descriptions of settings and of mails, and messages of errors that are written in the code, by their English text. */
export const TEXT_TRANSLATIONS: Readonly<Record<TranslatedLanguage, Readonly<Record<string, string>>>> = {
  de: de.texts,
  es: es.texts,
  fr: fr.texts,
  ja: ja.texts,
  "zh-Hans": zhHans.texts,
};

/** Returns a description or a message in a language; in English if there is no translation. */
export const translateText: TranslateText = (text, language) =>
  language === "en" ? text : (TEXT_TRANSLATIONS[language][text] ?? text);
