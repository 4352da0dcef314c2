import type { ReactNode } from "react";
import styles from "./detail-list.module.css";

/** Names and values in two columns; `children` are `<dt>` and `<dd>`. */
export function DetailList({ children }: { children: ReactNode }) {
  return <dl className={styles.details}>{children}</dl>;
}
