import { t } from "@lingui/core/macro";
import { Link } from "react-router-dom";
import { openCookieSettings } from "#/lib/events/cookie-settings-event.ts";
import { LANGUAGES } from "#/lib/preferences/language.ts";
import { LanguageSelect } from "./language-select.tsx";
import styles from "./small-footer.module.css";
import { ThemeSwitch } from "./theme-switch.tsx";

const FORM_LINKS = [
  [t`Docs`, "/docs/quickstart"],
  [t`Status`, "/status"],
  [t`Privacy`, "/privacy"],
  [t`Terms`, "/terms"],
] as const;

/** The footer of pages with one form, such as the login: one line. */
export function SmallFooter() {
  return (
    <footer className={styles.smallFoot}>
      {FORM_LINKS.map(([label, to]) => (
        <Link key={to} to={to}>
          {label}
        </Link>
      ))}
      <button type="button" onClick={openCookieSettings}>
        {t`Your cookies`}
      </button>
      <LanguageSelect languages={LANGUAGES} />
      <ThemeSwitch />
    </footer>
  );
}
