import type { ServerSetting } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { SavedNote } from "./saved-note.tsx";
import styles from "./settings.module.css";

/** What a setting is for, its name, and what was saved for it. */
export function SettingHint({ setting: { name, description, saved, default_value } }: { setting: ServerSetting }) {
  const shownDefault = default_value === "" ? "–" : default_value;
  return (
    <>
      {description} <span className={`mono ${styles.name}`}>{name}</span>
      {saved ? <SavedNote saved={saved} /> : null}
      {saved?.is_set && shownDefault !== null ? (
        <span className={styles.line}>
          {t`Default:`} <span className="mono">{shownDefault}</span>
        </span>
      ) : null}
    </>
  );
}
