import type { ReactNode } from "react";
import { Link } from "react-router-dom";

type Props = {
  title: ReactNode;
  about?: ReactNode;
  action?: ReactNode;
  /** The parent page. */
  up?: { label: string; to: string };
};

/** The header of a page: parent page, title, description and main action. */
export function PageHead({ title, about, action, up }: Props) {
  return (
    <header className="page-head">
      <div>
        {up ? (
          <Link className="small mid" to={up.to}>
            {up.label}
          </Link>
        ) : null}
        <h1 className="h2 stranger">{title}</h1>
        {about ? <p className="mid mt-2">{about}</p> : null}
      </div>
      {action ? <div className="row wraps">{action}</div> : null}
    </header>
  );
}
