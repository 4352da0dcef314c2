import { type ReactNode, useId } from "react";
import { Link } from "react-router-dom";
import styles from "./panel.module.css";

type Props = {
  title: string;
  /** The page that shows all of it. */
  more: { label: string; to: string };
  children: ReactNode;
};

/** A framed part of a page, with a link to the page that shows all of it. */
export function Panel({ title, more, children }: Props) {
  const id = useId();
  return (
    <section className={styles.panel} aria-labelledby={id}>
      <div className="row between">
        <h2 className="h4" id={id}>
          {title}
        </h2>
        <Link className="link small" to={more.to}>
          {more.label}
        </Link>
      </div>
      {children}
    </section>
  );
}
