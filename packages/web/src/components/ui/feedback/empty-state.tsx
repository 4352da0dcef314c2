import type { ReactNode } from "react";
import styles from "./empty-state.module.css";

/** Replaces an empty list: it says what the list is for, and how to add the first item. */
export function EmptyState({ title, children, action }: { title: string; children: ReactNode; action?: ReactNode }) {
  return (
    <div className={styles.empty}>
      <h2 className="h3">{title}</h2>
      <p>{children}</p>
      {action ? <div className="row">{action}</div> : null}
    </div>
  );
}
