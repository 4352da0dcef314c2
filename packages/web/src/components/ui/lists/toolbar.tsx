import type { ReactNode } from "react";
import styles from "./toolbar.module.css";

type Props = {
  /** For a scroll target: the top bar does not cover it. */
  id?: string;
  /** Controls at the end of the line, if there is room. */
  end?: ReactNode;
  children: ReactNode;
};

/** The search and the filters above a list. */
export function Toolbar({ id, end, children }: Props) {
  return (
    <div className={styles.toolbar} id={id}>
      {children}
      {end ? <span className={`row wrapping ${styles.end}`}>{end}</span> : null}
    </div>
  );
}
