import { t } from "@lingui/core/macro";
import type { SettingGroup } from "./groups.ts";
import styles from "./settings.module.css";

/** Links to the groups of settings. */
export function SettingsIndex({ groups }: { groups: readonly SettingGroup[] }) {
  return (
    <nav className={styles.index} aria-label={t`Groups of settings`}>
      <ul>
        {groups.map(({ id, title }) => (
          <li key={id}>
            <a className="small" href={`#group-${id}`}>
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
