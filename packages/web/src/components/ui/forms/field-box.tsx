import type { ReactNode } from "react";
import styles from "./field-box.module.css";

/** What every labelled field takes. */
export type CommonFieldProps = {
  label: string;
  hint?: ReactNode;
  errors?: readonly string[];
  /** Shown next to the label. The keyboard reaches it after the control. */
  end?: ReactNode;
};

/** The frame of a field, with what is shown next to its label. */
export function FieldBox({ end, children }: { end: ReactNode; children: ReactNode }) {
  if (!end) return <div className="field">{children}</div>;
  return (
    <div className={`field ${styles.withEnd}`}>
      {children}
      <div className={styles.end}>{end}</div>
    </div>
  );
}
