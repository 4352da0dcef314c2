import { matchLanguage, type TranslatedLanguage } from "../languages/languages.ts";
import type { AppError } from "./app-error.ts";
import { ERROR_MESSAGES } from "./factories.generated.ts";
import { isErrorCode } from "./index.ts";

/** The messages of errors by language and code, with `{values}` of the case. */
export type ErrorTranslations = Readonly<Record<TranslatedLanguage, Readonly<Record<string, string>>>>;

/**
 * Returns an error with its message in the language that the caller asks for by the header `accept-language`. The error
 * stays as it is in English, without a translation, and where its message is made for the case: programs read the code.
 */
export function translateError(
  error: AppError,
  acceptLanguage: string | undefined,
  translations: ErrorTranslations,
): AppError {
  const language = acceptLanguage === undefined ? null : matchLanguage(acceptLanguage);
  if (language === null || language === "en" || !isErrorCode(error.code)) return error;
  const english = ERROR_MESSAGES[error.code];
  const translated = translations[language][error.code];
  if (english === undefined || translated === undefined || fillIn(english, error.values) !== error.message)
    return error;
  return error.inLanguage(language, fillIn(translated, error.values));
}

function fillIn(text: string, values: AppError["values"]): string {
  return text.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));
}
