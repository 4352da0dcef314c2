import type { ReactNode } from "react";
import styles from "./chart.module.css";

/** The lines of a chart without data, with a text on them. */
export function EmptyChart({ children }: { children: ReactNode }) {
  return (
    <div className={styles.empty}>
      <p className="muted">{children}</p>
    </div>
  );
}
