import { type Language, matchLanguage, type TranslatedLanguage, type TranslateText } from "../languages/languages.ts";
import type { AppError } from "./app-error.ts";
import { ERROR_MESSAGES } from "./factories.generated.ts";
import { isErrorCode } from "./index.ts";

/** The messages of errors in other languages than English. */
export type ErrorTranslations = {
  /** Those of the contract, by language and code, with `{values}` of the case. */
  readonly byCode: Readonly<Record<TranslatedLanguage, Readonly<Record<string, string>>>>;
  /** Translates messages that are written in the code, and those about fields. */
  readonly translateText: TranslateText;
};

/**
 * Returns an error with its message in the language that the caller asks for by the header `accept-language`. The error
 * stays as it is in English, without a translation, and where its message is put together for the case: programs read the
 * code.
 */
export function translateError(
  error: AppError,
  acceptLanguage: string | undefined,
  translations: ErrorTranslations,
): AppError {
  const language = acceptLanguage === undefined ? null : matchLanguage(acceptLanguage);
  if (language === null || language === "en") return error;
  const message = translateMessage(error, language, translations);
  return message === error.message
    ? error
    : error.inLanguage(language, message, translateFields(error, message, language, translations));
}

function translateMessage(
  { code, message, values }: AppError,
  language: TranslatedLanguage,
  { byCode, translateText }: ErrorTranslations,
): string {
  const english = isErrorCode(code) ? ERROR_MESSAGES[code] : undefined;
  const translated = byCode[language][code];
  const isOfContract = english !== undefined && translated !== undefined && fillIn(english, values) === message;
  return isOfContract ? fillIn(translated, values) : translateText(message, language);
}

/** Returns the details with the messages about fields in a language. The message of the only one is often that of the error. */
function translateFields(
  { details, message: english }: AppError,
  message: string,
  language: Language,
  { translateText }: ErrorTranslations,
): AppError["details"] {
  if (!Array.isArray(details?.fields)) return details;
  const fields = (details.fields as { message: string }[]).map((field) => ({
    ...field,
    message: field.message === english ? message : translateText(field.message, language),
  }));
  return { ...details, fields };
}

function fillIn(text: string, values: AppError["values"]): string {
  return text.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));
}
