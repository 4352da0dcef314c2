import { t } from "@lingui/core/macro";
import { Fragment, type ReactNode } from "react";
import styles from "./settings.module.css";

/** A part of the page that the index links to by its id. */
export type SettingsPart = { id: string; title: string; content: ReactNode };

/** The parts of the page, with an index beside them. */
export function SettingsLayout({ parts }: { parts: readonly SettingsPart[] }) {
  return (
    <div className={styles.layout}>
      <nav className={styles.index} aria-label={t`Groups of settings`}>
        <ul>
          {parts.map(({ id, title }) => (
            <li key={id}>
              <a className="small" href={`#group-${id}`}>
                {title}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div>
        {parts.map(({ id, content }) => (
          <Fragment key={id}>{content}</Fragment>
        ))}
      </div>
    </div>
  );
}
