import type { ReactNode } from "react";
import styles from "./figure-row.module.css";

/** Figures beside each other; below each other where there is no room. */
export function FigureRow({ children }: { children: ReactNode }) {
  return <div className={styles.figures}>{children}</div>;
}

type Props = { label: string; value: string; note?: string; children: ReactNode };

/** A figure of a `FigureRow`, with a chart below it. */
export function Figure({ label, value, note, children }: Props) {
  return (
    <div>
      <p className="label">{label}</p>
      <p className={styles.value}>{value}</p>
      {note === undefined ? null : <p className="tiny dim">{note}</p>}
      {children}
    </div>
  );
}
