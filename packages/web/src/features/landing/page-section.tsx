import type { ReactNode } from "react";
import styles from "./page-section.module.css";

type SectionProps = { title: string; intro?: ReactNode; action?: ReactNode; children: ReactNode };

/** A section of a landing page. */
export function PageSection({ title, intro, action, children }: SectionProps) {
  return (
    <section className="section">
      <div className="page-width">
        <div className="row between wrapping">
          <h2 className="h2">{title}</h2>
          {action}
        </div>
        {intro ? <p className={`muted mt-3 ${styles.landingIntro}`}>{intro}</p> : null}
        <div className="mt-6">{children}</div>
      </div>
    </section>
  );
}
