import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import styles from "./page-header.module.css";

type Props = {
  title: ReactNode;
  description?: ReactNode;
  action?: ReactNode;
  /** The parent page. */
  parentPage?: { label: string; to: string };
};

/** The header of a page: parent page, title, description and main action. */
export function PageHeader({ title, description, action, parentPage }: Props) {
  return (
    <header className={styles.pageHead}>
      <div>
        {parentPage ? (
          <Link className="small muted" to={parentPage.to}>
            {parentPage.label}
          </Link>
        ) : null}
        <h1 className="h2 user-text">{title}</h1>
        {description ? <p className="muted mt-2">{description}</p> : null}
      </div>
      {action ? <div className="row wrapping">{action}</div> : null}
    </header>
  );
}
