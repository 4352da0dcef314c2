import type { ReactNode } from "react";
import styles from "./adjacent-links.module.css";

/** Links to the pages before and after this one, below it; `children` are two of them, or one and an empty element. */
export function AdjacentLinks({ label, children }: { label: string; children: ReactNode }) {
  return (
    <nav className={styles.links} aria-label={label}>
      {children}
    </nav>
  );
}
