import { t } from "@lingui/core/macro";
import { i18n } from "#/i18n/runtime.ts";
import { chooseLanguage } from "#/lib/language.ts";

const nameOf = (locale: string): string => new Intl.DisplayNames([locale], { type: "language" }).of(locale) ?? locale;

type Props = { languages: readonly string[]; onChange?: (locale: string) => void };

/** A select for the language of the site, each language under its own name; nothing if there is only one. */
export function LanguageSelect({ languages, onChange = chooseLanguage }: Props) {
  if (languages.length < 2) return null;
  return (
    <select
      className="btn"
      aria-label={t`Language`}
      value={i18n.locale}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      {languages.map((locale) => (
        <option key={locale} value={locale} lang={locale}>
          {nameOf(locale)}
        </option>
      ))}
    </select>
  );
}
