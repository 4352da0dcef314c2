import { t } from "@lingui/core/macro";
import { nameOfLanguage } from "#/i18n/locale.ts";
import { i18n } from "#/i18n/runtime.ts";
import { chooseLanguage } from "#/lib/preferences/language.ts";
import styles from "./language-select.module.css";

type Props = { languages: readonly string[]; onChange?: (locale: string) => void };

/**
 * A select for the language of the site, each language under its own name; nothing if there is only one. It is the browser's
 * own, since it stands on every page, and the list of the site's own selects would be loaded with each first visit.
 */
export function LanguageSelect({ languages, onChange = chooseLanguage }: Props) {
  if (languages.length < 2) return null;
  return (
    <select
      className={`btn ${styles.select}`}
      aria-label={t`Language`}
      value={i18n.locale}
      onChange={(event) => onChange(event.target.value)}
    >
      {languages.map((locale) => (
        <option key={locale} value={locale} lang={locale}>
          {nameOfLanguage(locale)}
        </option>
      ))}
    </select>
  );
}
