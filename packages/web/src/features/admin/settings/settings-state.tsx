import type { ReactNode } from "react";
import styles from "./settings.module.css";

/** A part of the page that shows how the server is, with nothing to set. */
export function SettingsState({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <div className={styles.group} id={`group-${id}`}>
      <h2 className="h4">{title}</h2>
      <div className="mt-4">{children}</div>
    </div>
  );
}
