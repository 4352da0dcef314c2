import type { ReactNode } from "react";
import styles from "./aside-note.module.css";

type Props = {
  /** `note` if it explains why something is missing from the page. */
  role?: "note";
  isSmall?: boolean;
  children: ReactNode;
};

/** A remark beside the content of a page. */
export function AsideNote({ role, isSmall = false, children }: Props) {
  return (
    <p className={isSmall ? `${styles.note} small` : styles.note} role={role}>
      {children}
    </p>
  );
}
