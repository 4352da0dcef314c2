import { t } from "@lingui/core/macro";
import { FixedSettings } from "./fixed-settings.tsx";
import type { SettingGroup } from "./groups.ts";
import styles from "./settings.module.css";
import { SettingsForm } from "./settings-form.tsx";

/** A group of settings: a form of those that can be saved, and the others below. They are open where nothing else is to be seen. */
export function SettingsGroup({ group, isOpen }: { group: SettingGroup; isOpen: boolean }) {
  const { id, title, editable, fixed } = group;
  return (
    <section className={styles.group} id={`group-${id}`} aria-labelledby={`title-${id}`}>
      <h2 className="h4" id={`title-${id}`}>
        {title}
      </h2>
      {editable.length > 0 ? <SettingsForm settings={editable} /> : null}
      {fixed.length > 0 ? (
        <details className="mt-4" open={isOpen || editable.length === 0}>
          <summary className="small muted">{t`Set where the server is run`}</summary>
          <FixedSettings settings={fixed} />
        </details>
      ) : null}
    </section>
  );
}
