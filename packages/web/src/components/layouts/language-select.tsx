import { t } from "@lingui/core/macro";
import { Select } from "#/components/ui/controls/select.tsx";
import { i18n } from "#/i18n/runtime.ts";
import { chooseLanguage } from "#/lib/preferences/language.ts";

const nameOf = (locale: string): string => new Intl.DisplayNames([locale], { type: "language" }).of(locale) ?? locale;

type Props = { languages: readonly string[]; onChange?: (locale: string) => void };

/** A select for the language of the site, each language under its own name; nothing if there is only one. */
export function LanguageSelect({ languages, onChange = chooseLanguage }: Props) {
  if (languages.length < 2) return null;
  return (
    <Select
      look="button"
      aria-label={t`Language`}
      value={i18n.locale}
      options={languages.map((locale) => ({ value: locale, label: nameOf(locale), lang: locale }))}
      onChange={onChange}
    />
  );
}
