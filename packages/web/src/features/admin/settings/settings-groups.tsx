import type { SettingGroup } from "./groups.ts";
import styles from "./settings.module.css";
import { SettingsGroup } from "./settings-group.tsx";
import { SettingsIndex } from "./settings-index.tsx";

/** All groups of settings with an index. Everything that was searched for is open. */
export function SettingsGroups({ groups, isFiltered }: { groups: readonly SettingGroup[]; isFiltered: boolean }) {
  return (
    <div className={styles.layout}>
      <SettingsIndex groups={groups} />
      <div>
        {groups.map((group) => (
          <SettingsGroup key={group.id} group={group} isOpen={isFiltered} />
        ))}
      </div>
    </div>
  );
}
