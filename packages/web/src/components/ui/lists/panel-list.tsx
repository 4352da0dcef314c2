import type { ReactNode } from "react";
import styles from "./panel-list.module.css";

/** A list in a panel: each item has its name at the start, and one thing at the end. */
export function PanelList({ children }: { children: ReactNode }) {
  return <ul className={styles.list}>{children}</ul>;
}
