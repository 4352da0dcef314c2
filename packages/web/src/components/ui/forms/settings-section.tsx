import { type ReactNode, useId } from "react";
import styles from "./settings-section.module.css";

type Props = { title: string; description: ReactNode; action?: ReactNode; children?: ReactNode };

/** A section of a settings page: title and description, with the control next to them. */
export function SettingsSection({ title, description, action, children }: Props) {
  const id = useId();
  return (
    <section className={styles.settingsSection} aria-labelledby={id}>
      <div>
        <h2 className="h4" id={id}>
          {title}
        </h2>
        <div className="small muted mt-2">{description}</div>
        {action ? <div className="row wrapping mt-3">{action}</div> : null}
      </div>
      {children ? <div className={styles.control}>{children}</div> : null}
    </section>
  );
}
