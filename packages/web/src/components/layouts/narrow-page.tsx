import type { ReactNode } from "react";
import styles from "./narrow-page.module.css";

/** A page with one form or message in its middle, such as the login. */
export function NarrowPage({ isWide = false, children }: { isWide?: boolean; children: ReactNode }) {
  return <div className={isWide ? `${styles.narrow} ${styles.wide}` : styles.narrow}>{children}</div>;
}
