import { t } from "@lingui/core/macro";
import { Link } from "react-router-dom";
import { Logo } from "#/components/ui/labels/logo.tsx";
import { openCookieSettings } from "#/lib/events/cookie-settings-event.ts";
import { LANGUAGES } from "#/lib/preferences/language.ts";
import { getProductName } from "#/lib/product.ts";
import styles from "./footer.module.css";
import { LanguageSelect } from "./language-select.tsx";
import { ThemeSwitch } from "./theme-switch.tsx";

const COLUMNS = [
  {
    title: t`Product`,
    links: [
      [t`Models`, "/models"],
      [t`Chat`, "/chat"],
      [t`Pricing`, "/pricing"],
      [t`Status`, "/status"],
    ],
  },
  {
    title: t`Build`,
    links: [
      [t`Guide`, "/guide"],
      [t`Docs`, "/docs/quickstart"],
      [t`API reference`, "/docs/api"],
      ["CLI", "/docs/cli"],
      ["SDK", "/docs/sdk"],
    ],
  },
  {
    title: t`Use with`,
    links: [
      ["Cline", "/cline"],
      ["Roo Code", "/roo-code"],
      [t`OpenAI SDK`, "/openai"],
      ["DeepSeek", "/deepseek"],
      [t`Bulk inference`, "/bulk"],
    ],
  },
  {
    title: t`About`,
    links: [
      [t`About`, "/about"],
      [t`Blog`, "/blog"],
      [t`Community`, "/discord"],
      [t`Sponsorship`, "/sponsorship"],
      [t`Privacy`, "/privacy"],
      [t`Terms`, "/terms"],
      [t`Cookies`, "/cookie-policy"],
    ],
  },
] as const;

/** The footer of visitors' pages: links, language and theme. */
export function Footer() {
  return (
    <footer className={styles.foot}>
      <div className="page-width">
        <div className={styles.footBrand}>
          <Link className="brand" to="/">
            <Logo />
            {getProductName()}
          </Link>
          <p className="mt-3">{t`Browse, host and call open language models, on your own machines.`}</p>
        </div>
        {COLUMNS.map(({ title, links }) => (
          <div key={title}>
            <p className="label">{title}</p>
            <ul>
              {links.map(([label, to]) => (
                <li key={to} className={to === "/blog" ? "with-posts" : undefined}>
                  <Link to={to}>{label}</Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
        <div className={styles.footEnd}>
          <a href="/api/openapi.json">{t`OpenAPI document`}</a>
          <a className="with-posts" href="/blog/rss.xml">
            RSS
          </a>
          <button type="button" onClick={openCookieSettings}>
            {t`Your cookies`}
          </button>
          <LanguageSelect languages={LANGUAGES} />
          <ThemeSwitch />
        </div>
      </div>
    </footer>
  );
}
