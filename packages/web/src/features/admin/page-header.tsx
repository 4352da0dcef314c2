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
          <Link className="small mid" to={parentPage.to}>
            {parentPage.label}
          </Link>
        ) : null}
        <h1 className="h2 stranger">{title}</h1>
        {description ? <p className="mid mt-2">{description}</p> : null}
      </div>
      {action ? <div className="row wraps">{action}</div> : null}
    </header>
  );
}
