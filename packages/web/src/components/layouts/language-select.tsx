import { t } from "@lingui/core/macro";
import { NativeSelect } from "#/components/ui/controls/native-select.tsx";
import { nameOfLanguage } from "#/i18n/locale.ts";
import { i18n } from "#/i18n/runtime.ts";
import { chooseLanguage } from "#/lib/preferences/language.ts";

type Props = { languages: readonly string[]; onChange?: (locale: string) => void };

/** A select for the language of the site, each language under its own name; nothing if there is only one. */
export function LanguageSelect({ languages, onChange = chooseLanguage }: Props) {
  if (languages.length < 2) return null;
  return (
    <NativeSelect
      aria-label={t`Language`}
      value={i18n.locale}
      options={languages.map((locale) => ({ value: locale, label: nameOfLanguage(locale), lang: locale }))}
      onChange={onChange}
    />
  );
}
