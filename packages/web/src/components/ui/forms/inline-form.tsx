import type { ReactNode } from "react";
import styles from "./inline-form.module.css";

/** Puts the field and the button of a form side by side. */
export function InlineForm({ children }: { children: ReactNode }) {
  return <div className={`${styles.line} mt-3`}>{children}</div>;
}
