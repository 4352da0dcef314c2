import type { ReactNode } from "react";
import styles from "./page-header.module.css";

type Props = { title: string; intro: ReactNode; above?: ReactNode; children?: ReactNode };

/** The title and the introduction of a post, a page of the docs or a legal page. */
export function PageHeader({ title, intro, above, children }: Props) {
  return (
    <header className={styles.header}>
      {above ? <p className="small faint">{above}</p> : null}
      <h1 className="h1">{title}</h1>
      <p className="lede">{intro}</p>
      {children}
    </header>
  );
}
