import type { ReactNode } from "react";
import styles from "./aside-note.module.css";

type Props = {
  /** `note` if it explains why something is missing from the page. */
  role?: "note";
  isSmall?: boolean;
  children: ReactNode;
};

/** A remark at the side of a page's content. */
export function AsideNote({ role, isSmall = false, children }: Props) {
  return (
    <p className={isSmall ? `${styles.note} small` : styles.note} role={role}>
      {children}
    </p>
  );
}
