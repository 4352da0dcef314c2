import type { ReactNode } from "react";
import { Link } from "react-router-dom";

type Props = {
  title: ReactNode;
  about?: ReactNode;
  action?: ReactNode;
  /** The page above. */
  up?: { label: string; to: string };
};

/** The top of a page: where it belongs, what it is called, what it is for, and what is done here most. */
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
