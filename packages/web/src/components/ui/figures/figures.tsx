import type { ReactNode } from "react";
import styles from "./figures.module.css";

/** Figures side by side; below each other on narrow screens. */
export function Figures({ children }: { children: ReactNode }) {
  return <div className={styles.figures}>{children}</div>;
}
