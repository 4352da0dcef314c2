import type { ReactNode } from "react";
import styles from "./questions.module.css";

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
