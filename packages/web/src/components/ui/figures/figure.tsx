import type { ReactNode } from "react";
import styles from "./figure.module.css";

type Props = { label: string; value: string; note?: string; children: ReactNode };

/** A figure of a `Figures`, with a chart below it. */
export function Figure({ label, value, note, children }: Props) {
  return (
    <div>
      <p className="label">{label}</p>
      <p className={styles.value}>{value}</p>
      {note === undefined ? null : <p className="tiny faint">{note}</p>}
      {children}
    </div>
  );
}
