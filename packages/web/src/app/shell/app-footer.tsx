import { t } from "@lingui/core/macro";
import { Link } from "react-router-dom";
import { LanguageSelect } from "#/components/layouts/language-select.tsx";
import { ThemeSwitch } from "#/components/layouts/theme-switch.tsx";
import { paths } from "#/config/paths.ts";
import { openCookieSettings } from "#/lib/events/cookie-settings-event.ts";
import { LANGUAGES } from "#/lib/preferences/language.ts";
import styles from "./shell.module.css";

/** The line below the pages of signed-in users, in place of the site's footer. */
export function AppFooter() {
  return (
    <footer className={`${styles.footer} small faint`}>
      <Link to={paths.docs()}>{t`Docs`}</Link>
      <Link to={paths.status}>{t`Status`}</Link>
      <Link to="/privacy">{t`Privacy`}</Link>
      <Link to="/terms">{t`Terms`}</Link>
      <Link to="/cookie-policy">{t`Cookies`}</Link>
      <button type="button" onClick={openCookieSettings}>
        {t`Your cookies`}
      </button>
      <LanguageSelect languages={LANGUAGES} />
      <ThemeSwitch />
    </footer>
  );
}
