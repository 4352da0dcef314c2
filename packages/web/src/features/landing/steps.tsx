import type { ReactNode } from "react";
import styles from "./steps.module.css";

/** One step of a list of instructions. */
export type Step = { title: string; text: ReactNode; more?: ReactNode };

/** Numbered instructions. */
export function Steps({ steps }: { steps: readonly Step[] }) {
  return (
    <ol className={styles.landingSteps}>
      {steps.map(({ title, text, more }, index) => (
        <li key={title}>
          <span className={styles.number} aria-hidden="true">
            {index + 1}
          </span>
          <div>
            <h3 className="h4">{title}</h3>
            <div className="muted mt-2">{text}</div>
          </div>
          {more ? <div className={styles.more}>{more}</div> : null}
        </li>
      ))}
    </ol>
  );
}
