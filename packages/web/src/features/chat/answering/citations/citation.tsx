import { t } from "@lingui/core/macro";
import { type ReactNode, useContext } from "react";
import styles from "./citation.module.css";
import { CitationsContext } from "./citations-context.ts";

/** A number in brackets, which shows the passage that it stands for. */
export function Citation({ children }: { children?: ReactNode }) {
  const citations = useContext(CitationsContext);
  const number = Number(/\d+/.exec(String(children))?.[0]);
  if (!citations) return <span>{children}</span>;
  return (
    <button
      type="button"
      className={styles.citation}
      aria-label={t`Show passage ${number}`}
      aria-haspopup="dialog"
      onClick={() => citations.show(number)}
    >
      {children}
    </button>
  );
}
