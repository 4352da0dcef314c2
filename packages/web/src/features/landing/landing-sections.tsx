import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import styles from "./landing-sections.module.css";

type HeroProps = { kicker?: string; title: string; lede: ReactNode; children?: ReactNode; aside?: ReactNode };

/** The top of a landing page: title, one sentence and the main action. */
export function PageHero({ kicker, title, lede, children, aside }: HeroProps) {
  return (
    <header
      className={aside ? `page-width ${styles.landingHero} ${styles.withAside}` : `page-width ${styles.landingHero}`}
    >
      <div>
        {kicker ? <p className="small faint mb-2">{kicker}</p> : null}
        <h1 className="h1">{title}</h1>
        <p className="lede mt-4">{lede}</p>
        {children ? <div className="row wrapping mt-6">{children}</div> : null}
      </div>
      {aside ? <div className={styles.landingAside}>{aside}</div> : null}
    </header>
  );
}

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

/** A question with its answer. */
export type Question = { question: string; answer: ReactNode };

/** Questions and answers. */
export function Questions({ items }: { items: readonly Question[] }) {
  return (
    <dl className={styles.questions}>
      {items.map(({ question, answer }) => (
        <div key={question}>
          <dt className="h4">{question}</dt>
          <dd className="muted mt-2">{answer}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Links to further pages. */
export function NextLinks({ links }: { links: readonly { to: string; label: string; text: string }[] }) {
  return (
    <ul className={styles.nextLinks}>
      {links.map(({ to, label, text }) => (
        <li key={to}>
          <Link className="link" to={to}>
            {label}
          </Link>
          <p className="small muted mt-1">{text}</p>
        </li>
      ))}
    </ul>
  );
}
