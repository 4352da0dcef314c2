import type { ReactNode } from "react";
import styles from "./figures.module.css";

/** Figures side by side; below each other on narrow screens. */
export function Figures({ children }: { children: ReactNode }) {
  return <div className={styles.figures}>{children}</div>;
}

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
